// Packs the packages and installs them in fresh projects without flags: the library alone, all packages together, and the library beside each
// framework and beside each two of them. Usage: node scripts/run.mjs proof installs [--only alone|all|each|pairs]
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { packPackages } from './fixtures/packed-packages.ts';

/** The packages that a user of an adapter installs besides. */
const projects: Readonly<Record<string, string>> = {
  'ai-sdk': 'ai',
  'openai-agents': '@openai/agents',
  langchain: 'langchain @langchain/core @langchain/langgraph',
  mastra: '@mastra/core',
  adk: '@google/adk',
  genkit: 'genkit',
  strands: '@strands-agents/sdk',
  'tanstack-ai': '@tanstack/ai',
  mcp: '@modelcontextprotocol/client @modelcontextprotocol/sdk',
  openai: 'openai',
  anthropic: '@anthropic-ai/sdk',
  'google-genai': '@google/genai',
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const base = mkdtempSync(join(tmpdir(), 'toolpact-installs-'));
const { npm_config_local_prefix: _, ...env } = process.env;
const run = (command: string, words: readonly string[], cwd: string): string =>
  execFileSync(command, words, { cwd, env, encoding: 'utf8', stdio: 'pipe' });

/** npm may try versions without end where two packages contradict each other. */
const patienceMs = 300_000;

/** Installs as a reader does. Gives npm's complaints, apart from those about its own settings and about packages that a framework should replace. */
function install(packages: readonly string[], cwd: string, ...flags: readonly string[]): string | undefined {
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...flags, ...packages];
  const { status, stderr } = spawnSync('npm', words, { cwd, env, encoding: 'utf8', timeout: patienceMs });
  const complaints = stderr
    .split('\n')
    .filter((line) => /^npm (warn|error)/i.test(line) && !/Unknown \w+ config|warn deprecated/.test(line));
  return status === 0 && complaints.length === 0 ? undefined : `npm ended with ${status}\n${complaints.join('\n')}`;
}

/** Runs in a fresh project, which is removed afterwards. */
function inProject<TResult>(use: (folder: string) => TResult): TResult {
  const folder = join(base, 'project');
  mkdirSync(folder);
  try {
    run('npm', ['init', '-y'], folder);
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Installs packages and checks what must hold then; gives the complaint. */
function tryWith(packages: readonly string[], check: (folder: string) => void): string | undefined {
  return inProject((folder) => {
    const complaint = install(packages, folder);
    if (complaint !== undefined) return complaint;
    try {
      check(folder);
      return undefined;
    } catch (error) {
      return String((error as { stderr?: unknown }).stderr ?? error);
    }
  });
}

function runProgram(text: string, folder: string): string {
  return run(process.execPath, ['--input-type=module', '-e', text], folder);
}

/** The library brings nothing with it, works without any optional peer, says which one an entry needs, and how the command line is installed. */
function checkAlone(folder: string): void {
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['toolpact'],
  );
  const program = `import { classify } from 'toolpact';
    const missing = await import('toolpact/telemetry').catch((error) => error.code);
    console.log(classify(new Error('connect ECONNREFUSED')).kind, missing);`;
  assert.equal(runProgram(program, folder), 'unreachable missing_package\n');
  const { status, stdout, stderr } = spawnSync('npx', ['toolpact', 'call', 'add'], { cwd: folder, env, encoding: 'utf8' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /npm install .*@toolpact\/cli/);
}

/** Every entry loads, or says which package it needs; the command line runs by both of its names. */
function checkAll(folder: string): void {
  const entries = packages.flatMap(({ name }) => {
    const { exports = {} } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as {
      readonly exports?: Readonly<Record<string, unknown>>;
    };
    return Object.keys(exports)
      .filter((path) => !path.endsWith('.json'))
      .map((path) => `${name}${path.slice(1)}`);
  });
  const program = `for (const entry of ${JSON.stringify(entries)})
      await import(entry).catch((error) => error.code === 'missing_package' || console.log(entry, error));`;
  assert.equal(runProgram(program, folder), '');
  for (const command of ['toolpact', 'toolpact-cli']) {
    const sum = run('npx', [command, 'call', 'add', '{"a":2,"b":3}', '--sample', '--store', 'memory'], folder);
    assert.deepEqual(JSON.parse(sum), { sum: 5 });
  }
}

/** Serves the sample tools with what npx fetches, in a folder that is no project. Gives the complaint. */
async function tryWithoutProject(archives: readonly string[]): Promise<string | undefined> {
  const folder = join(base, 'nothing');
  mkdirSync(folder);
  const words = ['-y', ...archives.flatMap((archive) => ['-p', archive]), '--', 'toolpact-cli', 'dev', '--sample', '--port', '0'];
  // A group of its own, because npx starts it through a shell, and only the whole group stops.
  const child = spawn('npx', words, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): boolean => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM');
  const timer = setTimeout(stop, 60_000);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      said += String(text);
      if (said.includes('Ctrl-C stops')) stop();
    });
  }
  await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  return said.includes('Toolpact is ready') ? undefined : said;
}

