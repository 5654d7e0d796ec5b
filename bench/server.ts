// The tool server next to bare handlers that do the same work; alone: node bench/server.ts [--rounds <n>] [--seconds <n>] [--calls <n>] [--only <word>]
import './resolve-peers.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, generateKeyPairSync, timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';
import type { Finding } from './finding.ts';
import { toTable } from './to-table.ts';

const file = fileURLToPath(import.meta.url);
const connections = 32;
const maxStartMs = 400;
const maxGrowthMb = 1;
const key = 'tpk_0123456789abcdef0123456789abcdef';
const body = '{"a":1,"b":2}';
const issuer = 'https://issuer.example';
const audience = 'tools';
const input = z.object({ a: z.number(), b: z.number() });
const output = z.object({ sum: z.number() });

/** One kind of request: who answers it, and who answers it with nothing but the same work. */
interface Row {
  readonly name: string;
  readonly ours: string;
  readonly bare: string;
  readonly least: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives every request a key of its own. */
  readonly isKeyed?: boolean;
}

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const rows: readonly Row[] = [
  { name: 'plain', ours: 'toolpact', bare: 'bare', least: 0.7 },
  {
    name: 'Accept: application/json, text/event-stream',
    ours: 'toolpact',
    bare: 'bare, events',
    least: 0.6,
    headers: { accept: 'application/json, text/event-stream' },
  },
  { name: 'traceparent', ours: 'toolpact', bare: 'bare, trace', least: 0.6, headers: { traceparent } },
  { name: 'Idempotency-Key, memory store', ours: 'toolpact, keys', bare: 'bare, keys', least: 0.6, isKeyed: true },
  { name: 'API key', ours: 'toolpact, API key', bare: 'bare, API key', least: 0.6, headers: { 'x-api-key': key } },
  { name: 'JWT', ours: 'toolpact, JWT', bare: 'bare, JWT', least: 0.6, headers: { authorization: 'Bearer <token>' } },
  { name: "server.fetch under hono's listener", ours: 'toolpact, fetch', bare: 'bare, fetch', least: 0.6 },
  { name: 'hono, bare (shown only)', ours: 'hono', bare: 'bare', least: 0 },
];
/** No header makes a call more than this many times as expensive as a plain one, the verification of tokens aside. */
const maxTimes = 1.5;
let keys = 0;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    calls: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
  },
});
// Children inherit the key with which tokens are signed.
process.env.BENCH_JWK ??= JSON.stringify(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }));
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

interface Lap {
  readonly rate: number;
  readonly cpuUs: number;
}

