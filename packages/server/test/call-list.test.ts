import { createToolbox, defineTool } from 'toolpact';
import type { Ledger } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createClient } from '../src/client/index.ts';
import { type Authenticate, createServer, type Identity } from '../src/index.ts';
import { sampleTools } from './sample-tools.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const [ours, theirs] = ['5aa31da6-9278-4da0-9f1a-61b8d3edc5cc', '6bb31da6-9278-4da0-9f1a-61b8d3edc5cc'];
const people: Readonly<Record<string, Identity>> = {
  caller: { tenantId: ours },
  adder: { tenantId: ours, scopes: ['tools:call:add'] },
  stranger: { tenantId: theirs },
};
const auth: Authenticate = ({ headers }) => people[headers.get('x-api-key') ?? ''];
const as = (who: string, body?: unknown) => ({ headers: { 'x-api-key': who }, ...(body !== undefined && { body }) });

const wait = defineTool({
  name: 'wait',
  description: 'Waits for a sign.',
  input: z.object({}),
  effects: 'none',
  async run(_, { progress, signal }) {
    progress('begun');
    return new Promise<string>((resolve) => {
      go = resolve;
      signal.addEventListener('abort', () => resolve('stopped'));
    });
  },
});
let go: (word: string) => void = () => undefined;

function makeToolbox() {
  const store = memoryStore();
  return createToolbox([...sampleTools, wait], { report: () => undefined, store });
}

/** Reads server-sent events until enough have come. */
async function readEvents(body: ReadableStream<Uint8Array>, isEnough: (events: string[]) => boolean): Promise<string[]> {
  const reader = body.pipeThrough(new TextDecoderStream() as never).getReader() as ReadableStreamDefaultReader<string>;
  let text = '';
  for (;;) {
    const events = text.split('\n\n').slice(0, -1);
    if (isEnough(events)) {
      await reader.cancel();
      return events;
    }
    const { value, done } = await reader.read();
    if (done) return events;
    text += value;
  }
}

