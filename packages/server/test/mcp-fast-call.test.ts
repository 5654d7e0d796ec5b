import { createToolbox, defineTool, fail, ok, partial, pending } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../src/index.ts';
import { type Listening, listen } from '../src/node/listen.ts';

/** Calls answered without the SDK, on the Node listener and in the fetch handler, next to the same calls answered by the SDK. */

const ends: Record<string, () => unknown> = {
  object: () => ({ n: 1 }),
  text: () => 'words',
  nothing: () => undefined,
  list: () => [1, 2],
  image: () => ok({ n: 1 }, { content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }], warnings: ['old'] }),
  partial: () => partial({ n: 1 }, [{ index: 1, error: fail('timeout', 'Silent.') }], { total: 2 }),
  pending: () => pending({ handle: 'job-1', reason: 'running' }),
  refused: () => fail('not_found', 'Not there.', { data: { asked: 'x' } }),
  throws: () => {
    throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
  },
  bigint: () => ({ n: 10n }),
  large: () => ({ notes: Array.from({ length: 500 }, (_, index) => `note ${index}`) }),
};

function createTools() {
  const end = defineTool({
    name: 'any:end',
    description: 'Ends in any way.',
    input: z.object({ how: z.string() }),
    effects: 'none',
    maxResultChars: 1_000,
    run: ({ how }) => ends[how]?.() as never,
  });
  const strict = defineTool({
    name: 'strict',
    description: 'Promises a number.',
    input: z.object({ n: z.number() }),
    output: z.object({ n: z.number() }),
    effects: 'none',
    run: ({ n }) => ({ n: n === 0 ? ('zero' as never) : n }),
  });
  const careful = defineTool({ name: 'careful', description: 'Needs a yes.', approval: true, run: () => 'done' });
  const header = defineTool({
    name: 'header',
    description: 'Takes a header.',
    input: z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) }),
    effects: 'none',
    run: ({ region }) => region,
  });
  return createToolbox([end, strict, careful, header], { store: memoryStore(), report: () => undefined });
}

const servers: Listening[] = [];
beforeAll(async () => {
  for (const fastPath of [true, false]) {
    const server = createServer(createTools(), { mcp: { fastPath, approvals: 'callers' }, auditLog: false });
    servers.push(await listen(server, { port: 0 }));
  }
});
afterAll(() => Promise.all(servers.map((server) => server.close({ drainMs: 0 }))));

const version = 'io.modelcontextprotocol/protocolVersion';
const capabilities = 'io.modelcontextprotocol/clientCapabilities';
const clientInfo = 'io.modelcontextprotocol/clientInfo';
const logLevel = 'io.modelcontextprotocol/logLevel';
const envelope = { [version]: '2026-07-28', [capabilities]: {}, [clientInfo]: { name: 'agent', version: '1' } };
const ask = (params: unknown, extra: object = {}): object => ({ jsonrpc: '2.0', id: 7, method: 'tools/call', params, ...extra });
const call = (how: string, extra: object = {}) => ask({ name: 'any_end', arguments: { how }, ...extra });

type Case = [title: string, body: unknown, headers?: Record<string, string | undefined>];

/** Requests of either era: what plain clients send, and what only looks like it. */
const both: Case[] = [
  ...Object.keys(ends).map((how): Case => [`a call that ends as ${how}`, call(how)]),
  ['a result that breaks its promise', ask({ name: 'strict', arguments: { n: 0 } })],
  ['a result that keeps it', ask({ name: 'strict', arguments: { n: 1 } })],
  ['arguments of the wrong type', ask({ name: 'strict', arguments: { n: 'one' } })],
  ['no arguments', ask({ name: 'strict' })],
  ['arguments that are a text', ask({ name: 'strict', arguments: '{"n":1}' })],
  ['arguments that are null', ask({ name: 'strict', arguments: null })],
  ['a tool that needs an approval', ask({ name: 'careful', arguments: {} })],
  ['a tool that does not exist', ask({ name: 'anyend', arguments: {} })],
  ['a name that is none', ask({ name: 5, arguments: {} })],
  ['no name', ask({ arguments: {} })],
  ['no params', ask(undefined)],
  ['params that are a list', ask(['any_end'])],
  ['an unknown field beside the params', ask({ name: 'any_end', arguments: { how: 'object' } }, { more: 1 })],
  ['an unknown field in the params', call('object', { more: 1 })],
  ['an answer to no question', call('object', { inputResponses: {}, requestState: 'x' })],
  ['an id that is a text', ask({ name: 'any_end', arguments: { how: 'object' } }, { id: 'seven' })],
  ['an id that is null', ask({ name: 'any_end', arguments: { how: 'object' } }, { id: null })],
  ['an id that is a fraction', ask({ name: 'any_end', arguments: { how: 'object' } }, { id: 1.5 })],
  ['no id', { jsonrpc: '2.0', method: 'tools/call', params: { name: 'any_end', arguments: { how: 'object' } } }],
  ['another protocol', ask({ name: 'any_end', arguments: { how: 'object' } }, { jsonrpc: '1.0' })],
  ['another method', ask({}, { method: 'tools/list' })],
  ['a method that does not exist', ask({}, { method: 'tools/run' })],
  ['a list of one', [call('object')]],
  ['another content type', call('object'), { 'content-type': 'text/plain' }],
  ['a charset', call('object'), { 'content-type': 'application/json; charset=utf-8' }],
  ['a session that does not exist', call('object'), { 'mcp-session-id': 'x' }],
  ['a version that does not exist', call('object'), { 'mcp-protocol-version': '1999-01-01' }],
];

