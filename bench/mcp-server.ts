// `tools/call` over HTTP next to the official SDK's own servers; alone: node bench/mcp-server.ts [--rounds <n>] [--seconds <n>] [--only <word>]
import './resolve-peers.ts';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Finding } from './finding.ts';
import { toTable } from './to-table.ts';

const file = fileURLToPath(import.meta.url);
const connections = 32;
const leastTimes = 8;
const input = z.object({ a: z.number(), b: z.number() });
const output = z.object({ sum: z.number() });
const info = { name: 'bench', version: '1.0.0' };
const content = (sum: number) => [{ type: 'text' as const, text: JSON.stringify({ sum }) }];

type Era = 'modern' | 'legacy';
interface Contestant {
  readonly era: Era;
  readonly serve: () => Promise<number>;
  /** The server of the SDK that this one is held to be faster than. */
  readonly rival?: string;
}

/** Contestants by name: each listens on a free port of this machine and tells which. The first is the bare minimum. */
const contestants: Readonly<Record<string, Contestant>> = {
  'node:http, bare': { era: 'modern', serve: serveBare },
  'SDK 2, createMcpHandler, 2026-07-28': { era: 'modern', serve: serveHandler },
  'SDK 2, createMcpHandler, 2025-11-25': { era: 'legacy', serve: serveHandler },
  'SDK 1, stateless, 2025-11-25': { era: 'legacy', serve: serveFirst },
  'toolpact, 2026-07-28': { era: 'modern', serve: () => serveToolpact(true), rival: 'SDK 2, createMcpHandler, 2026-07-28' },
  'toolpact, 2025-11-25': { era: 'legacy', serve: () => serveToolpact(true), rival: 'SDK 2, createMcpHandler, 2025-11-25' },
  'toolpact, no fast path, 2026-07-28': { era: 'modern', serve: () => serveToolpact(false) },
};

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const plainHeaders = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const requests: Readonly<Record<Era, { readonly headers: Record<string, string>; readonly body: string }>> = {
  modern: {
    headers: { ...plainHeaders, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' },
    body: toBody(modernMeta),
  },
  legacy: { headers: { ...plainHeaders, 'mcp-protocol-version': '2025-11-25' }, body: toBody(undefined) },
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const [served] = positionals;
if (served === undefined) await compare();
else await serveAs(served);

async function compare(): Promise<void> {
  console.log(toTable([{ title: `MCP tools/call, ${connections} connections`, findings: await race() }]));
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
  const names = Object.keys(contestants).filter((name) => name.includes(options.only) || name.startsWith('node:http'));
  const children = await Promise.all(names.map(start));
  const shots = new Map<string, Shot[]>(names.map((name) => [name, []]));
  const cpu = new Map<string, number[]>(names.map((name) => [name, []]));
  for (const [place, { url }] of children.entries()) {
    await checkAnswer(names[place] ?? '', url);
    await fire(names[place] ?? '', url, 1);
  }
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const place = (round + turn) % names.length;
      const { child, url } = children[place] as Child;
      const before = await askCpu(child);
      const shot = await fire(names[place] ?? '', url, Number(options.seconds));
      cpu.get(names[place] ?? '')?.push(((await askCpu(child)) - before) / shot.requests.total);
      if (shot.non2xx + shot.errors > 0) throw new Error(`${names[place]} failed ${shot.non2xx + shot.errors} times`);
      shots.get(names[place] ?? '')?.push(shot);
    }
  }
  for (const { child } of children) child.kill();
  const median = (name: string): number => {
    const sorted = (shots.get(name) ?? []).map(({ requests: { average } }) => average).sort((a, b) => b - a);
    return sorted[sorted.length >> 1] ?? Number.NaN;
  };
  const cpuUs = (name: string): number => Math.min(...(cpu.get(name) ?? []));
  return names.map((name) => {
    const { rival } = contestants[name] as Contestant;
    const times = rival === undefined ? undefined : median(name) / median(rival);
    const p99 = Math.min(...(shots.get(name) ?? []).map(({ latency }) => latency.p99));
    const share = (median(name) / median(names[0] ?? '')).toFixed(3);
    const more = times === undefined ? '' : `, ${times.toFixed(1)} × ${rival} (by CPU ${(cpuUs(rival ?? '') / cpuUs(name)).toFixed(1)} ×)`;
    return {
      name,
      found: `${Math.round(median(name)).toLocaleString('en')}/s by median, ${share} of bare${more}, p99 ${p99} ms, CPU ${cpuUs(name).toFixed(0)} µs`,
      ...(times !== undefined && { target: `≥ ${leastTimes} ×`, met: times >= leastTimes }),
    };
  });
}

