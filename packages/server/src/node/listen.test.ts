import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { preset } from '@toolpact/origins/coded';
import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { anywhere, limits } from '../../test/serve-ways.ts';
import { createServer } from '../create-server.ts';
import { createInspectorProxy } from '../inspector/create-inspector-proxy.ts';
import { type Listening, listen, toNodeListener } from './listen.ts';
import { listenWithin } from './listen-within.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const kept = (listening: Listening): Listening => {
  closers.push(() => listening.close());
  return listening;
};
const server = () => createServer(createToolbox([]));

/** Takes a port with another server. */
async function takePort(): Promise<number> {
  const http = createHttpServer();
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => http.close());
  return (http.address() as AddressInfo).port;
}

interface Started {
  readonly socket: Socket;
  readonly server: Server;
}

/** Gives the server's side of the next request, at the moment at which it begins. */
function nextRequest<TValue>(take: (started: Started) => TValue): Promise<Awaited<TValue>> {
  return new Promise((resolve) => {
    const channel = 'http.server.request.start';
    const onStart = (message: unknown): void => {
      unsubscribe(channel, onStart);
      resolve(take(message as Started) as Awaited<TValue>);
    };
    subscribe(channel, onStart);
  });
}

test('a server listens on this machine alone, on a free port if it is asked to', async () => {
  const { url, port, hostname } = kept(await listen(server(), { port: 0 }));
  expect([url, hostname]).toEqual([`http://127.0.0.1:${port}`, '127.0.0.1']);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a port that is taken is an error that tells what to do', async () => {
  const port = await takePort();
  await expect(listen(server(), { port })).rejects.toThrow(
    `port ${port} of 127.0.0.1 is taken; name another one, 0 for any, or set nextFreePort`,
  );
});

test('HEAD of an endless stream ends, and its connection takes the next request', async () => {
  const toolbox = createToolbox([], { store: memoryStore() });
  const { port } = kept(await listen(createServer(toolbox), { port: 0 }));
  const socket = connect(port, '127.0.0.1');
  closers.push(() => socket.destroy());
  socket.setEncoding('utf8');
  for (const target of ['HEAD /v1/calls/stream', 'GET /healthz']) socket.write(`${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  let text = '';
  for await (const part of socket as AsyncIterable<string>) {
    text += part;
    if (text.split('HTTP/1.1 200').length > 2) break;
  }
  expect(text).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/event-stream.*\r\n\r\nHTTP\/1\.1 200 /s);
});

/** Serves an echo tool from an HTTP server that has read the body of each request before, as body parsers do. */
async function serveBehindParser(leave: (text: string) => unknown): Promise<string> {
  const input = z.object({ city: z.string() });
  const echo = defineTool({ name: 'echo', description: 'Gives its arguments.', input, effects: 'none', run: (given) => given });
  const listener = toNodeListener(createServer(createToolbox([echo]), { maxBodyBytes: 100 }));
  const http = createHttpServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.on('end', () => listener(Object.assign(request, { body: leave(text) }), response));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  closers.push(() => http.close());
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/tools/echo`;
}
const post = (url: string, body: string) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

test.each([
  ['parsed', JSON.parse, 200],
  ['as text', (text: string) => text, 200],
  ['as bytes', (text: string) => Buffer.from(text), 200],
  ['nowhere', () => undefined, 499],
])('a body that a parser has read before is taken where it was left: %s', async (_, leave, status) => {
  const answer = await post(await serveBehindParser(leave), '{"city":"Oslo"}');
  expect([answer.status, status === 200 ? (await answer.json()).data : undefined]).toEqual([
    status,
    status === 200 ? { city: 'Oslo' } : undefined,
  ]);
});

test('a body that a parser has unpacked may not be too large either', async () => {
  const url = await serveBehindParser(() => ({ city: 'x'.repeat(200) }));
  expect((await post(url, '{}')).status).toBe(413);
});

test('the next free port is taken instead, when asked', async () => {
  const taken = await takePort();
  const { port, url } = kept(await listen(server(), { port: taken, nextFreePort: true }));
  expect(port).toBeGreaterThan(taken);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test('a request to shut down ends the listener, after the calls in flight', async () => {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    run: async () => {
      begun.resolve();
      await end.promise;
      return { done: true };
    },
  });
  const { url, closed } = kept(await listen(createServer(createToolbox([slow], { preset })), { port: 0 }));
  const post = (path: string, body: object) =>
    fetch(`${url}/api/v1/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const running = post('execute', { action: 'slow' });
  await begun.promise;
  expect((await post('server/shutdown', {})).status).toBe(200);
  expect((await post('execute', { action: 'slow' })).status).toBe(503);
  end.resolve();
  expect(await (await running).json()).toMatchObject({ code: 0, data: { done: true } });
  await closed;
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});

test('closing refuses new calls on connections that are open, answers those in flight, and ends', async () => {
  const end = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const slow = defineTool({
    name: 'slow',
    description: 'Waits.',
    effects: 'none',
    async run() {
      begun.resolve();
      await end.promise;
      return 'done';
    },
  });
  const { url, close } = await listen(createServer(createToolbox([slow])), { port: 0 });
  const call = () => fetch(`${url}/v1/tools/slow`, { method: 'POST' });
  await fetch(`${url}/healthz`).then((response) => response.text());
  const inFlight = call();
  await begun.promise;
  const closed = close({ drainMs: 60_000 });
  expect(close()).toBe(closed);
  await expect(call()).rejects.toThrow();
  end.resolve();
  const response = await inFlight;
  expect([response.status, ((await response.json()) as { data: string }).data]).toEqual([200, 'done']);
  await closed;
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test('a connection on which nothing was ever sent does not hold up the end', async () => {
  const { port, close } = await listen(server(), { port: 0 });
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // A request on another connection: by its answer the server has seen both.
  await fetch(`http://127.0.0.1:${port}/healthz`).then((response) => response.text());
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  socket.resume();
  await Promise.all([close({ drainMs: 1 }), once(socket, 'close')]);
  vi.useRealTimers();
});

test('what is no HTTP is answered as a problem, without a trace of the inside', async () => {
  const { port } = kept(await listen(server(), { port: 0 }));
  const text = await new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('HELLO\r\n\r\n'));
    let heard = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      heard += chunk;
    });
    socket.on('close', () => resolve(heard));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*application\/problem\+json[\s\S]*"status":400/);
});

