import { connect, type Socket } from 'node:net';
import { createToolbox, defineTool } from 'toolpact';
import type { Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { sampleTools } from './sample-tools.ts';
import { type Served, sendByHttp, serve } from './serve-ways.ts';

const listeners = ['listener'] as const;
const open = (url: string): Socket => connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
const head = (path: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n${more}\r\n`;

/** Reads a connection until it is closed, or until it holds so many answers. */
function read(socket: Socket, answers = Number.POSITIVE_INFINITY): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('HTTP/1.1 ').length > answers && text.endsWith('}')) resolve(text);
    });
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

describe.each(listeners)('under load and faults, the %s', (way) => {
  let served: Served;
  beforeAll(async () => {
    served = await serve(way, createToolbox(sampleTools, { report: () => {} }));
  });
  afterAll(() => served.close({ drainMs: 1 }));
  const works = async (asked = served): Promise<void> => {
    expect((await asked.send('POST', '/v1/tools/add', { body: { a: 1, b: 2 } })).json.data).toEqual({ sum: 3 });
  };

  test('answers ten thousand calls that all run at once', async () => {
    const connections = 1_000;
    const perConnection = 10;
    let running = 0;
    const all = Promise.withResolvers<void>();
    const meet = defineTool({
      name: 'meet',
      description: 'Ends when all have come.',
      input: z.object({ number: z.number() }),
      effects: 'none',
      async run({ number }) {
        running += 1;
        if (running === connections * perConnection) all.resolve();
        await all.promise;
        return { number };
      },
    });
    const crowded = await serve(way, createToolbox([meet]));
    const numbers = Array.from({ length: connections }, async (_, index) => {
      const socket = open(crowded.url);
      const bodies = Array.from({ length: perConnection }, (__, place) => JSON.stringify({ number: index * perConnection + place }));
      socket.write(bodies.map((body) => `${head('/v1/tools/meet', `Content-Length: ${body.length}\r\n`)}${body}`).join(''));
      const text = await read(socket, perConnection);
      socket.destroy();
      return [...text.matchAll(/"data":\{"number":(\d+)\}/g)].map(([, number]) => Number(number));
    });
    const answered = (await Promise.all(numbers)).flat();
    expect(answered).toEqual(Array.from({ length: connections * perConnection }, (_, index) => index));
    await crowded.close();
  });

  test('gives up on clients that send their headers or bodies a bit at a time', async () => {
    const impatient = { headersTimeoutMs: 200, requestTimeoutMs: 400 };
    const own = await serve(way, createToolbox(sampleTools, { report: () => {} }), {}, impatient);
    const slowHead = open(own.url);
    slowHead.write('POST /v1/tools/add HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ');
    const slowBody = open(own.url);
    slowBody.write(`${head('/v1/tools/add', 'Content-Length: 100\r\n')}{"a"`);
    const slowChunks = open(own.url);
    slowChunks.write(`${head('/v1/tools/add', 'Transfer-Encoding: chunked\r\n')}4\r\n{"a"\r\n`);
    const closed = Promise.all([slowHead, slowBody, slowChunks].map((socket) => read(socket)));
    // On a busy machine an honest client may be too slow for this server as well, and asks again.
    await vi.waitFor(() => works(own));
    for (const answer of await closed) expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*application\/problem\+json[\s\S]*"status":408/);
    await vi.waitFor(() => works(own));
    await own.close({ drainMs: 1 });
  });

  test('refuses a hundred megabytes before it has read them, announced or not', async () => {
    const total = 100 * 2 ** 20;
    const announced = open(served.url);
    announced.write(head('/v1/tools/add', `Content-Length: ${total}\r\n`));
    expect(await read(announced, 1)).toMatch(/^HTTP\/1\.1 413 [\s\S]*"kind":"too_large"/);
    announced.destroy();

    const streamed = open(served.url);
    streamed.write(head('/v1/tools/add', 'Transfer-Encoding: chunked\r\n'));
    const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 0x20), Buffer.from('\r\n')]);
    let sent = 0;
    const push = (): void => {
      while (sent < total && !streamed.destroyed) {
        sent += 65_536;
        if (!streamed.write(chunk)) return;
      }
    };
    streamed.on('drain', push);
    const answer = read(streamed, 1);
    push();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"kind":"too_large"/);
    expect(sent).toBeLessThan(total);
    streamed.destroy();
    await works();
  });

  test.each([
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['brackets without end', Buffer.from('['.repeat(500_000))],
    ['objects without end', Buffer.from('{"a":'.repeat(150_000))],
    ['a number without end', Buffer.from(`{"a":${'9'.repeat(900_000)},"b":1}`)],
    ['an exponent nobody can hold', Buffer.from('{"a":1e400,"b":1}')],
    ['half of it', Buffer.from('{"a":1,')],
  ])('refuses a body that is %s', async (_, body) => {
    const { status, json } = await served.send('POST', '/v1/tools/add', { body: new Uint8Array(body) });
    expect([status, json.error.kind]).toEqual([400, 'invalid_input']);
    await works();
  });

  test('is not changed by a body that aims at prototypes', async () => {
    const body = '{"a":1,"b":2,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    expect((await served.send('POST', '/v1/tools/add', { body })).status).toBe(200);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('ends a call whose tool never does, while others go on', async () => {
    const never = defineTool({
      name: 'never',
      description: 'Never ends.',
      effects: 'none',
      timeoutMs: 30,
      run: () => new Promise(() => {}),
    });
    const own = await serve(way, createToolbox([never], { report: () => {} }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => own.send('POST', '/v1/tools/never', { body: {} })));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.error.kind}`))).toEqual(new Set(['504 timeout']));
    await own.close();
  });

  test('answers while its store is dead, does nothing twice, and recovers with it', async () => {
    const { store, die, live } = mortalStore();
    const toolbox = createToolbox(sampleTools, { report: () => {}, store });
    const own = await serve(way, toolbox);
    const pay = () => own.send('POST', '/v1/tools/pay', { body: { amount: 1 }, headers: { 'idempotency-key': 'once' } });
    const first = await pay();
    die();
    const dead = await pay();
    const reading = await own.send('POST', '/v1/tools/add', { body: { a: 1, b: 2 } });
    const recall = await own.send('GET', `/v1/calls/${first.json.meta.invocationId}`);
    live();
    const again = await pay();
    expect([first.status, dead.status, dead.json.error.kind]).toEqual([200, 503, 'not_ready']);
    expect([reading.status, reading.json.meta.warnings]).toEqual([200, undefined]);
    expect([recall.status, recall.headers['retry-after']]).toEqual([503, '1']);
    expect([again.status, again.headers['idempotency-replayed'], again.json.data]).toEqual([200, 'true', first.json.data]);
    await own.close();
  });

  test('closes connections beyond its number, and refuses heads that are too large', async () => {
    const own = await serve(way, createToolbox(sampleTools), {}, { maxConnections: 2 });
    const [one, two] = [open(own.url), open(own.url)];
    await Promise.all([one, two].map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    await expect(sendByHttp(`${own.url}/healthz`, 'GET')).rejects.toThrow();
    two.destroy();
    one.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(await read(one)).toMatch(/^HTTP\/1\.1 431 /);
    await own.close();
  });
});

/** A store that can stop answering and come back with all it had. */
function mortalStore(): { readonly store: Store; readonly die: () => void; readonly live: () => void } {
  let isDead = false;
  const mortal = <TOwn extends object>(whole: TOwn): TOwn =>
    new Proxy(whole, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name);
        // The ledger of calls is a part of the store.
        if (typeof own === 'object' && own !== null) return mortal(own);
        if (typeof own !== 'function') return own;
        return (...words: unknown[]) =>
          isDead ? Promise.reject(new Error('connection lost')) : (own as (...all: unknown[]) => unknown).apply(target, words);
      },
    });
  return {
    store: mortal(memoryStore()),
    die: () => {
      isDead = true;
    },
    live: () => {
      isDead = false;
    },
  };
}