/** Lets ours and the bare handler of each row answer in turns, each in a process of its own. */
async function race(): Promise<Finding[]> {
  const { token } = await createTokens();
  const names = [...new Set(rows.flatMap(({ ours, bare }) => [ours, bare]))];
  const children = new Map<string, Child>();
  for (const name of names) children.set(name, await start(name));
  const laps = new Map<string, Lap[]>();
  const run = async (row: Row, name: string, effort: Effort): Promise<Lap> => {
    const { child, url } = children.get(name) as Child;
    const before = await askChild(child, 'cpu');
    const shot = await fire(url, effort, row, token);
    if (shot.non2xx + shot.errors > 0) throw new Error(`${row.name}: ${name} failed ${shot.non2xx + shot.errors} times`);
    return { rate: shot.requests.average, cpuUs: ((await askChild(child, 'cpu')) - before) / shot.requests.total };
  };
  for (const row of rows) for (const name of [row.ours, row.bare]) await run(row, name, { amount: 20_000 });
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const row of rows) {
      const pair = round % 2 === 0 ? [row.ours, row.bare] : [row.bare, row.ours];
      for (const name of pair) {
        const lap = await run(row, name, { duration: Number(options.seconds) });
        const at = `${row.name}/${name}`;
        laps.set(at, [...(laps.get(at) ?? []), lap]);
      }
    }
  }
  for (const { child } of children.values()) child.kill();
  const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  // Whatever else the machine does can only add to the processor time of a lap, so the smallest is the truest.
  const least = (values: readonly number[]): number => Math.min(...values);
  const cpuOf = (row: Row, name: string): number => least((laps.get(`${row.name}/${name}`) ?? []).map(({ cpuUs }) => cpuUs));
  const rateOf = (row: Row, name: string): number => median((laps.get(`${row.name}/${name}`) ?? []).map(({ rate }) => rate));
  const [plain] = rows as [Row];
  return rows.map((row) => {
    const { name, ours, bare, least: goal } = row;
    // The processor time of the server counts: the rate also depends on the client and on whatever else the machine does.
    const share = cpuOf(row, bare) / cpuOf(row, ours);
    const times = cpuOf(row, ours) / cpuOf(plain, plain.ours);
    const isCheap = name === 'JWT' || name.includes('hono') || times <= maxTimes;
    return {
      name,
      found: `${cpuOf(row, ours).toFixed(1)} µs of processor (bare ${cpuOf(row, bare).toFixed(1)}): ${share.toFixed(2)} of bare, ${times.toFixed(2)} × plain; ${Math.round(rateOf(row, ours)).toLocaleString('en')}/s (bare ${Math.round(rateOf(row, bare)).toLocaleString('en')}/s, ${(rateOf(row, ours) / rateOf(row, bare)).toFixed(2)})`,
      ...(goal > 0 && { target: `≥ ${goal} of bare, ≤ ${maxTimes} × plain`, met: share >= goal && isCheap }),
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
    target: `≤ ${maxStartMs} ms`,
    met: least <= maxStartMs,
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
    target: `grows ≤ ${maxGrowthMb} MB`,
    met: growth <= maxGrowthMb,
  };
}

interface Effort {
  readonly duration?: number;
  readonly amount?: number;
}

async function fire(url: string, effort: Effort, row?: Row, token = ''): Promise<Shot> {
  const packageName = 'autocannon';
  const { default: autocannon } = (await import(packageName)) as { default: (options: object) => Promise<Shot> };
  const sent = Object.entries(row?.headers ?? {}).map(([name, value]) => [name, value.replace('<token>', token)]);
  const headers = { 'content-type': 'application/json', ...Object.fromEntries(sent) };
  const setupRequest = (request: { headers: object }) => {
    keys += 1;
    return { ...request, headers: { ...headers, 'idempotency-key': `key-${keys}` } };
  };
  return autocannon({ url, connections, method: 'POST', headers, body, ...(row?.isKeyed && { requests: [{ setupRequest }] }), ...effort });
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
  const port = await contestants()[name]?.();
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

/** Who answers, by name: each listens on a free port of this machine and gives it. */
function contestants(): Readonly<Record<string, () => Promise<number>>> {
  return {
    bare: () => serveBare({}),
    'bare, events': () => serveBare({ toText: (text) => `: the call has begun\n\nevent: outcome\ndata: ${text}\n\n` }),
    'bare, trace': () =>
      serveBare({
        check: async (read) => ({
          'x-trace-id': /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(read('traceparent') ?? '')?.[1] ?? '',
        }),
      }),
    'bare, keys': () => {
      const kept = new Map<string, unknown>();
      return serveBare({
        check: async (read) => {
          const sent = read('idempotency-key') ?? '';
          if (kept.size > 100_000) kept.clear();
          kept.set(sent, kept.get(sent) ?? {});
          return { 'idempotency-key': sent };
        },
      });
    },
    'bare, API key': () => {
      const expected = createHash('sha256').update(key).digest();
      return serveBare({
        check: async (read) => {
          if (
            !timingSafeEqual(
              createHash('sha256')
                .update(read('x-api-key') ?? '')
                .digest(),
              expected,
            )
          )
            throw new Error('no');
          return {};
        },
      });
    },
    'bare, JWT': async () => {
      const { jwks } = await createTokens();
      const { createLocalJWKSet, jwtVerify } = await import('jose');
      const verifyWith = createLocalJWKSet(jwks);
      return serveBare({
        check: async (read) => {
          await jwtVerify((read('authorization') ?? '').slice(7), verifyWith, { issuer, audience, algorithms: ['ES256'] });
          return {};
        },
      });
    },
    'bare, fetch': () =>
      serveFetch(async (request) => {
        const text = JSON.stringify(output.parse(await add(input.parse(await request.json()))));
        return new Response(text, { headers: { 'content-type': 'application/json' } });
      }),
    hono: serveHono,
    toolpact: () => serveToolpact({}),
    'toolpact, keys': async () => {
      const [{ idempotency }, { memoryStore }] = (await loadAll(['parts/guards/index', 'parts/stores/memory'])) as [
        typeof import('../src/parts/guards/index.ts'),
        typeof import('../src/parts/stores/memory.ts'),
      ];
      // Each round brings keys of its own, and a full store would refuse them.
      return serveToolpact({ use: [idempotency({ store: memoryStore({ maxRecords: 1_000_000, maxCharacters: 1_000_000_000 }) })] });
    },
    'toolpact, API key': () => serveToolpact({ auth: 'key' }),
    'toolpact, JWT': () => serveToolpact({ auth: 'jwt' }),
    'toolpact, fetch': () => serveToolpact({ isFetch: true }),
  };
}

/** Real tools wait for something, so the handler of all contestants is asynchronous. */
async function add({ a, b }: z.infer<typeof input>): Promise<z.infer<typeof output>> {
  return { sum: a + b };
}

/** Makes a token and the keys that verify it; the same in every process. */
async function createTokens(): Promise<{ readonly token: string; readonly jwks: { readonly keys: object[] } & JSONWebKeySet }> {
  const { importJWK, SignJWT } = await import('jose');
  const jwk = JSON.parse(process.env.BENCH_JWK ?? 'null') as JsonWebKey | null;
  const { d: _, ...publicJwk } = jwk as JsonWebKey & { d?: string };
  const claims = new SignJWT({ tenant_id: 'acme', scope: 'tools:call:add' }).setProtectedHeader({ alg: 'ES256', kid: 'k' });
  const token = await claims
    .setIssuer(issuer)
    .setAudience(audience)
    .setExpirationTime('1h')
    .sign(await importJWK(jwk as never, 'ES256'));
  return { token, jwks: { keys: [{ ...publicJwk, kid: 'k', alg: 'ES256' }] } as never };
}

type Check = (read: (name: string) => string | undefined) => Promise<Record<string, string>>;

async function serveBare({
  check,
  toText = (text) => text,
}: {
  readonly check?: Check;
  readonly toText?: (text: string) => string;
}): Promise<number> {
  const http = createHttpServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    const answer = async (): Promise<void> => {
      const more = check === undefined ? undefined : await check((name) => request.headers[name] as string | undefined);
      const text = toText(JSON.stringify(output.parse(await add(input.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')))))));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...more });
      response.end(text);
    };
    request.on('end', () => void answer());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

async function serveHono(): Promise<number> {
  const packageName = 'hono';
  const { Hono } = (await import(packageName)) as typeof import('hono');
  const app = new Hono().post('/v1/tools/add', async (context) =>
    context.json(output.parse(await add(input.parse(await context.req.json())))),
  );
  return serveFetch(async (request) => app.fetch(request));
}

async function serveFetch(fetch: (request: Request) => Promise<Response>): Promise<number> {
  const packageName = '@hono/node-server';
  const { serve } = (await import(packageName)) as typeof import('@hono/node-server');
  return new Promise((resolve) => serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)));
}

interface ServeOptions {
  readonly auth?: 'key' | 'jwt';
  readonly use?: readonly unknown[];
  readonly isFetch?: boolean;
}

async function serveToolpact({ auth, use = [], isFetch = false }: ServeOptions): Promise<number> {
  const [{ createToolbox, defineTool }, { apiKeys, createServer, hashApiKey, jwt }, { listen }] = await load();
  const tool = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: (given) => add(given) });
  const authenticators = {
    key: () => apiKeys([{ hash: hashApiKey(key), tenantId: 'acme', scopes: ['tools:call:add'] }]),
    jwt: async () => jwt({ issuer, audience, algorithms: ['ES256'], jwks: (await createTokens()).jwks }),
  };
  const server = createServer(
    createToolbox([tool], { use: use as never }),
    auth === undefined ? {} : { auth: await authenticators[auth]() },
  );
  return isFetch ? serveFetch(server.fetch) : (await listen(server, { port: 0 })).port;
}

type Loaded = [
  typeof import('../src/index.ts'),
  typeof import('../src/edges/server/index.ts'),
  typeof import('../src/edges/server/node/listen.ts'),
];

async function load(): Promise<Loaded> {
  return (await loadAll(['index', 'edges/server/index', 'edges/server/node/listen'])) as Loaded;
}

/** Loads what is published, where it is built. */
function loadAll(names: readonly string[]): Promise<unknown[]> {
  const [folder, ending] = isBuilt() ? ['dist', 'js'] : ['src', 'ts'];
  return Promise.all(names.map((name) => import(`../${folder}/${name}.${ending}`)));
}

function isBuilt(): boolean {
  return existsSync(new URL('../dist/edges/server/node/listen.js', import.meta.url));
}
