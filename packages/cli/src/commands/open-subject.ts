import { createClient } from '@toolpact/server/client';
import type { JsonObject, Outcome } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { CliError, usageError } from '../cli-error.ts';
import { toolSource } from '../load/tool-source.ts';
import { closeToolbox, wireToolbox } from '../load/wire-toolbox.ts';
import { addedTools } from '../print/start-block.ts';
import { asSentence, plainLine } from '../print/terminal.ts';
import { flagOf } from '../settings/settings.ts';
import type { Given } from './command.ts';
import { keyFix, needsKey } from './key-fix.ts';
import { type OpenedSubject, openMcp } from './open-mcp.ts';

/** Opens what a command examines: files with tools, a server, or a program that speaks MCP. */
export async function openSubject(given: Given): Promise<OpenedSubject> {
  const { words, flags, terminal } = given;
  const program = flags.get('stdio') as string | undefined;
  const [first = '', ...others] = words;
  const isAddress = /^https?:\/\//i.test(first);
  if (program !== undefined || isAddress) {
    if (others.length > 0 || (program !== undefined && first !== '') || flags.get('sample') === true)
      throw usageError('Name only one: files, an address, --stdio or --sample.');
    const idle = [...given.settings.setBy].find(([, source]) => source === 'flag')?.[0];
    if (idle !== undefined) throw usageError(`--${flagOf(idle)} has no meaning here: the server decides that.`);
  }
  if (program !== undefined) return openMcp({ program }, terminal);
  if (!isAddress) return openFiles(given);
  if (!URL.canParse(first)) throw usageError(`${plainLine(first)} is not an address.`, 'Write it like http://127.0.0.1:8787.');
  return openServer(new URL(first), given);
}

async function openFiles(given: Given): Promise<OpenedSubject> {
  const { words, settings } = given;
  const idle = (['store', 'retryAttempts', 'spill'] as const).find((name) => settings.setBy.get(name) === 'flag');
  if (idle !== undefined) throw usageError(`--${flagOf(idle)} has no meaning here: a check stores nothing and tries once.`);
  const source = toolSource(given, words);
  // One attempt each, no tool added, nothing kept: a trial looks at the tools, not at what is put around them.
  const loaded = await source.load();
  const toolbox = wireToolbox(loaded, { ...settings, retryAttempts: 1, spill: false }, memoryStore());
  const ofAuthor = ({ name }: { readonly name: string }): boolean =>
    !addedTools.includes(name) || loaded.tools?.some((tool) => tool.name === name) === true;
  const count = source.files.length;
  return {
    // Guards bring tools of their own, which the author cannot change.
    subject: {
      ...toolbox,
      list: () => toolbox.list().filter(ofAuthor),
      tools: toolbox.tools.filter(ofAuthor),
    },
    where:
      count === 0
        ? 'the sample tools'
        : words.length > 0
          ? words.join(', ')
          : `${count === 1 ? 'the tools' : `${count} files`} of this folder`,
    problems: [],
    close: () => closeToolbox(toolbox),
  };
}

/** Finds out by itself whether a server speaks like ours or MCP. */
async function openServer(url: URL, { terminal }: Given): Promise<OpenedSubject> {
  const { TOOLPACT_API_KEY: apiKey = '' } = terminal.env;
  if (url.pathname.replace(/\/+$/, '').endsWith('/mcp')) return openMcp({ url }, terminal);
  const client = createClient(url, { retry: false, timeoutMs: 60_000, ...(apiKey !== '' && { apiKey }) });
  const listed = await client.list();
  if (listed.status === 'ok') {
    const effects = new Map(listed.data.map((tool) => [tool.name, tool.effects]));
    return {
      subject: {
        list: () => listed.data,
        answer: async ({ name, args }, { signal, timeoutMs, idempotencyKey, runId } = {}) =>
          refuseGone(
            await client.call(name, args as JsonObject, {
              // Where no answer comes, what it would have done is known from the list.
              effects: effects.get(name) ?? 'writes',
              ...(timeoutMs !== undefined && { timeoutMs }),
              ...(signal && { signal }),
              ...(idempotencyKey !== undefined && { idempotencyKey }),
              ...(runId !== undefined && { runId }),
            }),
          ),
      },
      where: url.origin,
      problems: [],
      close: async () => undefined,
    };
  }
  try {
    return await openMcp({ url }, terminal);
  } catch (thrown) {
    if (!(thrown instanceof CliError)) throw thrown;
    const reason = asSentence(listed.status === 'error' ? listed.error.message : listed.status);
    throw new CliError(`No tools were found at ${url.href}. As a tool server: ${reason} As an MCP server: ${thrown.message}`, {
      fix: listed.status === 'error' && needsKey(listed.error.kind) ? keyFix : (thrown.fix ?? 'Check the address.'),
      cause: thrown.cause,
    });
  }
}

/** Returns the answer of a server. One that has gone away is an error of this command and not a passing fault: it answered a moment ago. */
function refuseGone(outcome: Outcome): Outcome {
  const isOurs = outcome.status === 'error' && outcome.error.upstream === undefined && outcome.meta.invocationId === undefined;
  if (isOurs && outcome.error.kind === 'unreachable') throw new Error('the server has gone');
  return outcome;
}
