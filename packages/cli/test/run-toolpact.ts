import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { createTerminal, type ParentProcess } from '../src/print/terminal.ts';
import { builtEntry, loadSources } from './load-sources.ts';

afterAll(loadSources());

/** Where tool files of the tests find the library. */
export const toolpact = builtEntry('toolpact');
/** The program of the command line. */
export const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The exit code of a command and all that it wrote. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly stdin: Writable;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with the match once what was said so far matches. */
  readonly until: (pattern: RegExp, where?: 'stdout' | 'stderr') => Promise<RegExpMatchArray>;
  readonly ended: Promise<Ran>;
}

export interface Options {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

interface StartOptions extends Options {
  readonly parent?: ParentProcess;
}

/** Makes a folder with files, which goes away with the test. */
export function folderWith(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-cli-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs a command in this process, to its end. */
export function run(words: readonly string[], options: Options = {}): Promise<Ran> {
  const { stdin, ended } = start(words, options);
  stdin.end(options.input ?? '');
  return ended;
}

/** Starts a command in this process. It is asked to stop with its test at the latest. */
export function start(words: readonly string[], { cwd = folderWith(), env = {}, parent }: StartOptions = {}): Running {
  const output = watchOutput();
  const signals = new EventEmitter();
  const stdin = new PassThrough();
  const terminal = createTerminal(words, {
    stdout: new Writable({
      write(chunk: Uint8Array, _, done) {
        output.add('stdout', String(chunk));
        done();
      },
    }),
    say: (text) => output.add('stderr', text),
    stdin,
    env: { ...env },
    cwd,
    signals,
    exit: output.end,
    parent,
    isTTY: { stdout: false, stderr: false },
  });
  void loadCli().runCli(words, terminal, '1.2.3').then(output.end);
  onTestFinished(async () => {
    stdin.end();
    signals.emit('SIGINT');
    await output.ended;
  });
  return { stdin, kill: (signal) => void signals.emit(signal), until: output.until, ended: output.ended };
}

/**
 * Gives the sources of the command line, loaded by Node and not by vitest: the files with tools are loaded by Node as well, and have to find
 * the same library.
 */
function loadCli(): typeof import('../src/run-cli.ts') {
  return createRequire(import.meta.url)('../src/run-cli.ts');
}

/** Keeps what a command says, for those who wait for it. */
export function watchOutput(): Pick<Running, 'until' | 'ended'> & {
  readonly add: (where: 'stdout' | 'stderr', text: string) => void;
  readonly end: (code: number | null) => void;
} {
  const said = { stdout: '', stderr: '' };
  const { promise: ended, resolve } = Promise.withResolvers<Ran>();
  let isOver = false;
  let wake: () => void = () => undefined;
  return {
    ended,
    add(where, text) {
      said[where] += text;
      wake();
    },
    end(code) {
      isOver = true;
      resolve({ code, ...said });
      wake();
    },
    async until(pattern, where = 'stderr') {
      for (;;) {
        const found = pattern.exec(said[where]);
        if (found !== null) return found;
        if (isOver) throw new Error(`ended without ${pattern}: ${JSON.stringify(said)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

/** The text of a tool file with one tool that says something. */
export function helloFile(says: string): string {
  return `import { defineTool } from ${JSON.stringify(toolpact)};
export const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: (): string => ${JSON.stringify(says)} });
`;
}

/** Calls a tool of a server over HTTP. */
export async function post(
  url: string,
  tool: string,
  args: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${url}/v1/tools/${tool}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(args),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
