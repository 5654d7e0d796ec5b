// Packs the packages, installs them with other runtimes in fresh projects, and runs them there. Usage: node scripts/run.mjs proof runtimes
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { packPackages } from './fixtures/packed-packages.ts';
import { startProgram } from './runtimes/start-program.ts';

type Results = Readonly<Record<string, string>>;

/** One runtime: what is installed for it, and how it is tried in the folder of its project. */
interface Runtime {
  readonly packages: readonly string[];
  readonly tryIn: (folder: string) => Promise<Results>;
  /** Its limits, and the reasons. */
  readonly limits?: Results;
}

const programs = fileURLToPath(new URL('runtimes', import.meta.url));
const { npm_config_local_prefix: _, ...env } = process.env;
const run = (command: string, words: readonly string[], cwd: string): string =>
  execFileSync(command, words, { cwd, env: { ...env, NEXT_TELEMETRY_DISABLED: '1' }, encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 });
const parse = (text: string): Results => JSON.parse(text.trim().split('\n').at(-1) ?? '') as Results;
const node = [process.execPath, '--no-warnings'];

/** Tries the server that a program starts, and stops it. */
async function tryServer(folder: string, words: readonly string[], base: (output: string) => string | undefined): Promise<Results> {
  const program = await startProgram(words, folder, base);
  try {
    const inside = program.url.includes('/checks') ? parse(await (await fetch(program.url)).text()) : {};
    return { ...inside, ...parse(run(process.execPath, ['--no-warnings', 'run-checks.ts', program.url.replace(/\/checks$/, '')], folder)) };
  } finally {
    program.stop();
  }
}

/** Tries a runtime that runs files as Node does: by itself, as a server, and as a client of a server in Node. */
async function tryFiles(folder: string, [command = '', ...words]: readonly string[], file: string): Promise<Results> {
  const address = (output: string): string | undefined => /^http\S+/m.exec(output)?.[0];
  const inside = parse(run(command, [...words, 'run-checks.ts', 'calls.db'], folder));
  const served = await tryServer(folder, [command, ...words, file], address);
  const server = await startProgram([...node, 'serve-node.ts'], folder, address);
  try {
    const asked = Object.values(parse(run(command, [...words, 'run-checks.ts', server.url], folder)));
    return { ...inside, ...served, 'all of these as the client': asked.join('') };
  } finally {
    server.stop();
  }
}

const runtimes: Readonly<Record<string, Runtime>> = {
  [`Node ${process.versions.node}`]: { packages: [], tryIn: (folder) => tryFiles(folder, node, 'serve-node.ts') },
  'Bun 1.4.4': {
    packages: ['@oven/bun-linux-x64@1.4.4'],
    tryIn: (folder) => tryFiles(folder, [join(folder, 'node_modules/@oven/bun-linux-x64/bin/bun')], 'serve-bun.ts'),
  },
  'Deno 2.9.6': {
    packages: ['@deno/linux-x64-glibc@2.9.6'],
    tryIn: (folder) => tryFiles(folder, [join(folder, 'node_modules/@deno/linux-x64-glibc/deno'), 'run', '-A'], 'serve-deno.ts'),
  },
  'workerd 2026-11-10': {
    packages: ['@cloudflare/workerd-linux-64@1.20261110.1', 'esbuild@0.28.2'],
    limits: { 'client leaves a call': 'workerd says nothing of a client that leaves before the response has begun' },
    async tryIn(folder) {
      // As wrangler bundles.
      const options = ['--bundle', '--format=esm', '--conditions=workerd,worker,browser', '--external:node:*', '--outfile=worker.js'];
      run(join(folder, 'node_modules/@esbuild/linux-x64/bin/esbuild'), ['worker.ts', ...options], folder);
      const words = [join(folder, 'node_modules/@cloudflare/workerd-linux-64/bin/workerd'), 'serve', 'worker.capnp', '--control-fd=1'];
      return tryServer(folder, words, (output) => {
        const port = /"port":(\d+)/.exec(output)?.[1];
        return port && `http://127.0.0.1:${port}/checks`;
      });
    },
  },
  'Next.js 16.4.6': {
    packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', 'typescript@5.9.3', '@types/react@19', '@types/node@24'],
    async tryIn(folder) {
      const place = join(folder, 'app/tools/[...path]');
      mkdirSync(place, { recursive: true });
      for (const name of ['route.ts', 'inside.ts', 'tools.ts']) cpSync(join(programs, name), join(place, name));
      writeFileSync(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "allowImportingTsExtensions": true }, "include": ["app"] }');
      const next = join(folder, 'node_modules/next/dist/bin/next');
      run(process.execPath, [next, 'build'], folder);
      return tryServer(folder, [...node, next, 'start', '-p', '0', '-H', '127.0.0.1'], (output) => {
        const port = output.includes('Ready') ? /127\.0\.0\.1:(\d+)/.exec(output)?.[1] : undefined;
        return port && `http://127.0.0.1:${port}/tools/checks`;
      });
    },
  },
};

const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
const chosen = Object.entries(runtimes).filter(([name]) => only === undefined || name.toLowerCase().startsWith(only));
const base = mkdtempSync(join(tmpdir(), 'toolpact-runtimes-'));
const { packages, remove } = packPackages();
/** The imports of the programs, and their dependencies. */
const used = ['toolpact', '@toolpact/openapi', '@toolpact/server', '@toolpact/testing', '@toolpact/origins'];
const archives = packages.flatMap(({ name, archive }) => (used.includes(name) ? [archive] : []));
const columns: [string, Results][] = [];
try {
  for (const [name, { packages, tryIn }] of chosen) {
    const folder = join(base, name);
    mkdirSync(folder);
    for (const file of readdirSync(programs)) cpSync(join(programs, file), join(folder, file));
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    const always = [...archives, 'zod@4', '@modelcontextprotocol/client@2.4.0', '@opentelemetry/api@1'];
    try {
      run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...always, ...packages], folder);
      columns.push([name, await tryIn(folder)]);
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      columns.push([name, { 'it starts': `${stdout}${stderr}${String((error as Error).stack)}` }]);
    }
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  rmSync(base, { recursive: true, force: true });
  remove();
}
printTable(columns);

function printTable(columns: readonly [string, Results][]): void {
  const rows = [...new Set(columns.flatMap(([, results]) => Object.keys(results)))];
  const cell = (name: string, results: Results, row: string): string => {
    if (results[row] === undefined) return '–';
    if (results[row] === '') return 'yes';
    return runtimes[name]?.limits?.[row] === undefined ? 'BROKEN' : 'no';
  };
  console.log(`| | ${columns.map(([name]) => name).join(' | ')} |\n|---|${'---|'.repeat(columns.length)}`);
  for (const row of rows) console.log(`| ${row} | ${columns.map(([name, results]) => cell(name, results, row)).join(' | ')} |`);
  for (const [name, results] of columns) {
    for (const [row, why] of Object.entries(results).filter(([, why]) => why !== '')) {
      const known = runtimes[name]?.limits?.[row];
      if (known === undefined) process.exitCode = 1;
      console.log(`\n${name}, ${row}: ${known ?? why}`);
    }
  }
}