/** A contestant that answers anything else than the sum is not in the race. */
async function checkAnswer(name: string, url: string): Promise<void> {
  const { headers, body } = requests[contestants[name]?.era ?? 'modern'];
  const text = await (await fetch(url, { method: 'POST', headers, body })).text();
  if (!text.includes('"structuredContent":{"sum":3}')) throw new Error(`${name} answers ${text}`);
}

async function fire(name: string, url: string, duration: number): Promise<Shot> {
  const packageName = 'autocannon';
  const { default: autocannon } = (await import(packageName)) as { default: (options: object) => Promise<Shot> };
  return autocannon({ url, connections, method: 'POST', duration, ...requests[contestants[name]?.era ?? 'modern'] });
}

interface Child {
  readonly child: ChildProcess;
  readonly url: string;
}

async function start(name: string): Promise<Child> {
  const child = fork(file, [name], { execArgv: ['--disable-warning=ExperimentalWarning'] });
  const port = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}`)));
  });
  return { child, url: `http://127.0.0.1:${port}/mcp` };
}

/** What a process has used of the processor: tells the same on a busy machine and on an idle one. */
function askCpu(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (used) => resolve(used as number));
    child.send('cpu');
  });
}

/** The child's side. */
async function serveAs(name: string): Promise<void> {
  process.send?.(await contestants[name]?.serve());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
  process.once('disconnect', () => process.exit(0));
}

async function listenWith(listener: RequestListener): Promise<number> {
  const http = createHttpServer(listener);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return (http.address() as AddressInfo).port;
}

/** What cannot be done without: reading JSON, checking the arguments and the result, writing JSON. */
function serveBare(): Promise<number> {
  return listenWith((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, params } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id: number; params: { arguments: unknown } };
      const { a, b } = input.parse(params.arguments);
      const structuredContent = output.parse({ sum: a + b });
      const result = { content: content(structuredContent.sum), structuredContent, resultType: 'complete' };
      const text = JSON.stringify({ jsonrpc: '2.0', id, result });
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      response.end(text);
    });
  });
}

async function serveHandler(): Promise<number> {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  const { getRequestListener } = await import('@hono/node-server');
  const { fetch: handle } = createMcpHandler(() => {
    const server = new McpServer(info);
    server.registerTool('add', { description: 'Adds.', inputSchema: input, outputSchema: output }, ({ a, b }) => ({
      content: content(a + b),
      structuredContent: { sum: a + b },
    }));
    return server;
  });
  return listenWith(getRequestListener((request) => handle(request), { overrideGlobalObjects: false }) as RequestListener);
}

async function serveFirst(): Promise<number> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  return listenWith((request, response) => {
    const server = new McpServer(info);
    server.registerTool('add', { description: 'Adds.', inputSchema: input.shape, outputSchema: output.shape }, ({ a, b }) => ({
      content: content(a + b),
      structuredContent: { sum: a + b },
    }));
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined as never });
    response.on('close', () => void server.close());
    void server.connect(transport as never).then(() => transport.handleRequest(request, response));
  });
}

async function serveToolpact(fastPath: boolean): Promise<number> {
  const [{ createToolbox, defineTool }, { createServer }, { listen }] = await load();
  const add = defineTool({ name: 'add', description: 'Adds.', input, output, effects: 'none', run: ({ a, b }) => ({ sum: a + b }) });
  const { port } = await listen(createServer(createToolbox([add]), { mcp: { fastPath } }), { port: 0 });
  return port;
}

type Loaded = [
  typeof import('../src/index.ts'),
  typeof import('../src/edges/server/index.ts'),
  typeof import('../src/edges/server/node/listen.ts'),
];

/** What is published, where it is built. */
async function load(): Promise<Loaded> {
  const isBuilt = existsSync(new URL('../dist/edges/server/mcp-routes.js', import.meta.url));
  const [folder, ending] = isBuilt ? ['dist', 'js'] : ['src', 'ts'];
  const modules = ['index', 'edges/server/index', 'edges/server/node/listen'].map((name) => import(`../${folder}/${name}.${ending}`));
  return (await Promise.all(modules)) as Loaded;
}

function toBody(meta: object | undefined): string {
  const params = { name: 'add', arguments: { a: 1, b: 2 }, ...(meta !== undefined && { _meta: meta }) };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
}
