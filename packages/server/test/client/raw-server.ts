import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';

/** A request as it came over the wire. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A server that answers with whatever bytes it is told to, and remembers what was asked. */
export interface RawServer {
  readonly url: string;
  readonly asked: RawRequest[];
  /** How often something was sent to a path. */
  readonly count: (path: string) => number;
  readonly close: () => Promise<void>;
}

/** Starts such a server on the loopback. `answer` gets each request and the socket it came on. */
export async function startRaw(answer: (request: RawRequest, socket: Socket) => void): Promise<RawServer> {
  const asked: RawRequest[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    let text = '';
    socket.setEncoding('utf8').on('data', (piece) => {
      text += piece;
      const end = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) return;
      const [first = '', ...lines] = text.slice(0, end).split('\r\n');
      const [method = '', path = ''] = first.split(' ');
      const headers = Object.fromEntries(
        lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
      );
      const request = { method, path, headers, body: text.slice(end + 4) };
      text = '';
      asked.push(request);
      answer(request, socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    count: (path) => asked.filter((request) => request.path === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Writes a whole HTTP answer. */
export function http(status: number, body: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)), connection: 'close', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n${body}`;
}

/** Returns a server's list of one tool. */
export function toolList(name: string, effects: string): string {
  return http(
    200,
    JSON.stringify({ tools: [{ name, providerName: name, description: '', effects, inputSchema: {}, examples: [] }], total: 1, offset: 0 }),
  );
}
