import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

/**
 * The whole test command has built the package just before and made few files of the build: a start of these takes half the work of one of the
 * build, and that a third less than one of the sources.
 */
const { TEST_BUNDLED: bundled, TEST_THE_BUILD: isBuilt } = process.env;

/** Where programs of the tests find a module of Toolpact, named by its place in src without its ending. */
export function moduleOf(name: string): string {
  if (bundled !== undefined) return pathToFileURL(join(bundled, `${name}.js`)).href;
  return new URL(isBuilt === '1' ? `../../dist/${name}.js` : `../../src/${name}.ts`, import.meta.url).href;
}

/** Where tool files of the tests find Toolpact. */
export const toolpact = moduleOf('index');
/** The program of the command line. */
export const main = fileURLToPath(moduleOf('apps/cli/main'));
/** A command that takes longer hangs. */
const patienceMs = 45_000;

/** What a command left behind. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess;
  /** Resolves with everything said so far once it matches. */
  readonly until: (pattern: RegExp, where?: 'stdout' | 'stderr') => Promise<RegExpMatchArray>;
  readonly ended: Promise<Ran>;
}

interface Options {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly nodeArguments?: readonly string[];
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

/** Runs the command line as a process of its own, to its end. */
export function run(words: readonly string[], options: Options = {}): Promise<Ran> {
  const { child, ended } = start(words, options);
  child.stdin?.end(options.input ?? '');
  return ended;
}

/** Starts the command line as a process of its own. It is killed with its test at the latest. */
export function start(words: readonly string[], { cwd = folderWith(), env = {}, nodeArguments = [] }: Options = {}): Running {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TOOLPACT_|NO_COLOR|FORCE_COLOR|CI$|NODE_|VITEST)/.test(name)),
  );
  const child = spawn(process.execPath, [...nodeArguments, main, ...words], { cwd, env: { ...inherited, ...env }, stdio: 'pipe' });
  const said = { stdout: '', stderr: '' };
  let wake: () => void = () => undefined;
  for (const where of ['stdout', 'stderr'] as const) {
    child[where].setEncoding('utf8').on('data', (text: string) => {
      said[where] += text;
      wake();
    });
  }
  child.stdin.on('error', () => undefined);
  const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, ...said });
      wake();
    });
  });
  onTestFinished(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const until = async (pattern: RegExp, where: 'stdout' | 'stderr' = 'stderr'): Promise<RegExpMatchArray> => {
    for (;;) {
      const found = pattern.exec(said[where]);
      if (found !== null) return found;
      if (child.exitCode !== null) throw new Error(`ended without ${pattern}: ${JSON.stringify(said)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return { child, until, ended };
}

/** The text of a tool file with one tool that says something. */
export function helloFile(says: string): string {
  return `import { defineTool } from ${JSON.stringify(toolpact)};
export const hello = defineTool({ name: 'hello', description: 'Says hello.', effects: 'none', run: (): string => ${JSON.stringify(says)} });
`;
}

/** The text of a tool file with the tools of the sandbox pack, which read the documents of the folder. */
export const ragFile = `import { createSandbox } from ${JSON.stringify(moduleOf('edges/packs/sandbox/index'))};
export const { tools, resources } = createSandbox({ documents: { path: '.toolpact/documents.db' } });
`;

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
