import { once } from 'node:events';
import type { ToolFailure } from 'toolpact';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { faults, send, startUpstreams } from '../test/start-upstreams.ts';
import { createHttpClient, type HttpClientOptions, type HttpRequest } from './http-client.ts';

let upstreams: Awaited<ReturnType<typeof startUpstreams>>;
beforeAll(async () => {
  upstreams = await startUpstreams();
});
afterAll(() => upstreams.close());
afterEach(() => {
  upstreams.replace(undefined);
  upstreams.seen.length = 0;
});

const path = '/bangumi/115908/points/detail';

function start(options: HttpClientOptions = {}) {
  const clock = { at: Date.parse('2026-11-15T12:00:00Z') };
  const client = createHttpClient({ now: () => clock.at, ...options });
  const ask = (own: Partial<HttpRequest> = {}) =>
    client.ask({
      upstream: 'Anitabi',
      url: upstreams.url('anitabi') + path,
      headers: { 'user-agent': 'ann/pilgrim' },
      limit: { requests: 100, windowMs: 1000 },
      timeoutMs: 600_000,
      ttlMs: 1000,
      patienceMs: 0,
      ...own,
    });
  return { clock, ask };
}

test('a fresh response is reused without a request, and earlier readers cannot change it', async () => {
  const { ask } = start();
  const first = await ask();
  (first.json as object[]).length = 0;
  const second = await ask();
  expect([first.cached, second.cached, (second.json as object[]).length]).toEqual([false, true, 6]);
  expect(upstreams.seen).toHaveLength(1);
});

test('a stale response is revalidated instead of fetched again', async () => {
  const { clock, ask } = start();
  await ask();
  clock.at += 1000;
  const again = await ask();
  expect(upstreams.seen.map(({ headers }) => [headers['if-none-match'], headers['if-modified-since']])).toEqual([
    [undefined, undefined],
    ['"v1"', 'Tue, 10 Nov 2026 08:00:00 GMT'],
  ]);
  expect([again.cached, (again.json as object[]).length]).toEqual([true, 6]);
  await ask();
  expect(upstreams.seen).toHaveLength(2);
});

