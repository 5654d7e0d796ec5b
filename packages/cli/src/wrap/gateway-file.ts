import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { GatewayOptions, GatewayRule, GatewayTarget } from '@toolpact/server';
import { type SearchOptions, ToolpactError } from 'toolpact';
import { inPlace, isRecord, refuseOptions } from 'toolpact/internal';
import { type Document, isCollection, isMap, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { CliError } from '../cli-error.ts';
import type { ModuleLoader } from '../load/module-loader.ts';
import { asSentence } from '../print/terminal.ts';

/** The file that `toolpact wrap --config` reads: the servers to wrap, and the rules for their tools. */
export interface GatewayFile {
  /** The servers by name. `${NAME}` in a text stands for that variable of the environment. */
  readonly servers: Readonly<Record<string, GatewayTarget>>;
  readonly rules?: readonly GatewayRule[];
  /** How to treat a tool whose contract has changed since it was accepted. @default 'block' */
  readonly drift?: GatewayOptions['drift'];
  /** Lets models search for tools where there are many. @default all tools are offered */
  readonly search?: SearchOptions;
}

/** A gateway file that was read. */
export interface LoadedGatewayFile extends GatewayFile {
  readonly file: string;
  /** Says of a mistake in the file where it stands. */
  readonly explain: (error: unknown) => unknown;
}

type Place = readonly (string | number)[];

/** Reads a gateway file, in YAML or as a module with a default export. Throws with the line of what is wrong. */
export async function readGatewayFile(
  named: string,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  loader: ModuleLoader,
): Promise<LoadedGatewayFile> {
  const file = resolve(cwd, named);
  const shown = relative(cwd, file) || file;
  if (!existsSync(file))
    throw new CliError(`There is no file ${shown}.`, { fix: 'toolpact wrap --suggest -- npx some-mcp-server drafts one.' });
  const { content, lineOf } = /\.ya?ml$|\.json$/i.test(file) ? readYaml(file, shown) : await readModule(file, shown, loader);
  const explain = (error: unknown): unknown => {
    if (!(error instanceof ToolpactError)) return error;
    const line = lineOf(Array.isArray(error.details.place) ? (error.details.place as Place) : []);
    return new CliError(`${shown}${line === undefined ? '' : `:${line}`}: ${asSentence(error.message)}`, { cause: error });
  };
  try {
    if (!isRecord(content)) throw new ToolpactError('invalid_option', 'the file must have servers', { place: [] });
    inPlace([], () =>
      refuseOptions<GatewayFile>(
        '',
        content as never,
        { $schema: true, servers: 'an object', rules: 'an array', drift: true, search: true } as never,
      ),
    );
    const { servers, rules, drift, search } = content as { readonly [K in keyof GatewayFile]?: unknown };
    if (search !== undefined)
      inPlace(['search'], () => refuseOptions<SearchOptions>('search', search as never, { always: 'an array', above: 'a number from 0' }));
    if (!isRecord(servers)) throw new ToolpactError('invalid_option', 'servers must name one server at least', { place: ['servers'] });
    const filled = fillIn(servers, env, ['servers']) as Record<string, GatewayTarget>;
    return {
      file,
      explain,
      servers: Object.fromEntries(Object.entries(filled).map(([name, target]) => [name, inFolder(target, dirname(file))])),
      ...(rules !== undefined && { rules: rules as GatewayRule[] }),
      ...(drift !== undefined && { drift: drift as NonNullable<GatewayOptions['drift']> }),
      ...(search !== undefined && { search: search as SearchOptions }),
    };
  } catch (error) {
    throw explain(error);
  }
}

interface ReadFile {
  readonly content: unknown;
  /** The line of a place, or of the nearest part around it that is there. */
  readonly lineOf: (place: Place) => number | undefined;
}

function readYaml(file: string, shown: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, prettyErrors: false });
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    throw new CliError(`${shown}:${lines.linePos(mistake.pos[0]).line}: ${asSentence(mistake.message)}`);
  }
  let content: unknown;
  try {
    content = document.toJS();
    // A part that contains itself has no end.
    JSON.stringify(content);
  } catch (error) {
    throw new CliError(`${shown}:${lineOfAlias(document, lines)}: The aliases (*name) stand for too much, or for what they are part of.`, {
      cause: error,
    });
  }
  return {
    content,
    lineOf(place) {
      let node: unknown = document.contents;
      let start = (node as Node | null)?.range?.[0];
      for (const key of place) {
        if (!isCollection(node)) break;
        const pair = isMap(node) ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key) : undefined;
        const keyNode = (pair?.key ?? node.get(key, true)) as Node | undefined;
        if (keyNode?.range === undefined) break;
        start = keyNode.range?.[0] ?? start;
        node = pair?.value ?? keyNode;
      }
      return start === undefined ? undefined : lines.linePos(start).line;
    },
  };
}

function lineOfAlias(document: Document, lines: LineCounter): number {
  let start = 0;
  visit(document, {
    Alias(_, { range }) {
      start = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return lines.linePos(start).line;
}

async function readModule(file: string, shown: string, loader: ModuleLoader): Promise<ReadFile> {
  const { default: content } = await loader.load(file);
  if (!isRecord(content))
    throw new CliError(`${shown} does not export a gateway.`, {
      fix: "Write: import { defineGateway } from '@toolpact/cli/config'; export default defineGateway({ servers: { … } });",
    });
  return { content, lineOf: () => undefined };
}

/** Puts variables of the environment into texts. One that is not set is a mistake: a server would get half of a credential. */
function fillIn(value: unknown, env: Readonly<Record<string, string | undefined>>, place: Place): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = env[name];
      if (value === undefined) throw new ToolpactError('invalid_option', `the variable ${name} is not set`, { place: [...place] });
      return value;
    });
  if (Array.isArray(value)) return value.map((item, at) => fillIn(item, env, [...place, at]));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, env, [...place, key])]));
}

/** Programs are started in the folder of the file, so that paths in it mean the same wherever the gateway is started. */
function inFolder(target: GatewayTarget, folder: string): GatewayTarget {
  if (!isRecord(target) || !('command' in target)) return target;
  const { cwd = '.' } = target as { readonly cwd?: unknown };
  return typeof cwd === 'string' ? ({ ...(target as object), cwd: resolve(folder, cwd) } as GatewayTarget) : target;
}
