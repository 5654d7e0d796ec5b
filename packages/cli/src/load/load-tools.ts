import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { ServedToolbox } from '@toolpact/server';
import type { AnyTool, Resource } from 'toolpact';
import { isTool } from 'toolpact/extend';
import { isObject, isRecord } from 'toolpact/internal';
import { CliError } from '../cli-error.ts';
import { didYouMean } from '../settings/did-you-mean.ts';
import type { ModuleLoader } from './module-loader.ts';

/** The exports of tool files: single tools and the resources they need, or one toolbox with guards of its own. */
export type LoadedTools =
  | { readonly tools: readonly AnyTool[]; readonly resources?: readonly Resource[]; readonly toolbox?: undefined }
  | { readonly toolbox: ServedToolbox; readonly tools?: undefined };

/** The exports found so far. */
interface Found {
  readonly tools: Set<AnyTool>;
  readonly resources: Set<Resource>;
  readonly toolboxes: Set<ServedToolbox>;
}

/** Where tools are looked for, in this order. */
export const defaultFiles: readonly string[] = ['', 'src/'].flatMap((folder) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `${folder}tools.${extension}`),
);

const example = `import { defineTool } from 'toolpact';

  export const hello = defineTool({
    name: 'hello',
    description: 'Says hello.',
    effects: 'none',
    run: () => 'Hello!',
  });`;

/** Checks whether a folder has a file where tools are looked for. */
export function hasToolFile(cwd: string): boolean {
  return defaultFiles.some((name) => existsSync(resolve(cwd, name)));
}

/** Finds the files with tools: those named, or the default one. Throws with what was looked for. */
export function findToolFiles(named: readonly string[] | undefined, cwd: string): string[] {
  if (named === undefined) {
    const defaultFile = defaultFiles.map((name) => resolve(cwd, name)).find((file) => existsSync(file));
    if (defaultFile !== undefined) return [defaultFile];
    throw new CliError(`No file with tools was found here. Looked for ${defaultFiles.join(', ')}.`, {
      fix: `toolpact init creates a tools.ts. Or name your own file (toolpact dev my-tools.ts), or try the sample tools (toolpact dev --sample). A tools.ts:\n\n  ${example}\n`,
    });
  }
  return named.map((name) => {
    const file = resolve(cwd, name);
    if (existsSync(file)) {
      if (statSync(file).isDirectory())
        throw new CliError(`${name} is a folder, not a file with tools.`, {
          fix: `Name the file in it, for example ${join(name, 'tools.ts')}.`,
        });
      return file;
    }
    const guess = didYouMean(basename(name), siblingsOf(file));
    throw new CliError(`There is no file ${name}.${guess}`, {
      // Without an extension it is rather the name of a tool.
      fix: /^[\w:-]+$/.test(name)
        ? `Files are named with their extension, such as tools.ts; tools with --tool ${name}, where a command has it (toolpact schema).`
        : `Correct the path (it is taken from ${cwd})${guess === '' ? `, or create the file:\n\n  ${example}\n` : '.'}`,
    });
  });
}

/** Loads tool files and collects what they export: tools and resources, alone, in arrays or (tools) as fields of an object, or one toolbox. */
export async function loadTools(files: readonly string[], loader: ModuleLoader, cwd: string): Promise<LoadedTools> {
  const exportedTools: Found = { tools: new Set(), resources: new Set(), toolboxes: new Set() };
  const { tools, resources, toolboxes } = exportedTools;
  for (const file of files) {
    const exported = await loader.load(file);
    const before = tools.size + toolboxes.size;
    for (const [name, value] of Object.entries(exported)) collect(value, name, relative(cwd, file), exportedTools);
    if (tools.size + toolboxes.size === before) throw nothingIn(relative(cwd, file), exportedNames(exported));
  }
  const [toolbox, ...others] = toolboxes;
  if (toolbox === undefined) return { tools: [...tools], resources: [...resources] };
  if (others.length > 0)
    throw new CliError('More than one toolbox is exported.', { fix: 'Export one toolbox with all tools, or the tools alone.' });
  const strays = [...tools].filter((tool) => !toolbox.tools.includes(tool));
  if (strays.length > 0) {
    const names = strays.map(({ name }) => name).join(', ');
    throw new CliError(`A toolbox is exported, and tools that are not in it: ${names}.`, {
      fix: 'Add them to the toolbox, or do not export them.',
    });
  }
  return { toolbox };
}

function collect(value: unknown, name: string, file: string, found: Found): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, name, file, found);
  } else if (isTool(value)) found.tools.add(value);
  else if (isToolbox(value)) found.toolboxes.add(value);
  else if (isResource(value)) found.resources.add(value);
  else if (looksLikeTool(value)) {
    throw new CliError(`${file} exports "${name}", which looks like a tool but was not made by defineTool.`, {
      fix: `Write: ${name.includes('.') ? `${name.slice(name.indexOf('.') + 1)}:` : `export const ${name === 'default' ? 'myTool' : name} =`} defineTool({ name, description, input, run });`,
    });
  } else if (isRecord(value)) {
    // Several frameworks keep tools as fields of an object, so authors export one.
    const fields = Object.entries(value);
    if (!fields.some(([, field]) => isTool(field))) return;
    for (const [key, field] of fields) if (isTool(field) || looksLikeTool(field)) collect(field, `${name}.${key}`, file, found);
  }
}

/** Names what a file exports. Node reads one without `import` and `export` as CommonJS, and adds names of its own. */
function exportedNames({ 'module.exports': common, ...exported }: Readonly<Record<string, unknown>>): readonly string[] {
  const isEmpty = exported.default === common && isObject(common) && Object.keys(common).length === 0;
  return Object.keys(exported).filter((name) => !(isEmpty && name === 'default'));
}

function nothingIn(file: string, names: readonly string[]): CliError {
  const what = names.length === 1 ? 'which is not a tool' : 'which are not tools';
  const exported = names.length === 0 ? 'nothing' : `${names.slice(0, 5).join(', ')}, ${what}`;
  return new CliError(`${file} exports ${exported}.`, { fix: `Export what defineTool returns:\n\n  ${example}\n` });
}

function isToolbox(value: unknown): value is ServedToolbox {
  const { tools, answer, list } = (isObject(value) ? value : {}) as Partial<ServedToolbox>;
  return Array.isArray(tools) && typeof answer === 'function' && typeof list === 'function';
}

function isResource(value: unknown): value is Resource {
  const { type, open, ttlMs } = (isObject(value) ? value : {}) as Partial<Resource>;
  return typeof type === 'string' && typeof open === 'function' && typeof ttlMs === 'number';
}

function looksLikeTool(value: unknown): boolean {
  const { name, run, execute } = (isObject(value) ? value : {}) as Readonly<Record<string, unknown>>;
  return typeof name === 'string' && (typeof run === 'function' || typeof execute === 'function');
}

function siblingsOf(file: string): string[] {
  try {
    return readdirSync(dirname(file)).filter((name) => /\.[mc]?[jt]s$/.test(name));
  } catch {
    return [];
  }
}
