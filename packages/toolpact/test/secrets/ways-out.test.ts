import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import { createServer } from '../../../server/src/index.ts';
import { dialects } from '../../src/dialects/public.ts';
import { createToolbox, defineTool, type Outcome } from '../../src/index.ts';
import { toModelText } from '../../src/outcome/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { openTelemetry } from '../../src/telemetry/index.ts';
import { startSdk } from '../telemetry/sdk.ts';
import { secretShapes } from './secret-shapes.ts';

let sdk: Awaited<ReturnType<typeof startSdk>>;
let folder: string;
let server: Postgres;
const printed: string[] = [];
beforeAll(async () => {
  [sdk, server] = await Promise.all([startSdk('2.12'), startPostgres()]);
  folder = await mkdtemp(join(tmpdir(), 'toolpact-secrets-'));
  for (const method of ['log', 'warn', 'error', 'info'] as const)
    vi.spyOn(console, method).mockImplementation((...given) => void printed.push(given.map(String).join(' ')));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.remove();
  await rm(folder, { recursive: true, force: true });
});

/** Throws the text of a row: as a message, as a cause, and inside the body of a service's answer. */
const ways = ['message', 'cause', 'body'] as const;
const leak = defineTool({
  name: 'leak',
  description: 'Fails in the words of a row.',
  input: z.object({ row: z.number(), way: z.enum(ways) }),
  effects: 'none',
  run: async ({ row, way }, ctx) => {
    const [text = ''] = secretShapes[row] ?? [];
    ctx.log(text, { text });
    ctx.progress({ done: 1, message: text });
    if (way === 'message') throw new Error(text);
    if (way === 'cause') throw new Error('The service failed', { cause: Object.assign(new Error(text), { code: 'ECONNRESET' }) });
    throw Object.assign(new Error('Request failed'), {
      status: 500,
      response: { status: 500, headers: { a: 'b' }, data: { message: text } },
    });
  },
});

test('no shape of a secret leaves in text, outcome, dialects, events, spans, logs, report, HTTP, MCP or on disk', async () => {
  const store = sqliteStore({ path: join(folder, 'store.db') });
  const events: string[] = [];
  const toolbox = createToolbox([leak], { store, telemetry: openTelemetry({ capture: 'both' }) });
  toolbox.subscribe((event) => events.push(JSON.stringify(event)));
  const server = createServer(toolbox);
  const post = async (path: string, body: object) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    };
    const answer = await server.fetch(new Request(`http://127.0.0.1${path}`, { method: 'POST', headers, body: JSON.stringify(body) }));
    return `${[...answer.headers].join()} ${await answer.text()}`;
  };

  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const leaks: string[] = [];
  const seen = new Set<string>();
  for (const [row, [text, secret]] of secretShapes.entries())
    for (const way of ways) {
      events.length = 0;
      printed.length = 0;
      const outcome: Outcome = await toolbox.call('leak', { row, way });
      expect(outcome.status).toBe('error');
      const found: Record<string, string> = {
        outcome: JSON.stringify(outcome),
        'model text': toModelText(outcome),
        events: events.join('\n'),
        telemetry: JSON.stringify(await sdk.take()),
        http: way === 'message' ? await post('/v1/tools/leak', { row, way }) : '',
        mcp: way === 'message' ? await post('/mcp', { ...request, params: { name: 'leak', arguments: { row, way } } }) : '',
        printed: printed.join('\n'),
      };
      for (const [name, dialect] of Object.entries(dialects)) found[name] = JSON.stringify(dialect.encode(outcome as never));
      for (const [name, out] of Object.entries(found)) {
        if (out.length > 2) seen.add(name);
        if (out.includes(secret)) leaks.push(`${name}, ${way}: ${text}`);
      }
    }
  await toolbox.calls.list({ limit: 1 });
  await store.close();
  for (const name of await readdir(folder)) {
    const bytes = (await readFile(join(folder, name))).toString('latin1');
    seen.add(name.replace(/-\w+$/, ''));
    for (const [text, secret] of secretShapes) if (bytes.includes(secret)) leaks.push(`${name}: ${text}`);
  }
  expect(leaks).toEqual([]);
  // Each way was really used.
  for (const name of ['outcome', 'model text', 'events', 'telemetry', 'http', 'mcp', 'printed', 'store.db', ...Object.keys(dialects)])
    expect(seen).toContain(name);
});