describe.each(ways)('the list of calls, through the %s', (way) => {
  let served: Served;
  let plain: Served;
  beforeAll(async () => {
    served = await serve(way, makeToolbox(), { auth });
    plain = await serve(way, createToolbox(sampleTools, { report: () => undefined }));
    await served.send('POST', '/v1/tools/add', as('caller', { a: 1, b: 2 }));
    await served.send('POST', '/v1/tools/add', as('caller', { a: 'x' }));
    await served.send('POST', '/v1/tools/pay', as('caller', { amount: 2 }));
    await served.send('POST', '/v1/tools/add', as('stranger', { a: 5, b: 5 }));
  });
  afterAll(async () => {
    await served.close();
    await plain.close();
  });

  test('gives the calls of the own tenant, newest first, and of the tools that one may call', async () => {
    const seen = async (who: string, query = '') =>
      (await served.send('GET', `/v1/calls${query}`, as(who))).json.calls.map((call: { tool: string; status: string }) => [
        call.tool,
        call.status,
      ]);
    expect(await seen('caller')).toEqual([
      ['pay', 'ok'],
      ['add', 'error'],
      ['add', 'ok'],
    ]);
    expect(await seen('adder')).toEqual([
      ['add', 'error'],
      ['add', 'ok'],
    ]);
    expect(await seen('stranger')).toEqual([['add', 'ok']]);
    expect(await seen('caller', '?kind=invalid_input')).toEqual([['add', 'error']]);
    expect(await seen('caller', '?tool=add&status=ok')).toEqual([['add', 'ok']]);
    expect(await seen('caller', '?tool=add&tool=pay&status=ok&status=pending')).toEqual([
      ['pay', 'ok'],
      ['add', 'ok'],
    ]);
    expect(await seen('caller', '?kind=invalid_input&kind=timeout')).toEqual([['add', 'error']]);
  });

  test('goes on page by page', async () => {
    const first = await served.send('GET', '/v1/calls?limit=2', as('caller'));
    const second = await served.send('GET', `/v1/calls?limit=2&cursor=${first.json.next}`, as('caller'));
    expect([first.json.calls.length, second.json.calls.length, second.json.next]).toEqual([2, 1, undefined]);
    const many = '/v1/calls?tool=add&tool=pay&limit=2';
    const newest = await served.send('GET', many, as('caller'));
    const oldest = await served.send('GET', `${many}&cursor=${encodeURIComponent(newest.json.next)}`, as('caller'));
    expect([...newest.json.calls, ...oldest.json.calls]).toEqual([...first.json.calls, ...second.json.calls]);
  });

  test.each([
    ['status=great', 400],
    ['kind=great', 400],
    ['kind=timeout&kind=great', 400],
    ['limit=0', 400],
    ['limit=-1', 400],
    ['since=yesterday', 400],
    ['cursor=nonsense', 400],
    ['cursor=1e309_1', 400],
    ["cursor=1_2'%20OR%201=1", 400],
    [`tenantId=${theirs}`, 403],
  ])('refuses ?%s', async (query, status) => {
    expect((await served.send('GET', `/v1/calls?${query}`, as('caller'))).status).toBe(status);
  });

  test('shows one call with its arguments, what the model read, and what happened within it', async () => {
    const { json: page } = await served.send('GET', '/v1/calls?tool=add&status=ok', as('caller'));
    const { status, json } = await served.send('GET', `/v1/calls/${page.calls[0].id}`, as('caller'));
    expect([status, json.input, json.modelText, json.outcome.data]).toEqual([200, { a: 1, b: 2 }, '{"sum":3}', { sum: 3 }]);
    expect(json.trace.attempts).toMatchObject([{ attempt: 1, status: 'ok' }]);
  });

  test('counts calls per minute, tool and kind', async () => {
    const { json } = await served.send('GET', '/v1/calls/summary', as('caller'));
    expect(json).toMatchObject({ total: 3, complete: true, kinds: { invalid_input: 1 } });
    expect(json.tools).toMatchObject([
      { tool: 'add', counts: { ok: 1, error: 1 }, tookMs: { p50: expect.any(Number), p99: expect.any(Number) } },
      { tool: 'pay', counts: { ok: 1 } },
    ]);
    expect(json.minutes.length).toBeGreaterThan(0);
  });

  test('is not offered without a store', async () => {
    for (const path of ['', '/stream', '/summary']) expect((await plain.send('GET', `/v1/calls${path}`)).status).toBe(501);
  });
});

