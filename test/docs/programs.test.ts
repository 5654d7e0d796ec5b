import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installed, installPacked } from './fresh-folder.ts';
import { type Block, blocksOf } from './programs.ts';

/** Every block of these pages is pasted into a folder of its own and run there. Blocks see the files that the page wrote before. */
const pages = [
  'README.md',
  'docs/getting-started.md',
  'docs/serving.md',
  'docs/testing.md',
  'docs/approvals.md',
  'docs/mounting.md',
  'docs/inspector.md',
];
/** Lines that the test has done already, or that are for the repository itself. */
const done = /^npm (install|init)\b/;
/** Commands that run until they are stopped. */
const lasting = /npx toolpact (dev|serve)\b/;

let installed: Installed;
beforeAll(() => {
  installed = installPacked();
});
afterAll(() => installed.remove());

test.each(pages.flatMap((page) => blocksOf(page).map((block, index) => [page, index + 1, block] as const)))(
  '%s, block %i runs as pasted',
  async (page, index, block) => {
    const folder = installed.folder();
    for (const before of blocksOf(page).slice(0, index - 1)) write(before, folder);
    const output = block.language === 'ts' ? await runProgram(block, folder) : await runCommands(block, folder);
    expect(block.prints.filter((line) => !output.includes(line))).toEqual([]);
  },
);

test('every program compiles as a reader would write it', () => {
  const folder = installed.folder();
  for (const page of pages) {
    const name = page.replace(/\W/g, '-');
    for (const [index, block] of blocksOf(page).entries())
      if (block.language === 'ts') write({ ...block, file: block.file ?? `program-${index}.ts` }, join(folder, name));
  }
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  let complaints = '';
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    complaints = String((error as { stdout?: unknown }).stdout);
  }
  expect(complaints).toBe('');
});

test('the README has at most 1,000 words', () => {
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8').split(/\s+/).length).toBeLessThanOrEqual(1_000);
});

function write({ file, text }: Block, folder: string): void {
  if (file === undefined) return;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

async function runProgram(block: Block, folder: string): Promise<string> {
  const file = block.file ?? 'program.ts';
  write({ ...block, file }, folder);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file], { cwd: folder });
  return stdout;
}

async function runCommands({ text, fails }: Block, folder: string): Promise<string> {
  const printed: string[] = [];
  for (const line of text.split('\n')) {
    const command = line.replace(/\s+#.*$/, '').trim();
    if (command === '' || done.test(command)) continue;
    printed.push(lasting.test(command) ? await runUntilReady(command, folder) : await runLine(command, folder, fails));
  }
  return printed.join('\n');
}

/** What npx does with a package that is installed, without its half second. Nothing is there to be read from stdin. */
const prelude = 'npx() { "$@"; }; PATH="$PWD/node_modules/.bin:$PATH"; exec </dev/null; ';
/** Any free port: other tests listen, too. */
const env = { ...process.env, TOOLPACT_PORT: '0', npm_config_local_prefix: undefined };

/** Runs a line as a shell does; resolves with all that it printed. */
async function runLine(line: string, cwd: string, fails = false): Promise<string> {
  const ran = promisify(execFile)('bash', ['-c', prelude + line], { cwd, env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout?: string; stderr?: string }) => ({ failed: true, output: `${error.stdout ?? ''}${error.stderr ?? ''}` }),
  );
  const { failed, output } = await ran;
  expect([failed, output]).toEqual([fails, output]);
  return output;
}

/** Starts a server, and stops it as soon as it says where it listens. */
function runUntilReady(line: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-c', `${prelude}${line.replace('npx ', 'exec ')}`], { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/http:\/\/[\w.]+:\d+/.test(output)) child.kill('SIGTERM');
    });
  }
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) =>
      code === 0 || signal === 'SIGTERM' ? resolve(output) : reject(new Error(`${line} ended with ${code}: ${output}`)),
    );
  });
}