function printResult(name: string, complaint: string | undefined): void {
  if (complaint !== undefined) process.exitCode = 1;
  console.log(complaint === undefined ? `ok      ${name}` : `FAILED  ${name}\n${complaint}`);
}

/** Resolves the packages without downloading them. */
function resolve(packages: readonly string[]): string | undefined {
  return inProject((folder) => install(packages, folder, '--package-lock-only', '--prefer-offline'));
}

const { packages, remove } = packPackages();
const archives = packages.map(({ archive }) => archive);
const [library = ''] = archives;
const adapters = Object.keys(projects);
const packagesOf = (adapter: string): string[] => projects[adapter]?.split(' ') ?? [];

if (only === undefined || only === 'alone') printResult('alone', tryWith([library], checkAlone));
if (only === undefined || only === 'all') printResult('all packages', tryWith([...archives, 'zod'], checkAll));

if (only === undefined || only === 'all') printResult('without a project', await tryWithoutProject(archives));

if (only === undefined || only === 'each') {
  for (const adapter of adapters) {
    const load = (folder: string) => void runProgram(`await import('toolpact/adapters/${adapter}');`, folder);
    const frameworks = ['zod', ...packagesOf(adapter)];
    const complaint = tryWith([library, ...frameworks], load);
    const isOurs = complaint === undefined || resolve(frameworks) === undefined;
    if (isOurs) printResult(adapter, complaint);
    else console.log(`-       ${adapter}: it does not install without Toolpact either\n${complaint}`);
  }
}

if (only === undefined || only === 'pairs') {
  const width = Math.max(...adapters.map((adapter) => adapter.length)) + 2;
  const details: string[] = [];
  console.log(
    '\nEvery two frameworks with Toolpact: ok, - where the two do not install without it either, FAILED where only it is in the way',
  );
  console.log(['', ...adapters].map((adapter) => adapter.padEnd(width)).join(''));
  for (const [row, first] of adapters.entries()) {
    const cells = adapters.slice(0, row).map((second) => {
      const frameworks = ['zod', ...packagesOf(first), ...packagesOf(second)];
      const complaint = resolve([library, ...frameworks]);
      if (complaint === undefined) return 'ok';
      const isOurs = resolve(frameworks) === undefined;
      const why = /Could not resolve dependency:\n(?:npm error )?(.+)/.exec(complaint)?.[1] ?? complaint;
      details.push(isOurs ? `${first} and ${second}, only with Toolpact: ${complaint}` : `${first} and ${second}: ${why}`);
      return isOurs ? 'FAILED' : '-';
    });
    if (cells.includes('FAILED')) process.exitCode = 1;
    console.log([first, ...cells].map((cell) => cell.padEnd(width)).join(''));
  }
  for (const detail of details) console.log(detail);
}
rmSync(base, { recursive: true, force: true });
remove();