test('a key that is glued to the name of an unknown tool leaves by none of these ways', async () => {
  const secret = '1234567890abcdef';
  const name = `tool_${['sk', 'test', secret].join('-')}`;
  printed.length = 0;
  await sdk.take();
  const events: string[] = [];
  const toolbox = createToolbox([leak], { telemetry: openTelemetry({ capture: 'both' }) });
  toolbox.subscribe((event) => events.push(JSON.stringify(event)));
  const server = createServer(toolbox);
  const send = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const accept = headers.accept ?? 'application/json, text/event-stream';
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers, accept } };
    const answer = await server.fetch(new Request(`http://127.0.0.1${path}`, init));
    return `${[...answer.headers].join()} ${await answer.text()}`;
  };
  const params = { name, arguments: {} };
  const outcome: Outcome = await toolbox.answer({ name, args: {} });
  const [inBatch] = await toolbox.batch([{ id: 'a', tool: name, args: {} }] as never);
  const mcpRequest = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const ways: Record<string, string> = {
    outcome: JSON.stringify(outcome),
    batch: JSON.stringify(inBatch),
    'model text': toModelText(outcome),
    http: await send(`/v1/tools/${name}`, {}),
    problem: await send(`/v1/tools/${name}`, {}, { accept: 'application/problem+json' }),
    'http batch': await send('/v1/batch', { calls: [{ id: 'a', tool: name, args: {} }] }),
    mcp: await send('/mcp', mcpRequest, { 'mcp-protocol-version': '2025-06-18' }),
    events: events.join('\n'),
    telemetry: JSON.stringify(await sdk.take()),
    printed: printed.join('\n'),
  };
  for (const [way, dialect] of Object.entries(dialects)) ways[way] = JSON.stringify(dialect.encode(outcome as never));
  expect(Object.entries(ways).filter(([, out]) => out.includes(secret))).toEqual([]);
  expect(Object.keys(ways).filter((way) => way !== 'printed' && !ways[way]?.includes('[redacted]'))).toEqual([]);
});

test('no shape of a secret is kept in PostgreSQL', async () => {
  const store = postgresStore({ connectionString: server.connectionString, schema: 'kept' });
  const toolbox = createToolbox([leak], { store });
  const calls = secretShapes.flatMap((_, row) => ways.map((way) => toolbox.call('leak', { row, way })));
  await Promise.all(calls);
  // The list is written without any call waiting for it; whoever lists calls does.
  await toolbox.calls.list({ limit: 1 });
  await store.close();
  const kept = await rowsOf('kept');
  // Every call is there, with what its tool said.
  expect(kept.match(/ECONNRESET/g)?.length).toBeGreaterThanOrEqual(secretShapes.length);
  expect(secretShapes.filter(([, secret]) => kept.includes(secret) || kept.includes(inJson(secret)))).toEqual([]);
});

/** Reads all rows of all tables in a schema as text. */
async function rowsOf(schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: server.connectionString });
  await client.connect();
  const tables = await client.query('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema]);
  const texts: string[] = [];
  for (const { tablename } of tables.rows) {
    const { rows } = await client.query(`SELECT row_to_json(held)::text AS text FROM "${schema}"."${tablename}" AS held`);
    texts.push(...rows.map(({ text }) => String(text)));
  }
  await client.end();
  return texts.join('\n');
}

/** Writes a text as it stands inside JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
