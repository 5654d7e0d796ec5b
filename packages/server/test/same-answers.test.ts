import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { type Authenticate, apiKeys, hashApiKey } from '../src/index.ts';
import { securityHeaders } from '../src/request/security-headers.ts';
import { sampleTools } from './sample-tools.ts';
import { type Received, type Sent, serve, ways } from './serve-ways.ts';

const key = 'tpk_0123456789abcdef0123456789abcdef';
const as = { authorization: `Bearer ${key}` };
const post = (path: string, body: unknown, headers: Record<string, string> = as) => ['POST', path, { headers, body }] as const;

/** Everything that can be asked of the direct path, and what lies beside it. */
const requests: readonly (readonly [method: string, path: string, sent: Sent])[] = [
  post('/v1/tools/add', { a: 1, b: 2 }),
  post('/v1/tools/Add', { a: 1, b: 2 }),
  post('/v1/tools/add', { a: 'x' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, accept: 'application/json; profile=flat' }),
  ...['flat', 'coded', 'value', 'status', 'problem', 'outcome', 'none'].map((name) => post(`/v1/tools/add?dialect=${name}`, { a: 1 })),
  ...['partial', 'pending', 'rate_limited', 'throw', 'denied', 'unauthenticated'].map((how) => post('/v1/tools/end_as', { how })),
  post('/v1/tools/nope', {}),
  post('/v1/tools/', {}),
  post('/v1/tools/add/', { a: 1, b: 2 }),
  post('/v1/tools/a%2Fdd', { a: 1, b: 2 }),
  post('/v1/tools/%ff', {}),
  post('/v1/tools/pay', { amount: 1 }, { ...as, 'idempotency-key': 'one' }),
  post('/v1/tools/pay', { amount: 1 }, { ...as, 'idempotency-key': 'one' }),
  post('/v1/tools/pay', { amount: 2 }, { ...as, 'idempotency-key': 'one' }),
  post('/v1/tools/add', { a: 1, b: 2 }, {}),
  post('/v1/tools/add', { a: 1, b: 2 }, { authorization: 'Bearer wrong' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'x-tenant-id': 'other' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'x-trace-id': 'trace-1', 'x-case-id': 'c-1', 'x-run-id': 'run_1' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'x-case-id': '-' }),
  post('/v1/tools/whoami', {}, as),
  post('/v1/tools/whoami', {}, { ...as, 'x-session-id': 's-1', 'x-worker-id': 'w-1' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, host: 'evil.example' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, origin: 'https://evil.example' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'content-type': 'text/plain' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'content-type': 'application/json; charset=utf-8' }),
  post('/v1/tools/add', { a: 1, b: 2 }, { ...as, 'content-encoding': 'gzip' }),
  post('/v1/tools/add', '{', as),
  post('/v1/tools/add', '[1]', as),
  post('/v1/tools/add', 'null', as),
  post('/v1/tools/add', '"{}"', as),
  post('/v1/tools/add', '{"a":1e999,"b":1}', as),
  post('/v1/tools/add', `${'['.repeat(70)}${']'.repeat(70)}`, as),
  post('/v1/tools/add', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), as),
  post('/v1/tools/add', `{"a":1,"b":2,"c":"${'x'.repeat(3_000)}"}`, as),
  ['POST', '/v1/tools/add', { headers: as }],
  ['GET', '/v1/tools/add', { headers: as }],
  post('/v1/execute', { action: 'add', params: { a: 1, b: 2 } }),
];

test('both ways give the same answers to everything: status, headers and JSON', async () => {
  const answers: (readonly object[])[] = [];
  for (const way of ways) {
    const toolbox = createToolbox(sampleTools, { report: () => {}, store: memoryStore() });
    const auth = apiKeys([{ hash: hashApiKey(key), tenantId: 'acme', scopes: ['tools:call:*'] }]);
    const served = await serve(way, toolbox, { auth, maxBodyBytes: 2_000 });
    const received: object[] = [];
    for (const [method, path, sent] of requests) received.push({ method, path, ...comparable(await served.send(method, path, sent)) });
    answers.push(received);
    await served.close();
  }
  const [byFetch, byListener] = answers;
  expect(byListener).toEqual(byFetch);
  expect(new Set(byFetch?.map((answer) => (answer as Received).status)).size).toBeGreaterThan(8);
});

