import { hash } from 'node:crypto';
import { copyFileSync, existsSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from 'toolpact/internal';
import { CliError, cannotWrite, usageError } from '../cli-error.ts';
import type { Given } from '../commands/command.ts';
import { exitCodes } from '../exit-codes.ts';
import { askYesNo } from '../print/ask-yes-no.ts';
import { plainLine } from '../print/terminal.ts';
import { type ChangedClientFile, type ChangedStart, unwrapServers, wrapServers } from './client-file.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Clients whose settings can be rewritten, and where they keep them. */
const clients: Readonly<Record<string, (platform: NodeJS.Platform, home: string, env: Env) => string>> = {
  'claude-desktop'(platform, home, env) {
    if (platform === 'darwin') return join(home, 'Library/Application Support/Claude/claude_desktop_config.json');
    if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData/Roaming'), 'Claude', 'claude_desktop_config.json');
    return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Claude', 'claude_desktop_config.json');
  },
  cursor: (_, home) => join(home, '.cursor', 'mcp.json'),
};

/**
 * Puts the gateway before each server in the settings of a client, or takes it away again. What changes is shown first; the file as it was is kept
 * beside it.
 */
export async function runWriteConfig(given: Given): Promise<number> {
  const { flags, terminal, words } = given;
  const client = flags.get('write-config') as string;
  const isUndo = flags.get('undo') === true;
  if (words.length > 0)
    throw usageError(`--write-config wraps the servers that ${client} has already; name none.`, `toolpact wrap --write-config ${client}`);
  const file = clientFile(given, client);
  const backup = `${file}.before-toolpact`;
  const { text, content } = readClientFile(file, client);
  const folder = join(dirname(file), 'toolpact');
  const change: ChangedClientFile = isUndo
    ? unwrapServers(content)
    : wrapServers(content, {
        store: join(folder, 'calls.db'),
        lock: (server) => join(folder, `${fileNameOf(server)}.lock.json`),
        platform: process.platform,
      });
  for (const { server, why } of change.left) terminal.say(`${plainLine(server)} is left unchanged: ${why}.\n`);
  if (change.changed.length === 0) {
    terminal.say(`Nothing to change in ${file}.\n`);
    return exitCodes.done;
  }
  await terminal.out(`${file}\n${change.changed.map((one) => startText(given, one)).join('')}`);
  if (!(await askYesNo(terminal, `Change ${change.changed.length === 1 ? 'this server' : `these ${change.changed.length} servers`}?`))) {
    terminal.say('Nothing was changed.\n');
    return exitCodes.cannotRun;
  }
  try {
    if (isUndo) undo(file, backup, change.content);
    else {
      // The oldest one is how it was before any of this.
      if (!existsSync(backup)) copyFileSync(file, backup);
      replaceFile(file, format(change.content, text));
    }
  } catch (error) {
    throw cannotWrite(file, error);
  }
  const named = flags.get('client-file') === undefined ? '' : ` --client-file ${file}`;
  terminal.say(
    isUndo
      ? `Changed. Restart ${client}.\n`
      : `Changed; the old file is ${backup}. Restart ${client}. To undo: toolpact wrap --write-config ${client}${named} --undo\nIts calls: toolpact calls --store ${join(folder, 'calls.db')}\n`,
  );
  return exitCodes.done;
}

/** A name for the files of a server; servers with different names have different files, also where case does not count. */
function fileNameOf(server: string): string {
  const plain = server.replaceAll(/[^\w-]/g, '_');
  return /^[a-z\d_-]{1,64}$/.test(server) ? server : `${plain.slice(0, 64)}-${hash('sha256', server, 'hex').slice(0, 8)}`;
}

function clientFile({ flags, terminal }: Given, client: string): string {
  const named = flags.get('client-file') as string | undefined;
  if (named !== undefined) return resolve(terminal.cwd, named);
  const { env } = terminal;
  const find = clients[client] as (typeof clients)[string];
  return find(process.platform, env.HOME ?? env.USERPROFILE ?? homedir(), env);
}

function readClientFile(file: string, client: string): { readonly text: string; readonly content: Readonly<Record<string, unknown>> } {
  if (!existsSync(file))
    throw new CliError(`${client} has no file ${file}.`, { fix: 'Add a server in the client first, or name its file: --client-file.' });
  const text = readFileSync(file, 'utf8');
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (isRecord(content)) return { text, content };
  } catch (error) {
    throw new CliError(`${file} is not JSON, so it was left alone: ${(error as Error).message}`, { cause: error });
  }
  throw new CliError(`${file} must contain an object, so it was left alone.`);
}

/** Where nothing else was changed since, the file becomes what it was, to the letter. */
function undo(file: string, backup: string, content: object): void {
  const before = existsSync(backup) ? readFileSync(backup, 'utf8') : undefined;
  if (before !== undefined && JSON.stringify(JSON.parse(before.replace(/^\uFEFF/, ''))) === JSON.stringify(content)) {
    replaceFile(file, before);
    rmSync(backup);
  } else replaceFile(file, format(content, readFileSync(file, 'utf8')));
}

/** Writes JSON with the indentation that the file had. */
function format(content: object, before: string): string {
  const indent = /^[ \t]+(?=")/m.exec(before)?.[0] ?? 2;
  return `${JSON.stringify(content, null, indent)}\n`;
}

/** A client that reads the file meanwhile sees the old one or the new one. */
function replaceFile(named: string, text: string): void {
  // Of a link, the file that it leads to: people keep their settings elsewhere.
  const file = realpathSync(named);
  const draft = `${file}.${process.pid}.draft`;
  writeFileSync(draft, text, { mode: statSync(file).mode });
  renameSync(draft, file);
}

function startText({ terminal: { outPaint } }: Given, { server, before, after }: ChangedStart): string {
  const line = ({ command, args }: ChangedStart['before']): string => plainLine(JSON.stringify([command, ...args]));
  return `${outPaint('strong', plainLine(server))}\n${outPaint('bad', `  - ${line(before)}`)}\n${outPaint('good', `  + ${line(after)}`)}\n`;
}
