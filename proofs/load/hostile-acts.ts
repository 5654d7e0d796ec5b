import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Where a server listens, and the key of the caller. */
export interface Target {
  readonly url: string;
  readonly key: string;
}

/** One thing that a hostile caller does. It ends when the server has answered or closed, and never rejects for what the server refuses. */
export type Act = (target: Target) => Promise<unknown>;

const json = { 'content-type': 'application/json' };
const pick = <TItem>(items: readonly TItem[]): TItem => items[Math.floor(Math.random() * items.length)] as TItem;

/** Sends a request and reads its whole answer; undefined where the server closed the connection. */
export async function send({ url, key }: Target, path: string, body?: string, headers: Record<string, string> = {}, method = 'POST') {
  try {
    const own = key === '' ? {} : { 'x-api-key': key };
    const init = { method, headers: { ...json, ...own, ...headers }, ...(body !== undefined && { body }) };
    const response = await fetch(new URL(path, url), init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return undefined;
  }
}

const call = (target: Target, tool: string, args: unknown, headers?: Record<string, string>) =>
  send(target, `/v1/tools/${tool}`, JSON.stringify(args), headers);

/** Opens a connection, writes what is given, and holds it without reading a byte until the time is over or the server closes it. */
async function hold({ url, key }: Target, write: (line: (path: string, more: string) => string) => readonly string[], ms: number) {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
  const closed = new Promise<void>((resolve) => void socket.on('close', resolve).on('error', () => resolve()));
  const end = new AbortController();
  void closed.then(() => end.abort());
  const line = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\n${more}\r\n`;
  const parts = write(line);
  for (const part of parts) {
    if (!socket.destroyed) socket.write(part);
    await delay(ms / parts.length, undefined, { signal: end.signal }).catch(() => undefined);
  }
  socket.destroy();
}

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const accept = { accept: 'application/json, text/event-stream' };

/** Opens an MCP session, subscribes to long addresses, and leaves it. */
async function mcp(target: Target): Promise<void> {
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x'.repeat(1000), version: '1' } };
  const begun = await send(target, '/mcp', rpc('initialize', client), accept);
  const headers = { ...accept, 'mcp-session-id': begun?.headers.get('mcp-session-id') ?? '' };
  for (let count = 0; count < 5; count += 1) {
    await send(target, '/mcp', rpc('resources/subscribe', { uri: `test://${count}/${'u'.repeat(100_000)}` }), headers);
    await send(target, '/mcp', rpc('tools/call', { name: 'note', arguments: { text: 'x'.repeat(50_000) } }), headers);
  }
}

/** The acts of hostile callers, by name. */
export const acts: Readonly<Record<string, Act>> = {
  'huge headers': (target) => send(target, '/v1/tools/add', '{}', { 'x-huge': 'h'.repeat(100_000) }),
  'huge body': (target) => call(target, 'note', { text: 'x'.repeat(2_000_000) }),
  'full body': (target) => call(target, 'note', { text: 'x'.repeat(900_000) }),
  'bad JSON': (target) =>
    send(
      target,
      pick(['/v1/tools/add', '/v1/batch', '/v1/execute', '/mcp']),
      pick(['{', '[[[[', '"', '\0', `{"a":${'['.repeat(50_000)}`, '']),
    ),
  'odd JSON': (target) => send(target, '/v1/tools/add', pick(['null', '[]', '1e999', '{"__proto__":{"a":1}}', '{"a":"\\ud800","b":{}}'])),
  'wide object': (target) => call(target, 'add', Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1]))),
  'hostile pattern': (target) => call(target, 'match', { [`p${Math.floor(Math.random() * 5)}`]: `${'a'.repeat(5000)}!` }),
  'slow body': (target) => hold(target, (line) => [line('/v1/tools/note', 'Content-Length: 100000\r\n'), ...'{"te'], 2000),
  'slow headers': (target) => hold(target, () => ['POST /v1/tools/add HTTP/1.1\r\n', 'Host: 127.0.0.1\r\n', 'X-A: 1\r\n'], 2000),
  'reader that never reads': (target) =>
    hold(
      target,
      (line) => Array.from({ length: 8 }, () => `${line('/v1/tools/big', 'Accept: text/event-stream\r\nContent-Length: 2\r\n')}{}`),
      4000,
    ),
  'MCP session': mcp,
  'MCP stream that never reads': (target) =>
    hold(target, (line) => [line('/mcp', 'Accept: text/event-stream\r\nContent-Length: 2\r\n').replace('POST', 'GET'), '{}'], 2000),
  approval: (target) => call(target, 'wire', { text: `${Math.random()}${'x'.repeat(50_000)}` }),
  'list of approvals': (target) => send(target, '/v1/approvals?limit=100', undefined, {}, 'GET'),
  'resource session': (target) =>
    send(
      target,
      '/v1/sessions',
      JSON.stringify({ worker_id: crypto.randomUUID(), resource_type: 'desk', config: { note: 'c'.repeat(60_000) } }),
    ),
  'keyed call': (target) => call(target, 'pay', { amount: 1 }, { 'idempotency-key': `${Math.random()}` }),
  'failing call': (target) => call(target, 'break', { text: `${Math.random()} ${'secret '.repeat(60_000)}` }),
  'deferred call': (target) => call(target, 'again', {}),
  batch: (target) =>
    send(target, '/v1/batch', JSON.stringify({ calls: Array.from({ length: 100 }, () => ({ tool: 'add', args: { a: 1, b: 'x' } })) })),
  'call without a credential': ({ url }) => call({ url, key: '' }, 'note', { text: 'x'.repeat(900_000) }),
  'unknown tool': (target) => call(target, `no_such_${Math.random()}`, { text: 'x'.repeat(10_000) }),
};

/** A thousand calls at once. */
export const burst: Act = (target) => Promise.all(Array.from({ length: 1000 }, (_, index) => call(target, 'add', { a: index, b: 1 })));