describe('the stream of calls', () => {
  const request = (who: string, headers: Record<string, string> = {}) =>
    new Request('http://127.0.0.1/v1/calls/stream', { headers: { 'x-api-key': who, ...headers } });
  const dataOf = (events: string[]) =>
    events.filter((event) => event.includes('event: call')).map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)));

  test('shows calls as they begin and end, and their progress, to the own tenant alone', async () => {
    const server = createServer(makeToolbox(), { auth });
    const { body } = await server.fetch(request('caller'));
    const { body: other } = await server.fetch(request('stranger'));
    const client = createClient('http://127.0.0.1', {
      apiKey: 'caller',
      fetch: ((url, init) => server.fetch(new Request(url, init))) as typeof fetch,
    });
    const strangers = createClient('http://127.0.0.1', {
      apiKey: 'stranger',
      fetch: ((url, init) => server.fetch(new Request(url, init))) as typeof fetch,
    });
    const waiting = client.call('wait', {});
    const events = readEvents(body as ReadableStream<Uint8Array>, (seen) => {
      if (seen.some((event) => event.includes('"status":"running"'))) go('done');
      return seen.some((event) => event.includes('"status":"ok"'));
    });
    const seen = await events;
    expect((await waiting).status).toBe('ok');
    expect(dataOf(seen).map(({ tool, status }) => [tool, status])).toEqual([
      ['wait', 'running'],
      ['wait', 'ok'],
    ]);
    expect(seen.some((event) => event.startsWith('event: progress') && event.includes('"message":"begun"'))).toBe(true);
    await strangers.call('add', { a: 1, b: 1 });
    const theirEvents = await readEvents(other as ReadableStream<Uint8Array>, (all) => dataOf(all).some(({ status }) => status === 'ok'));
    expect(
      dataOf(theirEvents)
        .map(({ tool }) => tool)
        .filter((tool) => tool !== 'add'),
    ).toEqual([]);
    expect(theirEvents.some((event) => event.includes('progress'))).toBe(false);
    await server.close();
  });

  test('goes on where a client left it', async () => {
    const server = createServer(makeToolbox(), { auth });
    const send = (a: number) =>
      server.fetch(
        new Request('http://127.0.0.1/v1/tools/add', {
          method: 'POST',
          headers: { 'x-api-key': 'caller', 'content-type': 'application/json' },
          body: JSON.stringify({ a, b: 0 }),
        }),
      );
    const { body } = await server.fetch(request('caller'));
    await send(1);
    const first = await readEvents(body as ReadableStream<Uint8Array>, (seen) => dataOf(seen).some(({ status }) => status === 'ok'));
    const lastId = /^id: (\S+)$/m.exec(first.at(-1) ?? '')?.[1] ?? '';
    expect(lastId).not.toBe('');
    const ids = new Set(dataOf(first).map(({ id }) => id));
    await send(2);
    await send(3);
    const again = await server.fetch(request('caller', { 'last-event-id': lastId }));
    const rest = await readEvents(
      again.body as ReadableStream<Uint8Array>,
      (seen) => new Set([...ids, ...dataOf(seen).map(({ id }) => id)]).size >= 3,
    );
    expect(new Set([...ids, ...dataOf(rest).map(({ id }) => id)]).size).toBe(3);
    await server.close();
  });
});

test('the stream misses nothing where every connection breaks after one event', async () => {
  const toolbox = makeToolbox();
  const server = createServer(toolbox);
  const seen = new Set<string>();
  let lastId: string | undefined;
  async function readUntil(name: string): Promise<void> {
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    const { body } = await server.fetch(new Request('http://127.0.0.1/v1/calls/stream', { headers }));
    const read = await readEvents(body as ReadableStream<Uint8Array>, (all) => all.some((event) => event.includes(`event: ${name}`)));
    for (const event of read) {
      lastId = /^id: (\S+)$/m.exec(event)?.[1] ?? lastId;
      if (event.includes('event: call')) seen.add(JSON.parse(event.slice(event.indexOf('data: ') + 6)).id);
    }
  }
  await readUntil('watching');
  const made = await Promise.all(Array.from({ length: 12 }, (_, a) => toolbox.answer({ name: 'add', args: { a, b: 0 } })));
  for (let connections = 0; connections < 12; connections += 1) await readUntil('call');
  expect(made.filter(({ meta }) => !seen.has(meta.invocationId ?? ''))).toEqual([]);
  await server.close();
});

test('the stream says when the store does not answer, and when it does again', async () => {
  const store = memoryStore();
  const ledger = store.calls as Ledger;
  let isDown = false;
  const list: Ledger['list'] = (query) => (isDown ? Promise.reject(new Error('disk full')) : ledger.list(query));
  const toolbox = createToolbox(sampleTools, { report: () => undefined, store: { ...store, calls: { ...ledger, list } } });
  const server = createServer(toolbox);
  const { body } = await server.fetch(new Request('http://127.0.0.1/v1/calls/stream'));
  const names = (events: readonly string[]) => events.map((event) => /^event: (\w+)$/m.exec(event)?.[1]);
  isDown = true;
  const seen = await readEvents(body as ReadableStream<Uint8Array>, (events) => {
    if (names(events).includes('stalled')) isDown = false;
    return names(events).filter((name) => name === 'watching').length === 2;
  });
  expect(names(seen)).toEqual(['watching', 'stalled', 'watching']);
  await server.close();
});

