// The tool server next to bare handlers that do the same work; alone: node bench/server.ts [--rounds <n>] [--seconds <n>] [--calls <n>] [--only <word>]
import './resolve-peers.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Finding } from './finding.ts';
import { toTable } from './to-table.ts';

const file = fileURLToPath(import.meta.url);
const connections = 32;
const leastShare = 0.65;
const mostStartMs = 400;
const mostGrowthMb = 1;
const key = 'tpk_0123456789abcdef0123456789abcdef';
const body = '{"a":1,"b":2}';
const input = z.object({ a: z.number(), b: z.number() });
const output = z.object({ sum: z.number() });

/** Contestants by name: each listens on a free port of this machine and tells which. */
const contestants: Readonly<Record<string, () => Promise<number>>> = {
  'node:http, bare': serveBare,
  'hono, bare': serveHono,
  toolpact: () => serveToolpact({}),
  'toolpact, API key': () => serveToolpact({ isClosed: true }),
  'toolpact, no fast path': () => serveToolpact({ fastPath: false }),
};
/** Those that are held to the goal; the others are only shown. */
const judged = ['toolpact', 'toolpact, API key'];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    calls: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
  },
});
const [served] = positionals;
if (served === undefined) await compare();
else await serveAs(served);

async function compare(): Promise<void> {
  if ('speed'.includes(options.only))
    console.log(`${toTable([{ title: `POST /v1/tools/add, ${connections} connections`, findings: await race() }])}\n`);
  const facts: Finding[] = [];
  if ('start'.includes(options.only)) facts.push(await measureStart());
  if ('memory'.includes(options.only)) facts.push(await measureMemory(Number(options.calls)));
  console.log(toTable([{ title: 'The process', findings: facts }]));
  process.exit(0);
}

interface Shot {
  readonly requests: { readonly average: number; readonly total: number };
  readonly latency: { readonly p99: number };
  readonly non2xx: number;
  readonly errors: number;
}

/** Lets all contestants answer in turns, each in a process of its own, and starts with another one each round. */
async function race(): Promise<Finding[]> {
  const names = Object.keys(contestants);
  const children = await Promise.all(names.map(start));
  const shots = new Map<string, Shot[]>(names.map((name) => [name, []]));
  const cpu = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const { url } of children) await fire(url, { amount: 50_000 });
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const place = (round + turn) % names.length;
      const { child, url } = children[place] as Child;
      const before = await askChild(child, 'cpu');
      const shot = await fire(url, { duration: Number(options.seconds) });
      cpu.get(names[place] ?? '')?.push(((await askChild(child, 'cpu')) - before) / shot.requests.total);
      if (shot.non2xx + shot.errors > 0) throw new Error(`${names[place]} failed ${shot.non2xx + shot.errors} times`);
      shots.get(names[place] ?? '')?.push(shot);
    }
  }
  for (const { child } of children) child.kill();
  const rate = (name: string, pick: (sorted: readonly number[]) => number | undefined): number =>
    pick((shots.get(name) ?? []).map(({ requests }) => requests.average).sort((a, b) => b - a)) ?? Number.NaN;
  const best = (name: string): number => rate(name, (sorted) => sorted[0]);
  const median = (name: string): number => rate(name, (sorted) => sorted[sorted.length >> 1]);
  const [bare = ''] = names;
  return names.map((name) => {
    const share = median(name) / median(bare);
    const cpuUs = (of: string): number => Math.min(...(cpu.get(of) ?? []));
    const p99 = Math.min(...(shots.get(name) ?? []).map(({ latency }) => latency.p99));
    return {
      name,
      found: `${Math.round(best(name)).toLocaleString('en')}/s at best, ${Math.round(median(name)).toLocaleString('en')}/s by median, ${share.toFixed(2)} of bare (best: ${(best(name) / best(bare)).toFixed(2)}), p99 ${p99} ms, CPU ${cpuUs(name).toFixed(1)} µs (${(cpuUs(bare) / cpuUs(name)).toFixed(2)} of bare)`,
      ...(judged.includes(name) && { target: `≥ ${leastShare} of bare`, met: share >= leastShare }),
    };
  });
}

