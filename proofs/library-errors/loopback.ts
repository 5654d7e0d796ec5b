import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

export type Handler = (request: http.IncomingMessage, response: http.ServerResponse, body: string) => void;
export type Certificate = 'self-signed' | 'expired' | 'other-host';

const cleanups: (() => unknown)[] = [];

/** A scratch folder of this run. */
export const scratch = mkdtempSync(join(tmpdir(), 'library-errors-'));

/** A name that never resolves (RFC 2606). */
export const unknownHost = 'http://no-such-host.invalid';

/** Runs something when all cases are done, last registered first. */
export function afterwards(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Closes every server, socket and client of this run. */
export async function closeLoopback(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await Promise.resolve()
      .then(cleanup)
      .catch(() => {});
  }
  rmSync(scratch, { recursive: true, force: true });
}

/** Starts a raw TCP server. */
export async function tcp(onSocket: (socket: net.Socket) => void): Promise<{ port: number; origin: string }> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    afterwards(() => socket.destroy());
    onSocket(socket);
  });
  const port = await listen(server);
  return { port, origin: `http://127.0.0.1:${port}` };
}

/** Starts an HTTP server, or an HTTPS one with the given certificate. */
export async function serve(handler: Handler, tls?: https.ServerOptions): Promise<string> {
  const onRequest = (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => {});
    request.on('end', () => handler(request, response, Buffer.concat(chunks).toString()));
  };
  const server = tls ? https.createServer(tls, onRequest) : http.createServer(onRequest);
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('tlsClientError', () => {});
  afterwards(() => server.closeAllConnections());
  return `${tls ? 'https' : 'http'}://127.0.0.1:${await listen(server)}`;
}

/** Answers every request alike; anything but a string goes out as JSON. */
export function reply(status: number, body: unknown = '', headers: http.OutgoingHttpHeaders = {}): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
  return serve((request, response) => {
    response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text), ...headers });
    response.end(request.method === 'HEAD' ? undefined : text);
  });
}

/** Answers with the page of a load balancer. */
export function html(status: number, title: string): Promise<string> {
  const page = `<html>\r\n<head><title>${status} ${title}</title></head>\r\n<body>\r\n<center><h1>${status} ${title}</h1></center>\r\n<hr><center>nginx/1.27.4</center>\r\n</body>\r\n</html>\r\n`;
  return reply(status, page, { 'content-type': 'text/html', server: 'nginx/1.27.4' });
}

/** Answers 200 and JSON that stops in the middle, correctly framed. */
export function brokenJson(): Promise<string> {
  return reply(200, '{"id":"item_1","tags":["a","b', { 'content-type': 'application/json' });
}

/** Accepts the request and never answers. */
export function hang(): Promise<string> {
  return serve(() => {});
}

/** Sends headers and the first bytes, then falls silent. */
export function stalled(type = 'application/json'): Promise<string> {
  return serve((_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': 4096 });
    response.write('{"items":[');
  });
}

/** Promises more bytes than it sends, then drops the connection. */
export function truncated(type = 'application/json'): Promise<string> {
  return serve((_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': 4096 });
    response.write('{"items":[1,2,', () => setTimeout(() => response.destroy(), 15));
  });
}

/** Sends the client from one place to the next for ever. */
export function redirectLoop(): Promise<string> {
  let hops = 0;
  return serve((_request, response) => response.writeHead(302, { location: `/hop/${++hops}` }).end());
}

/** Resets the connection as soon as it speaks. */
export async function reset(): Promise<string> {
  return (await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))).origin;
}

/** Closes the connection without an answer. */
export async function hangup(): Promise<string> {
  return (await tcp((socket) => socket.once('data', () => socket.end()))).origin;
}

/** Answers in something that is not HTTP. */
export async function garbage(): Promise<string> {
  return (await tcp((socket) => socket.once('data', () => socket.end('220 mail.example.net ESMTP ready\r\n')))).origin;
}

/** A port that accepts connections and stays silent. */
export async function mute(): Promise<{ port: number; origin: string }> {
  return tcp(() => {});
}

/** An `https:` address whose port speaks plain HTTP. */
export async function plainHttpPort(): Promise<string> {
  const { port } = await tcp((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n')));
  return `https://127.0.0.1:${port}`;
}

let freePort: Promise<number> | undefined;

/** A loopback port that nothing listens on; below the range from which systems hand out ports. */
export function closedPort(): Promise<number> {
  freePort ??= (async () => {
    for (let port = 23_511; port < 23_611; port++) {
      const refused = await new Promise((resolve) => {
        const socket = net.connect(port, '127.0.0.1', () => resolve(false));
        socket.on('error', () => resolve(true)).on('connect', () => socket.destroy());
      });
      if (refused) return port;
    }
    throw new Error('every probed port is in use');
  })();
  return freePort;
}

/** An address where nothing listens. */
export async function refused(): Promise<string> {
  return `http://127.0.0.1:${await closedPort()}`;
}

const certificates = new Map<Certificate, Promise<{ key: string; cert: string }>>();

/** Creates a certificate once per run. */
export function certificate(kind: Certificate): Promise<{ key: string; cert: string }> {
  const day = 86_400_000;
  const made =
    certificates.get(kind) ??
    generate([{ name: 'commonName', value: 'loopback test' }], {
      keyType: 'ec',
      algorithm: 'sha256',
      notBeforeDate: new Date(Date.now() - 30 * day),
      notAfterDate: new Date(Date.now() + (kind === 'expired' ? -day : 30 * day)),
      extensions: [
        { name: 'basicConstraints', cA: true, critical: true },
        {
          name: 'subjectAltName',
          altNames: kind === 'other-host' ? [{ type: 2, value: 'other.example' }] : [{ type: 7, ip: '127.0.0.1' }],
        },
      ],
    }).then((pair) => ({ key: pair.private, cert: pair.cert }));
  certificates.set(kind, made);
  return made;
}

/** Starts an HTTPS server with a bad certificate; `ca` makes clients trust its issuer. */
export async function tls(kind: Certificate): Promise<{ origin: string; ca: string }> {
  const pair = await certificate(kind);
  return { origin: await serve((_request, response) => response.end('secure'), pair), ca: pair.cert };
}

/** Aborts after a while, as a user would. */
export function abortSoon(reason?: unknown): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 60);
  return controller.signal;
}

function listen(server: net.Server): Promise<number> {
  afterwards(() => server.close());
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