test('a stale response that changed upstream is replaced', async () => {
  const { clock, ask } = start();
  await ask();
  clock.at += 1000;
  upstreams.replace((_, response) => send(response, 200, [], { etag: '"v2"' }));
  expect(await ask()).toEqual({ json: [], cached: false });
  clock.at += 1000;
  await ask();
  expect(upstreams.seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"', '"v2"']);
});

test('equal requests at the same time share one fetch, and each gets a copy', async () => {
  const { ask } = start();
  const answers = await Promise.all([ask(), ask(), ask()]);
  (answers[0]?.json as object[]).length = 0;
  expect(answers.map(({ json }) => (json as object[]).length)).toEqual([0, 6, 6]);
  expect(upstreams.seen).toHaveLength(1);
});

test('a caller that stops waiting does not stop the others, and a later one starts again', async () => {
  const { ask } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  let arrived = 0;
  const connections: Promise<unknown>[] = [];
  upstreams.replace((_, response) => {
    arrived += 1;
    connections.push(once(response, 'close'));
    if (arrived === 1) first.abort();
    else send(response, 200, { late: true });
  });
  const stopped = ask({ signal: first.signal });
  const stays = ask({ signal: second.signal });
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  second.abort();
  const anew = ask();
  await expect(stays).rejects.toMatchObject({ name: 'AbortError' });
  await connections[0];
  expect(await anew).toEqual({ json: { late: true }, cached: false });
  expect(arrived).toBe(2);
});

test('one of several callers cannot stop what another waits for', async () => {
  const { ask } = start();
  const first = new AbortController();
  upstreams.replace((_, response) => {
    first.abort();
    send(response, 200, { there: true });
  });
  const stopped = ask({ signal: first.signal });
  const stays = ask();
  await expect(stopped).rejects.toMatchObject({ name: 'AbortError' });
  expect((await stays).json).toEqual({ there: true });
});

test('a failure is not cached', async () => {
  const { ask } = start();
  upstreams.replace(faults[500]);
  await expect(ask()).rejects.toMatchObject({ status: 500 });
  upstreams.replace(undefined);
  expect((await ask()).cached).toBe(false);
});

test('equal requests with the same credential share an entry; without a time to live, nothing is cached', async () => {
  const { ask } = start();
  upstreams.replace(({ body }, response) => send(response, 200, { echo: JSON.parse(body) }));
  const cached = [];
  for (const own of [
    { body: { a: 1 } },
    { body: { a: 1 } },
    { body: { a: 2 } },
    { body: { a: 1 }, ttlMs: 0 },
    { body: { a: 1 }, headers: { authorization: 'Bearer b' } },
  ])
    cached.push((await ask(own)).cached);
  expect(cached).toEqual([false, true, false, false, false]);
});

test('a request states its user agent and its media types', async () => {
  await start().ask({ body: { a: 1 } });
  const [{ method, headers, body } = { method: '', headers: {}, body: '' }] = upstreams.seen;
  expect([method, headers['user-agent'], headers.accept, headers['content-type'], body]).toEqual([
    'POST',
    'ann/pilgrim',
    'application/json',
    'application/json',
    '{"a":1}',
  ]);
});

test.each([
  ['html', {}, 'bad_response', 'Anitabi answered with a page where JSON was expected.'],
  ['garbage', {}, 'bad_response', 'Anitabi answered with something that is cut off or no JSON where JSON was expected.'],
  ['redirect loop', {}, 'bad_response', 'Anitabi redirects in circles.'],
  ['redirect elsewhere', {}, 'bad_response', 'Anitabi redirects to another host, which is not followed.'],
  ['redirect to a file', {}, 'bad_response', 'Anitabi has an address that is not http or https.'],
  ['hang', { timeoutMs: 30 }, 'timeout', 'Anitabi did not answer within 30 ms.'],
] as const)('%s is reported as such', async (fault, own, kind, message) => {
  upstreams.replace(faults[fault]);
  await expect(start().ask(own)).rejects.toMatchObject({ kind, message });
});

test('a caller with time left does not fail with one that has none', async () => {
  const { ask } = start({ pause: async () => undefined });
  const limit = { requests: 1, windowMs: 1000 };
  await ask({ limit });
  const url = `${upstreams.url('anitabi')}/bangumi/115908/lite`;
  const [hasty, patient] = await Promise.allSettled([ask({ limit, url }), ask({ limit, url, patienceMs: 10_000 })]);
  expect(hasty).toMatchObject({ status: 'rejected', reason: { kind: 'rate_limited' } });
  expect(patient).toMatchObject({ status: 'fulfilled', value: { cached: false } });
  expect(upstreams.seen).toHaveLength(2);
});

test('a redirect away from https is not followed', async () => {
  const seen: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    seen.push(String(url));
    return new Response(null, { status: 302, headers: { location: 'http://anitabi.example/points' } });
  };
  await expect(start({ fetch }).ask({ url: 'https://anitabi.example/points' })).rejects.toMatchObject({ kind: 'bad_response' });
  expect(seen).toEqual(['https://anitabi.example/points']);
});

test('a redirect on the same host is followed', async () => {
  upstreams.replace((request, response) =>
    request.path.endsWith('/moved') ? send(response, 200, { here: true }) : response.writeHead(301, { location: '/anitabi/moved' }).end(),
  );
  expect((await start().ask()).json).toEqual({ here: true });
});

test('a response that is too large is not read to its end', async () => {
  await expect(start({ maxBytes: 100 }).ask()).rejects.toMatchObject({
    kind: 'too_large',
    message: 'The answer of Anitabi is larger than 100 bytes.',
  });
});

test('addresses other than http and https are refused', async () => {
  await expect(start().ask({ url: 'ftp://127.0.0.1/x' })).rejects.toMatchObject({ kind: 'bad_response' });
});

test('stopping a call closes its connection', async () => {
  const controller = new AbortController();
  let closed: Promise<unknown> | undefined;
  upstreams.replace((_, response) => {
    closed = once(response, 'close');
    controller.abort();
  });
  await expect(start().ask({ signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
  await closed;
});

test('a service that is down is unreachable, and the failure names its address', async () => {
  const url = 'http://127.0.0.1:1/x';
  await expect(start().ask({ url })).rejects.toMatchObject({ message: 'the connection to Anitabi failed', url });
});

test('a requested wait keeps its length when the wall clock is set', async () => {
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-15T12:00:00Z'));
  onTestFinished(() => clock.mockRestore());
  const { ask } = start({ now: undefined as never });
  upstreams.replace(faults[429]);
  await expect(ask()).rejects.toMatchObject({ status: 429 });
  clock.mockReturnValue(Date.parse('2026-11-15T11:00:00Z'));
  const { options } = (await ask().catch((thrown: unknown) => thrown)) as ToolFailure;
  expect(options.retryAfterMs).toBeLessThanOrEqual(7000);
});