/** The time from starting a process to its first answer. */
async function measureStart(): Promise<Finding> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 5; time += 1) {
    const startedAt = performance.now();
    const { url, child } = await start('toolpact');
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await response.text();
    least = Math.min(least, performance.now() - startedAt);
    child.kill();
  }
  const built = isBuilt() ? '' : ', from source: not built';
  return {
    name: 'start-up to the first answer',
    found: `${least.toFixed(0)} ms${built}`,
    target: `≤ ${mostStartMs} ms`,
    met: least <= mostStartMs,
  };
}

async function measureMemory(calls: number): Promise<Finding> {
  const { url, child } = await start('toolpact');
  const heaps: number[] = [];
  for (const share of [0.1, 0.4, 0.5]) {
    await fire(url, { amount: Math.round(calls * share) });
    heaps.push(await askChild(child, 'heap'));
  }
  child.kill();
  const growth = (heaps.at(-1) ?? Number.NaN) - (heaps[0] ?? Number.NaN);
  return {
    name: `heap over ${calls.toLocaleString('en')} calls`,
    found: heaps.map((megabytes, index) => `${megabytes.toFixed(2)} MB at ${[10, 50, 100][index]} %`).join(', '),
    target: `grows ≤ ${mostGrowthMb} MB`,
    met: growth <= mostGrowthMb,
  };
}

async function fire(url: string, effort: { readonly duration?: number; readonly amount?: number }): Promise<Shot> {
  const packageName = 'autocannon';
  const { default: autocannon } = (await import(packageName)) as { default: (options: object) => Promise<Shot> };
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return autocannon({ url, connections, method: 'POST', headers, body, ...effort });
}

interface Child {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(name: string): Promise<Child> {
  const child = fork(file, [name], { execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'] });
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return { child, url: `http://127.0.0.1:${port}/v1/tools/add` };
}

/** Asks a child what it has used of the processor, in microseconds, or how many megabytes its heap holds after a collection. */
function askChild(child: ChildProcess, question: 'cpu' | 'heap'): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(Number(answer)));
    child.send(question);
  });
}

/** The child's side. */
async function serveAs(name: string): Promise<void> {
  const port = await contestants[name]?.();
  process.send?.(port);
  process.on('message', (question) => {
    const { user, system } = process.cpuUsage();
    // A collection throws compiled code away, so none happens while speed is measured.
    if (question === 'cpu') {
      process.send?.(user + system);
      return;
    }
    globalThis.gc?.();
    setImmediate(() => {
      globalThis.gc?.();
      process.send?.(process.memoryUsage().heapUsed / 2 ** 20);
    });
  });
  process.once('disconnect', () => process.exit(0));
}

async function serveBare(): Promise<number> {
  const http = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { a, b } = input.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      const text = JSON.stringify(output.parse({ sum: a + b }));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

async function serveHono(): Promise<number> {
  const { Hono } = await import('hono');
  const { serve } = await import('@hono/node-server');
  const app = new Hono().post('/v1/tools/add', async (context) => {
    const { a, b } = input.parse(await context.req.json());
    return context.json(output.parse({ sum: a + b }));
  });
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)));
}

async function serveToolpact({
  fastPath = true,
  isClosed = false,
}: {
  readonly fastPath?: boolean;
  readonly isClosed?: boolean;
}): Promise<number> {
  const [{ createToolbox, defineTool }, { apiKeys, createServer, hashApiKey }, { listen }] = await load();
  const add = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: ({ a, b }) => ({ sum: a + b }) });
  const auth = isClosed && { auth: apiKeys([{ hash: hashApiKey(key), tenantId: 'acme', scopes: ['tools:call:add'] }]) };
  const { port } = await listen(createServer(createToolbox([add]), { ...auth }), { port: 0, fastPath });
  return port;
}

type Loaded = [
  typeof import('../src/index.ts'),
  typeof import('../src/edges/server/index.ts'),
  typeof import('../src/edges/server/listen.ts'),
];

/** What is published, where it is built. */
async function load(): Promise<Loaded> {
  const [folder, ending] = isBuilt() ? ['dist', 'js'] : ['src', 'ts'];
  const modules = ['index', 'edges/server/index', 'edges/server/listen'].map((name) => import(`../${folder}/${name}.${ending}`));
  return (await Promise.all(modules)) as Loaded;
}

function isBuilt(): boolean {
  return existsSync(new URL('../dist/edges/server/listen.js', import.meta.url));
}