async function post(url: string, body: unknown, headers: Record<string, string | undefined>): Promise<unknown> {
  const sent = Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: Object.fromEntries(sent), body: JSON.stringify(body) });
  const text = await response.text();
  // The SDK answers older clients in a stream of one event.
  const json = response.headers.get('content-type')?.startsWith('text/event-stream') ? /^data: (.*)$/m.exec(text)?.[1] : text;
  return { status: response.status, body: json === '' || json === undefined ? undefined : withoutIds(JSON.parse(json)) };
}

const own = /^(?:debugId|invocationId|traceId|tookMs|handle|requestState|expiresAt|at)$/;
function withoutIds(json: unknown): unknown {
  return JSON.parse(
    JSON.stringify(json, (key, value: unknown) => (own.test(key) ? 'x' : value)),
    (_, value: unknown) => (typeof value === 'string' ? value.replace(/\((?:handle:|ref) [\w-]+\)/g, 'x') : value),
  );
}

async function expectSame(body: unknown, headers: Record<string, string | undefined>): Promise<unknown> {
  const [direct, sdk] = await Promise.all(servers.map(({ url }) => post(url, body, headers)));
  expect(direct).toEqual(sdk);
  return sdk;
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('a client of 2025-11-25', () => {
  test.each<Case>([
    ...both,
    ['a client that takes JSON alone', call('object'), { accept: 'application/json' }],
    ['a progress token', call('object', { _meta: { progressToken: 1 } })],
    ['_meta that is none', call('object', { _meta: 5 })],
    ['a trace', call('object', { _meta: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } })],
  ])('gets the same answer to %s', async (_, body, headers = {}) => {
    await expectSame(body, { ...usual, 'mcp-protocol-version': '2025-11-25', ...headers });
  });

  test('gets the same answer without a version', () => expectSame(call('object'), usual));

  test('is answered in JSON on the fast path, and by the SDK in a stream', async () => {
    const answers = await Promise.all(
      servers.map(({ url }) => fetch(`${url}/mcp`, { method: 'POST', headers: usual, body: JSON.stringify(call('object')) })),
    );
    const types = answers.map(({ headers }) => headers.get('content-type'));
    expect(types).toEqual(['application/json', 'text/event-stream']);
    for (const answer of answers) await answer.body?.cancel();
  });
});

describe('a client of 2026-07-28', () => {
  const withEnvelope = (body: unknown, meta: object = envelope): unknown => {
    const { params } = body as { params?: object };
    return Array.isArray(body) || Array.isArray(params) ? body : { ...(body as object), params: { ...params, _meta: meta } };
  };
  const headersOf = (body: unknown): Record<string, string | undefined> => {
    const { method, params } = body as { method?: string; params?: { name?: unknown } };
    const name = params?.name;
    return {
      ...usual,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    };
  };

  test.each<Case>(both)('gets the same answer to %s', async (_, body, headers = {}) => {
    await expectSame(withEnvelope(body), { ...headersOf(body), ...headers });
  });

  test.each<[string, object]>([
    ['no capabilities', { [version]: '2026-07-28' }],
    ['capabilities that are none', { ...envelope, [capabilities]: 'all' }],
    ['a client that is none', { ...envelope, [clientInfo]: { name: 5 } }],
    ['no client', { [version]: '2026-07-28', [capabilities]: {} }],
    ['another version than its header', { ...envelope, [version]: '2025-11-25' }],
    ['a version that is to come', { ...envelope, [version]: '2099-01-01' }],
    ['a log level', { ...envelope, [logLevel]: 'info' }],
    ['a log level that is none', { ...envelope, [logLevel]: 'loud' }],
    ['a progress token', { ...envelope, progressToken: 'p' }],
    ['a progress token that is none', { ...envelope, progressToken: {} }],
    ['a key', { ...envelope, 'toolpact/idempotency-key': 'k' }],
  ])('gets the same answer with %s', async (_, meta) => {
    await expectSame(withEnvelope(call('object'), meta), headersOf(call('object')));
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['no version', { 'mcp-protocol-version': undefined }],
    ['no method', { 'mcp-method': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['no name', { 'mcp-name': undefined }],
    ['another name', { 'mcp-name': 'strict' }],
    ['an encoded name', { 'mcp-name': '=?base64?YW55X2VuZA==?=' }],
    ['spaces around its name', { 'mcp-name': '  any_end ' }],
  ])('gets the same answer with headers that have %s', async (_, headers) => {
    await expectSame(withEnvelope(call('object')), { ...headersOf(call('object')), ...headers });
  });

  test('is asked the same question before a call that needs an approval', async () => {
    const body = ask({ name: 'careful', arguments: {} });
    const answer = await expectSame(withEnvelope(body, { ...envelope, [capabilities]: { elicitation: {} } }), headersOf(body));
    expect(answer).toMatchObject({ body: { result: { resultType: 'input_required', inputRequests: { approval: {} } } } });
  });

  test('gets the same answer to a call with a header of its own', async () => {
    const body = ask({ name: 'header', arguments: { region: 'eu' } });
    expect(await expectSame(withEnvelope(body), headersOf(body))).toMatchObject({ status: 400 });
    expect(await expectSame(withEnvelope(body), { ...headersOf(body), 'mcp-param-region': 'eu' })).toMatchObject({ status: 200 });
  });
});
