import { basename, dirname, join, resolve } from 'node:path';
import type { GatewayTarget } from '@toolpact/server';
import { usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { lockFile } from '../commands/run-lock.ts';
import { type GatewayFile, readGatewayFile } from './gateway-file.ts';

/** The servers that a command line names: in a file, or one of them by its address or its command. */
export interface WrappedServers extends GatewayFile {
  /** The folder from which the paths of the store and of the lock file are taken: that of the file, or the current one. */
  readonly folder: string;
  /** The file that keeps the contracts of their tools. */
  readonly lock: string;
  /** Says of a mistake where it stands. */
  readonly explain: (error: unknown) => unknown;
}

/** Reads which servers are to be wrapped. */
export async function readWrappedServers({ words, flags, terminal, loader }: Given): Promise<WrappedServers> {
  const { cwd, env } = terminal;
  const config = flags.get('config') as string | undefined;
  const named = flags.get('lock') as string | undefined;
  const [first, ...args] = words;
  if (config !== undefined) {
    if (first !== undefined) throw usageError('Name the servers in the file or in the command line, not in both.');
    const loaded = await readGatewayFile(config, cwd, env, loader);
    const folder = dirname(loaded.file);
    return { ...loaded, folder, lock: named === undefined ? join(folder, lockFile) : resolve(cwd, named) };
  }
  if (first === undefined)
    throw usageError(
      'toolpact wrap needs a server.',
      'toolpact wrap -- npx -y some-mcp-server, toolpact wrap https://…/mcp, or toolpact wrap --config gateway.yaml',
    );
  const explain = (error: unknown): unknown => error;
  // The lock file of a project is about its own tools.
  const places = { explain, folder: cwd, lock: resolve(cwd, named ?? join('.toolpact', lockFile)) };
  if (/^https?:\/\//i.test(first)) {
    if (args.length > 0)
      throw usageError(`toolpact wrap does not take "${args[0]}".`, 'Several servers are named in a file: --config gateway.yaml.');
    const headers = headersOf(flags.get('header') as readonly string[] | undefined);
    return { servers: { [nameOfUrl(first)]: { url: first, headers } }, ...places };
  }
  return { servers: { [nameOfCommand(words)]: { command: first, args, cwd, env: variablesFor(env) } satisfies GatewayTarget }, ...places };
}

/** A program that is started in its client's place gets the variables that the client gave it, and none of ours. */
function variablesFor(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || name.startsWith('TOOLPACT_') ? [] : [[name, value]])),
  );
}

function headersOf(given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((header) => {
      const at = header.indexOf(':');
      if (at < 1) throw usageError(`--header needs a name and a value, such as --header "Authorization: Bearer …".`);
      return [header.slice(0, at).trim(), header.slice(at + 1).trim()];
    }),
  );
}

function nameOfUrl(url: string): string {
  const { hostname } = new URL(url);
  const parts = hostname.split('.').filter((part) => !['www', 'mcp', 'api'].includes(part));
  return toName(/^[\d.]+$/.test(hostname) ? hostname : (parts[0] ?? hostname));
}

/** Programs that start others, and names of programs and folders that do not identify a server. */
const runners = new Set('npx bunx uvx uv pnpm yarn node python python3 deno bun docker run dlx exec cmd'.split(' '));
const plainNames = new Set('index main cli server stdio app start mcp mcp-server mcp-cli dist build out lib src bin'.split(' '));

/**
 * Names a program by what it starts: `npx -y @modelcontextprotocol/server-filesystem ~/notes` is `filesystem`, and so is
 * `node node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`.
 */
function nameOfCommand(words: readonly string[]): string {
  const subject =
    words.find((word) => !word.startsWith('-') && !runners.has(basename(word).replace(/\.exe$/i, ''))) ?? words[0] ?? 'server';
  const parts = subject
    .replace(/(.)@[^@/]*$/, '$1')
    .replace(/\.[cm]?[jt]s$|\.py$/, '')
    .split(/[\\/]/)
    .map((part) => part.replace(/^@/, ''));
  const base = parts.findLast((part) => part !== '' && !plainNames.has(part)) ?? parts.at(-1) ?? 'server';
  return toName(base.replace(/^(mcp-)?server-/, '').replace(/-(mcp-)?server$|^mcp-|-mcp$/g, ''));
}

/** A whole program may stand where the name of one usually does: `node -e '…'`. */
function toName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  return (/^[A-Za-z]/.test(name) ? name : `s_${name}`).slice(0, 32);
}
