import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from 'toolpact/extend';
import { z } from 'zod';

interface Walk {
  readonly name: string;
  /** Prepares the walk and returns the one call that is measured. */
  readonly prepare: () => Promise<() => Promise<unknown>>;
}

const packages = new URL('../packages/', import.meta.url);

const walks: readonly Walk[] = [
  { name: 'in process', prepare: async () => callInProcess({}) },
  { name: 'idempotent, SQLite', prepare: callIdempotently },
  { name: 'HTTP', prepare: callOverHttp },
  { name: 'MCP tools/call', prepare: callOverMcp },
];

/** Makes one call of each kind and names the source files in which a function ran, from V8's coverage. */
export async function traceWalks(): Promise<{ readonly name: string; readonly files: readonly string[] }[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const traced = [];
  for (const { name, prepare } of walks) {
    const call = await prepare();
    // The first calls load modules and fill caches.
    await call();
    await call();
    traced.push({ name, files: await fewestFiles(session, call) });
  }
  session.disconnect();
  return traced;
}

/** Lists the source files that a call runs through. A timer may fall into one call on a busy machine, so the shortest of three lists counts. */
async function fewestFiles(session: Session, call: () => Promise<unknown>): Promise<string[]> {
  const lists: string[][] = [];
  for (let made = 0; made < 3; made += 1) {
    await session.post('Profiler.takePreciseCoverage');
    await call();
    lists.push(await filesThatRan(session));
  }
  return lists.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** Lists the source files in which a function ran since the last look. */
async function filesThatRan(session: Session): Promise<string[]> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ran = result.filter(
    ({ url, functions }) =>
      url.startsWith(packages.href) && functions.some(({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0),
  );
  return ran.map(({ url }) => fileURLToPath(url).slice(fileURLToPath(packages).length)).toSorted();
}

async function createTools(options: { readonly key?: true }, store?: Store) {
  const { createToolbox, defineTool } = await import('toolpact');
  const add = defineTool({
    name: 'add',
    description: 'Add two numbers.',
    input: z.object({ a: z.number(), b: z.number() }),
    output: z.object({ sum: z.number() }),
    effects: options.key ? 'writes' : 'none',
    ...(options.key && { idempotency: {} }),
    run: async ({ a, b }) => ({ sum: a + b }),
  });
  return createToolbox([add], { store });
}

async function callInProcess(options: { readonly key?: true }, store?: Store): Promise<() => Promise<unknown>> {
  const toolbox = await createTools(options, store);
  let calls = 0;
  return async () => {
    calls += 1;
    return expectOk(await toolbox.call('add', { a: 1, b: 2 }, options.key && { idempotencyKey: `key-${calls}` }));
  };
}

async function callIdempotently(): Promise<() => Promise<unknown>> {
  const { sqliteStore } = await import('toolpact/stores/sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-walk-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return callInProcess({ key: true }, sqliteStore({ path: join(folder, 'walk.db') }));
}

async function serve(): Promise<string> {
  const { createServer } = await import('@toolpact/server');
  const { listen } = await import('@toolpact/server/node');
  const { url } = await listen(createServer(await createTools({})), { port: 0 });
  return url;
}

async function callOverHttp(): Promise<() => Promise<unknown>> {
  const url = await serve();
  return () => post(`${url}/v1/tools/add`, { a: 1, b: 2 });
}

async function callOverMcp(): Promise<() => Promise<unknown>> {
  const url = await serve();
  const params = {
    name: 'add',
    arguments: { a: 1, b: 2 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'walk', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'add' };
  return () => post(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('"sum":3')) throw new Error(`${url} answered ${response.status}: ${text}`);
}

function expectOk(outcome: { readonly status: string }): void {
  if (outcome.status !== 'ok') throw new Error(`The call failed: ${JSON.stringify(outcome)}`);
}
