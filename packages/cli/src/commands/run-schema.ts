import type { ServedToolbox } from '@toolpact/server';
import type { AnyTool } from 'toolpact';
import { toJsonSchema } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { usageError } from '../cli-error.ts';
import type { DialectName } from '../dialect-names.ts';
import { dialects, originOptions } from '../dialects.ts';
import { exitCodes } from '../exit-codes.ts';
import { toolSource } from '../load/tool-source.ts';
import { wireToolbox } from '../load/wire-toolbox.ts';
import type { Terminal } from '../print/terminal.ts';
import { didYouMean } from '../settings/did-you-mean.ts';
import type { Given } from './command.ts';

/** Prints the JSON Schemas of tools, by name; of one tool alone when it is named. */
export async function runSchema(given: Given): Promise<number> {
  const { terminal, flags, words, settings } = given;
  const toolbox = wireToolbox(await toolSource(given, words).load(), settings, memoryStore());
  if (flags.get('openapi') === true) {
    if (flags.has('tool') || flags.has('dialect')) throw usageError('--openapi describes a whole server; leave --tool and --dialect out.');
    return printOpenApi(toolbox, terminal);
  }
  const { tools } = toolbox;
  const dialect = flags.get('dialect') as DialectName | undefined;
  const schemaOf = (tool: AnyTool): object =>
    dialect === undefined ? { description: tool.description, ...toJsonSchema(tool) } : dialects[dialect].jsonSchema(tool);
  const name = flags.get('tool');
  const printed =
    typeof name === 'string' ? schemaOf(find(tools, name)) : Object.fromEntries(tools.map((tool) => [tool.name, schemaOf(tool)]));
  await terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
  return exitCodes.done;
}

async function printOpenApi(toolbox: ServedToolbox, terminal: Terminal): Promise<number> {
  const server = (await import('@toolpact/server')).createServer(toolbox, { ...originOptions, mcp: false });
  const response = await server.fetch(new Request('http://127.0.0.1/openapi.json', { headers: { host: '127.0.0.1' } }));
  await terminal.out(`${JSON.stringify(await response.json(), null, 2)}\n`);
  await server.close();
  return response.ok ? exitCodes.done : exitCodes.cannotRun;
}

function find(tools: readonly AnyTool[], name: string): AnyTool {
  const tool = tools.find((tool) => tool.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((tool) => tool.name);
  throw usageError(`There is no tool "${name}".${didYouMean(name, names)}`, `There are: ${names.join(', ')}.`);
}