describe('a hostile client of the stream', () => {
  const chatter = defineTool({
    name: 'chatter',
    description: 'Reports very often.',
    input: z.object({}),
    effects: 'none',
    run: (_, { progress }) => {
      for (let done = 0; done < 50_000; done += 1) progress({ message: 'on and on', done, total: 50_000 });
      return 'done';
    },
  });
  const streamOf = (server: ReturnType<typeof createServer>, headers: Record<string, string> = {}) =>
    server.fetch(new Request('http://127.0.0.1/v1/calls/stream', { headers: { 'x-api-key': 'caller', ...headers } }));

  test('that never reads costs a bounded part of the memory, and its stream ends', async () => {
    const toolbox = createToolbox([chatter], { report: () => undefined, store: memoryStore() });
    const server = createServer(toolbox, { auth });
    const { body } = await streamOf(server);
    expect(await toolbox.call('chatter', {}, { tenantId: ours, timeoutMs: 60_000 })).toMatchObject({ status: 'ok' });
    let bytes = 0;
    for await (const part of body as unknown as AsyncIterable<Uint8Array>) bytes += part.length;
    expect(bytes).toBeLessThan(1_200_000);
    await server.close();
  });

  test('that opens very many takes no stream from other tenants, and may open one again when one has ended', async () => {
    const server = createServer(makeToolbox(), { auth });
    const streams = await Promise.all(Array.from({ length: 120 }, () => streamOf(server)));
    const opened = streams.filter(({ status }) => status === 200);
    expect([opened.length, new Set(streams.map(({ status }) => status))]).toEqual([100, new Set([200, 429])]);
    expect((await streamOf(server, { 'x-api-key': 'stranger' })).status).toBe(200);
    await opened[0]?.body?.cancel();
    await vi.waitFor(async () => expect((await streamOf(server)).status).toBe(200), 60_000);
    await server.close();
  });

  test.each(['garbage', '-1', '1e308', 'Infinity', '0x10', "1' OR 1=1", '9'.repeat(5_000)])(
    'sees new calls after Last-Event-ID: %s',
    async (id) => {
      const toolbox = makeToolbox();
      const server = createServer(toolbox, { auth });
      const { status, body } = await streamOf(server, { 'last-event-id': id });
      expect(status).toBe(200);
      await toolbox.answer({ name: 'add', args: { a: 1, b: 1 } }, { tenantId: ours });
      const seen = await readEvents(body as ReadableStream<Uint8Array>, (events) =>
        events.some((event) => event.includes('"status":"ok"')),
      );
      expect(seen.at(-1)).toContain('"tool":"add"');
      await server.close();
    },
  );
});

