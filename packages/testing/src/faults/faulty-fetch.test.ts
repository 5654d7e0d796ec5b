import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { catalogue, classify, defineTool, type FailureKind } from 'toolpact';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FetchFault } from './faulty-fetch.ts';
import { withFaults } from './with-faults.ts';

const body = JSON.stringify({ items: 'x'.repeat(3000) });
let served = 0;
let server: Server;
let url = '';

beforeAll(async () => {
  server = createServer((_, response) => {
    served += 1;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/items`;
});
afterAll(() => void server.close());
afterEach(() => {
  served = 0;
  vi.useRealTimers();
});

const struck = (fault: FetchFault): typeof fetch => withFaults(fetch, fault);

/** A tool that does what most tools do. */
const readWith = (fetch: typeof globalThis.fetch) =>
  defineTool({
    name: 'read',
    description: 'Reads.',
    effects: 'none',
    async run(_, { signal }) {
      const response = await fetch(url, { signal });
      if (!response.ok) throw response;
      return response.json();
    },
  });

test.each<[FetchFault, number, string, RegExp]>([
  [{ status: 429 }, 429, 'application/json', /"rate_limit_error"/],
  [{ status: 401 }, 401, 'application/json', /expired/],
  [{ status: 503 }, 503, 'text/html; charset=utf-8', /^<!DOCTYPE html>/],
  [{ status: 418 }, 418, 'application/json', /"status_418"/],
  [{ status: 500, body: 'oops', headers: { 'content-type': 'text/plain' } }, 500, 'text/plain', /^oops$/],
  [{ html: true }, 200, 'text/html; charset=utf-8', /Sign in/],
])('%j answers as a server would, and sends nothing', async (fault, status, type, text) => {
  const response = await struck(fault)(url);
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
  expect(await response.text()).toMatch(text);
  expect(served).toBe(0);
});

test('a status without a body has none', async () => {
  expect(await (await struck({ status: 204 })(url)).text()).toBe('');
});

/** Which kind a tool tells of whose fetch was struck by a kind: the same, but for those that no server can say. */
const reported: Partial<Record<FailureKind, FailureKind>> = {
  unknown_tool: 'not_found',
  denied: 'forbidden',
  interrupted: 'unreachable',
  cancelled: 'timeout',
  not_ready: 'upstream',
  not_configured: 'upstream',
  invalid_output: 'upstream',
  all_failed: 'upstream',
  failed: 'upstream',
  internal: 'upstream',
};
test.each(Object.keys(catalogue) as FailureKind[])('%s comes as what the wire shows of it', async (kind) => {
  const outcome = await readWith(struck({ kind })).call({});
  expect(outcome).toMatchObject({ status: 'error', error: { kind: reported[kind] ?? kind } });
});

test('a limit says when to come back', async () => {
  const outcome = await readWith(struck({ kind: 'rate_limited', retryAfterMs: 1500 })).call({});
  expect(outcome).toMatchObject({ error: { kind: 'rate_limited', retryAfterMs: 1500 } });
});

test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'UND_ERR_SOCKET', true] as const)(
  'a connection that breaks (%s) is thrown as fetch throws it',
  async (hangUp) => {
    const thrown: unknown = await struck({ hangUp })(url).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TypeError);
    expect(thrown).toMatchObject({ message: 'fetch failed', cause: { code: hangUp === true ? 'UND_ERR_SOCKET' : hangUp } });
    expect(['unreachable', 'timeout']).toContain(classify(thrown).kind);
  },
);

describe('what the other side has done', () => {
  test.each<[FetchFault, number]>([
    [{ hangUp: true }, 0],
    [{ hangUp: true, at: 'after' }, 1],
    [{ status: 502, at: 'after' }, 1],
    [{ kind: 'unreachable', at: 'after' }, 1],
    [{ truncated: true }, 1],
  ])('after %j it was asked %i times', async (fault, times) => {
    await struck(fault)(url).catch(() => undefined);
    expect(served).toBe(times);
  });
});

describe('bodies', () => {
  test('one that is cut off is no JSON', async () => {
    const response = await struck({ truncated: true })(url);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.has('content-length')).toBe(false);
    await expect(response.json()).rejects.toThrow(SyntaxError);
  });

  test('one whose connection breaks rejects while it is read', async () => {
    const response = await struck({ truncated: 'hang-up' })(url);
    await expect(response.text()).rejects.toMatchObject({ message: 'terminated', cause: { code: 'UND_ERR_SOCKET' } });
  });

  test('a slow one comes whole, and ends with its signal', async () => {
    expect(await (await struck({ slowBodyMs: 1 })(url)).text()).toBe(body);
    const stop = new AbortController();
    const response = await struck({ slowBodyMs: 3_600_000 })(url, { signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(response.text()).rejects.toThrow('enough');
  });
});

describe('time', () => {
  test('a hanging request waits for its signal alone', async () => {
    const stop = new AbortController();
    const hanging = struck({ hang: true })(new Request(url, { signal: stop.signal }));
    stop.abort(new Error('enough'));
    await expect(hanging).rejects.toThrow('enough');
    await expect(struck({ hang: true })(url, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  test('a slow one is sent later', async () => {
    expect(await (await struck({ slowMs: 1 })(url)).text()).toBe(body);
  });
});

test('requests are counted by address, and a fault may be for some addresses', async () => {
  const flaky = withFaults(fetch, { call: 2, tool: url, status: 500 });
  const statuses = [];
  for (const path of ['?page=1', '/1', '?page=2', '/1', '?page=3']) statuses.push((await flaky(`${url}${path}`)).status);
  expect(statuses).toEqual([200, 200, 500, 500, 200]);
  const other = withFaults(fetch, { tool: 'http://127.0.0.2', status: 500 });
  expect((await other(url)).status).toBe(200);
});

test.each([
  [{ status: 99 }, '`status` of a fault of fetch must be 200 to 599, not 99'],
  [{ status: 200.5 }, '`status` of a fault of fetch must be 200 to 599, not 200.5'],
  [{ kind: 'tired' }, '`kind` of a fault of fetch must be a kind of failure, not "tired"'],
  [{ hangUp: 'toString' }, /^`hangUp` of a fault of fetch must be true or one of ECONNREFUSED, /],
  [{ truncated: false }, "`truncated` of a fault of fetch must be true or 'hang-up', not false"],
  [{ slowBodyMs: 2 ** 31 }, '`slowBodyMs` of a fault of fetch must be milliseconds from 0, not 2147483648'],
  [{ status: 503, retryAfterMs: 5 }, 'a fault of fetch has the unknown field "retryAfterMs"'],
  [{ status: 503, at: 'during' }, '`at` of a fault of fetch must be before or after'],
  [
    { status: 503, tool: 'api.example.com' },
    'a fault of fetch is meant for "api.example.com", which is no address; addresses begin with https://',
  ],
  [{ rate: 0.5 }, 'a fault of fetch needs exactly one of kind, status, hangUp, hang, slowMs, slowBodyMs, truncated, html'],
])('the plan %j is a mistake', (plan, message) => {
  expect(() => withFaults(fetch, plan as FetchFault)).toThrow(message);
});
