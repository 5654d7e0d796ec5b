import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real server on this machine, and what it was asked. */
export interface Loopback {
  readonly origin: string;
  readonly port: number;
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: string;
  }[];
}

export type Answer = (request: IncomingMessage & { readonly text: string }, response: ServerResponse) => unknown;

/** Starts a server that ends with the test. A site without robots.txt is the usual case, so that is answered unless the test does. */
export async function startLoopback(answer: Answer, { host = '127.0.0.1', port = 0, robots = true } = {}): Promise<Loopback> {
  const requests: Loopback['requests'] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    if (robots && request.url === '/robots.txt') return response.writeHead(404).end();
    const text = Buffer.concat(await request.toArray()).toString();
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: text });
    return answer(Object.assign(request, { text }), response);
  };
  const server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port: bound } = server.address() as AddressInfo;
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound, requests };
}

/** Answers with JSON. */
export function json(response: ServerResponse, body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with a page. */
export function page(response: ServerResponse, html: string | Buffer, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
}

/** A page with enough text to be an article, and things around it that are none. */
export function article(title: string, ...paragraphs: readonly string[]): string {
  return `<!doctype html><html><head><title>${title}</title><style>p { color: red }</style></head><body>
    <nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>
    <article><h1>${title}</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}</article>
    <script>track('visitor')</script><footer>Imprint, cookies, newsletter</footer></body></html>`;
}