describe('the client', () => {
  const open = (server: ReturnType<typeof createServer>, apiKey?: string) =>
    createClient('http://127.0.0.1', {
      ...(apiKey !== undefined && { apiKey }),
      fetch: ((url, init) => server.fetch(new Request(url, init))) as typeof fetch,
    });

  test('lists, finds, counts and watches calls, and stops one', async () => {
    const server = createServer(makeToolbox());
    const client = open(server);
    await client.call('add', { a: 1, b: 2 });
    const page = await client.calls({ tool: 'add', limit: 1 });
    expect(page).toMatchObject({ status: 'ok', data: { calls: [{ tool: 'add', status: 'ok' }] } });
    const id = page.status === 'ok' ? (page.data.calls[0]?.id ?? '') : '';
    expect(await client.findCall(id)).toMatchObject({ status: 'ok', data: { id, modelText: '{"sum":3}', outcome: { status: 'ok' } } });
    expect(await client.summarizeCalls()).toMatchObject({ status: 'ok', data: { total: 1, complete: true, tools: [{ tool: 'add' }] } });
    expect(await client.cancel(id)).toMatchObject({ status: 'error', error: { kind: 'not_found' } });

    const seen: unknown[] = [];
    let isConnected = false;
    const connecting = (async (url, init) => {
      const answer = await server.fetch(new Request(url, init));
      isConnected = true;
      return answer;
    }) as typeof fetch;
    const watching = createClient('http://127.0.0.1', { fetch: connecting }).watchCalls({ tool: ['wait', 'pay'] });
    const first = watching.next();
    await expect.poll(() => isConnected).toBe(true);
    const waiting = client.call('wait', {});
    for (let news = await first; news.done !== true; news = await watching.next()) {
      const { data } = news.value as { data: { is: string; id?: string; call?: { id: string; status: string } } };
      seen.push(data.is === 'call' ? data.call?.status : data.is);
      if (data.call?.status === 'running') expect(await client.cancel(data.call.id)).toMatchObject({ status: 'ok' });
      if (data.call?.status === 'ok') break;
    }
    await watching.return();
    await waiting;
    expect(seen).toEqual(expect.arrayContaining(['running', 'progress', 'ok']));
    await server.close();
  });

  test('watches on where a connection broke, and ends where the server refuses', async () => {
    const server = createServer(makeToolbox(), { auth });
    let connections = 0;
    const breaking = (async (url, init) => {
      connections += 1;
      const answer = await server.fetch(new Request(url, init));
      if (connections > 1) return answer;
      // The first connection breaks after its first event.
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const { value } = await reader.read();
      await reader.cancel();
      return new Response(value as never, { headers: answer.headers });
    }) as typeof fetch;
    const watching = createClient('http://127.0.0.1', { apiKey: 'caller', fetch: breaking }).watchCalls();
    const next = watching.next();
    await expect.poll(() => connections).toBeGreaterThan(0);
    await open(server, 'caller').call('add', { a: 1, b: 1 });
    expect((await next).value).toMatchObject({ status: 'ok', data: { is: 'call', call: { tool: 'add' } } });
    expect(connections).toBeGreaterThan(1);
    await watching.return();
    const refused = [];
    for await (const news of open(server, 'nobody').watchCalls()) refused.push(news);
    expect(refused).toMatchObject([{ status: 'error', error: { kind: 'unauthenticated' } }]);
    await server.close();
  });
});

test('the stream carries what other processes of the same store do, their progress too', async () => {
  const store = memoryStore();
  const make = () => createToolbox([wait], { report: () => undefined, store });
  const server = createServer(make());
  const { body } = await server.fetch(new Request('http://127.0.0.1/v1/calls/stream'));
  const elsewhere = make().call('wait', {}, { invocationId: 'elsewhere' });
  const events = await readEvents(body as ReadableStream<Uint8Array>, (seen) => {
    if (seen.some((event) => event.startsWith('event: progress'))) go('done');
    return seen.some((event) => event.includes('"status":"ok"'));
  });
  await elsewhere;
  expect(events.filter((event) => event.startsWith('event: progress'))).toEqual([
    'event: progress\ndata: {"id":"elsewhere","tool":"wait","message":"begun"}',
  ]);
  await server.close();
});

test('a running call is stopped over HTTP, by its own tenant alone', async () => {
  const server = createServer(makeToolbox(), { auth });
  const send = (who: string, path: string, body?: unknown) =>
    server.fetch(
      new Request(`http://127.0.0.1${path}`, {
        method: 'POST',
        headers: { 'x-api-key': who, 'content-type': 'application/json', 'x-invocation-id': '0f4e6712-6d04-4514-b6cb-943b0667d45c' },
        body: JSON.stringify(body ?? {}),
      }),
    );
  const path = '/v1/calls/0f4e6712-6d04-4514-b6cb-943b0667d45c/cancel';
  const waiting = send('caller', '/v1/tools/wait');
  await expect.poll(async () => (await send('caller', path)).status).toBe(200);
  expect((await send('stranger', path)).status).toBe(404);
  expect((await (await waiting).json()).data).toBe('stopped');
  await server.close();
});