const oneCredential: Authenticate = ({ headers }) =>
  headers.get('authorization')?.includes(',') === true ? undefined : { tenantId: 'acme' };
const head = ['content-type: application/json', 'content-length: 13'];

test.each<[string, string, string[]]>([
  ['two hosts', '/v1/tools/add', ['host: 127.0.0.1', 'host: evil.example', ...head]],
  ['a port that is none', '/v1/tools/add', ['host: 127.0.0.1:99999', ...head]],
  [
    'two content types',
    '/v1/tools/add',
    ['host: 127.0.0.1', 'content-type: application/json', 'content-type: text/plain', 'content-length: 13'],
  ],
  ['two credentials', '/v1/tools/add', ['host: 127.0.0.1', 'authorization: Bearer a', 'authorization: Bearer b', ...head]],
  ['the folder above', '/v1/tools/..', ['host: 127.0.0.1', ...head]],
  ['the folder above, hidden', '/v1/tools/%2e%2E', ['host: 127.0.0.1', ...head]],
  ['the folder itself', '/v1/tools/.', ['host: 127.0.0.1', ...head]],
  ['a backslash', '/v1/tools/\\add', ['host: 127.0.0.1', ...head]],
  ['a fragment', '/v1/tools/add#now', ['host: 127.0.0.1', ...head]],
  ['quotes around a name that is cut', '/v1/tools/"%zz"', ['host: 127.0.0.1', ...head]],
  ['a header beyond ASCII', '/v1/tools/add', ['host: 127.0.0.1', 'x-request-id: caf\xe9', ...head]],
])(
  'a request that names %s gets the same answer from our listener as from another one over the fetch handler',
  async (_, path, headers) => {
    const served = await serve('listener', createToolbox(sampleTools, { report: () => {} }), { auth: oneCredential });
    const other = createHttpServer(
      { joinDuplicateHeaders: true },
      getRequestListener(served.server.fetch, { overrideGlobalObjects: false, errorHandler: unreadable }),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const bytes = `POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nconnection: close\r\n\r\n{"a":1,"b":2}`;
    const answers = [await sendRaw(served.url, bytes), await sendRaw(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, bytes)];
    other.close();
    await served.close();
    expect(answers[0]).toBe(answers[1]);
    expect(answers[0]).toMatch(/^HTTP\/1\.1 \d{3} /);
  },
);

/** Answers for the other listener what it cannot read. */
function unreadable(): Response {
  const body = JSON.stringify({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'The Host header or the path of the request cannot be read.',
  });
  const headers = { 'content-type': 'application/problem+json', 'x-trace-id': '0'.repeat(32) };
  return new Response(body, { status: 400, headers: { ...securityHeaders, ...headers } });
}

/** Sends bytes as they are, and gives what comes back without what differs from call to call, its lines in order of the alphabet. */
function sendRaw(url: string, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', reject).on('close', () => {
      const [status = '', ...lines] = text
        .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{32}/g, 'id')
        .replace(/"tookMs":[\d.]+/g, '"tookMs":0')
        .split('\r\n')
        .filter((line) => !/^(?:date|content-length|transfer-encoding|connection):|^[\da-f]{0,4}$/i.test(line));
      resolve([status, ...lines.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))].join('\n'));
    });
    socket.write(bytes, 'latin1');
  });
}

/** Leaves out what differs from call to call, and what belongs to the connection. */
function comparable({ status, headers, json, text }: Received): object {
  const { date: _d, connection: _c, 'keep-alive': _k, 'content-length': _l, 'transfer-encoding': _t, ...kept } = headers;
  const steady = (value: unknown): unknown =>
    JSON.parse(
      (JSON.stringify(value) ?? 'null')
        .replace(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'uuid')
        .replace(/"[\da-f]{32}"/g, '"hex"')
        .replace(/("(?:tookMs|took_ms|execution_time_ms)":)[\d.]+/g, '$10'),
    );
  return { status, headers: steady(kept), body: steady(json ?? text) };
}