test.each([
  ['no HTTP', 'nonsense\r\n\r\n'],
  ['half a request that never ends', 'GET /healthz HTTP/1.1\r\nHost: 127'],
])('a call that runs is answered with its own outcome when %s follows it on the connection', async (_, rest) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pay = defineTool({ name: 'pay', description: 'Pays.', run: () => promise.then(() => 'paid') });
  const { port } = kept(
    await listenWithin(createServer(createToolbox([pay])), anywhere, { ...limits, headersTimeoutMs: 500, requestTimeoutMs: 600 }),
  );
  const socket = connect(port, '127.0.0.1');
  closers.push(() => socket.destroy());
  const head = 'POST /v1/tools/pay HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  const refused = nextRequest(({ server: http }) => new Promise<void>((hear) => void http.once('clientError', () => hear())));
  socket.write(head + rest);
  // The call ends when the server has given up on what follows it.
  void refused.then(resolve);
  let text = '';
  for await (const part of socket.setEncoding('utf8') as AsyncIterable<string>) text += part;
  expect(text).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*"data":"paid"[^\n]*$/s);
});

test('a client that never reads its answer is disconnected', async () => {
  const big = defineTool({
    name: 'big',
    description: 'Gives much.',
    effects: 'none',
    maxResultChars: 10 ** 8,
    run: () => 'x'.repeat(50_000_000),
  });
  const { port } = kept(await listenWithin(createServer(createToolbox([big])), anywhere, { ...limits, writeTimeoutMs: 100 }));
  for (const accept of ['application/json', 'text/event-stream']) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    const head = [
      'POST /v1/tools/big HTTP/1.1',
      'host: 127.0.0.1',
      `accept: ${accept}`,
      'content-type: application/json',
      'content-length: 2',
    ];
    const served = nextRequest(({ socket: theirs }) => theirs);
    socket.write(`${head.join('\r\n')}\r\n\r\n{}`);
    await once(await served, 'close');
    socket.destroy();
  }
});

test('a request without a credential is refused before its body is read', async () => {
  const guarded = createServer(createToolbox([]), { auth: () => undefined, auditLog: false });
  const { port } = kept(await listen(guarded, { port: 0 }));
  for (const path of ['/v1/tools/add', '/v1/batch', '/mcp', '/v1/approvals/x']) {
    const socket = connect(port, '127.0.0.1');
    socket.setEncoding('utf8');
    // The body that is announced here is never sent.
    socket.write(`POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [string];
    expect([path, answer.slice(0, 12)]).toEqual([path, 'HTTP/1.1 401']);
    socket.destroy();
  }
});

test('a client that waits for permission to send its body is refused before it sends it, and otherwise asked for it', async () => {
  const echo = defineTool({ name: 'echo', description: 'Echoes.', effects: 'none', run: () => 'heard' });
  const { port, url } = kept(await listen(createServer(createToolbox([echo])), { port: 0 }));
  const proxy = kept(await listen(createInspectorProxy(new URL(url)), { port: 0 }));
  const begin = async (length: number, to = port): Promise<{ readonly socket: Socket; readonly answer: string }> => {
    const socket = connect(to, '127.0.0.1').setEncoding('utf8');
    const head = ['POST /v1/tools/echo HTTP/1.1', 'host: 127.0.0.1', 'content-type: application/json', 'expect: 100-continue'];
    socket.write(`${[...head, `content-length: ${length}`].join('\r\n')}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [string];
    return { socket, answer };
  };
  for (const to of [port, proxy.port]) {
    const refused = await begin(99_000_000, to);
    expect(refused.answer.slice(0, 12)).toBe('HTTP/1.1 413');
    expect(refused.answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    refused.socket.destroy();
  }
  const { socket, answer } = await begin(2);
  expect(answer).toBe('HTTP/1.1 100 Continue\r\n\r\n');
  socket.write('{}');
  const [final] = (await once(socket, 'data')) as [string];
  expect(final.slice(0, 12)).toBe('HTTP/1.1 200');
  expect(final.toLowerCase()).toContain('\r\nconnection: keep-alive\r\n');
  socket.destroy();
});
