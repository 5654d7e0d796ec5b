import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FieldServer } from './field-servers.ts';

/** The part of a client of the official SDK that is used; it is loaded when a probe begins. */
export interface Client {
  onerror?: (error: Error) => void;
  connect(transport: Transport, options: { readonly timeout: number }): Promise<void>;
  request(request: object, schema: never, options?: { readonly timeout: number; readonly signal?: AbortSignal }): Promise<unknown>;
  close(): Promise<void>;
}

export interface Transport {
  send(message: never): Promise<void>;
}

/** Stands in the environment of every server, and must not come out of it. */
export const secret = 'fr-9c1e77a0d5b84f6c-secret';

/** Starts a server in its box and connects to it, behind the words of a gateway where they are given. `noise` counts the lines of its stdout that are no messages. */
export async function connect(
  server: FieldServer,
  cache: string,
  box: string,
  gateway: readonly string[] = [],
): Promise<{ readonly client: Client; readonly transport: Transport; readonly noise: () => number }> {
  const peers = createRequire(new URL('../peers/package.json', import.meta.url));
  const load = async (name: string): Promise<unknown> =>
    import(pathToFileURL(peers.resolve(`@modelcontextprotocol/sdk/client/${name}.js`)).href);
  const { Client: SdkClient } = (await load('index')) as { Client: new (info: object) => Client };
  const { StdioClientTransport } = (await load('stdio')) as { StdioClientTransport: new (options: object) => Transport };
  mkdirSync(join(box, 'notes'));
  writeFileSync(join(box, 'note.txt'), 'hello\n');
  writeFileSync(join(cache, 'offline.cjs'), offline);
  const own = (text: string): string => text.replaceAll('{box}', box);
  const env = Object.fromEntries(Object.entries(server.env ?? {}).map(([key, value]) => [key, own(value)]));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [
      ...(gateway.length === 0 ? [] : [...gateway, process.execPath]),
      '--require',
      join(cache, 'offline.cjs'),
      join(cache, 'node_modules', server.name, server.file),
      ...(server.words ?? []).map(own),
    ],
    env: { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: box, FIELD_REPORT_TOKEN: secret, ...env },
    cwd: box,
    stderr: 'ignore',
  });
  const client = new SdkClient({ name: 'toolpact-field-report', version: '1.0.0' });
  let noise = 0;
  client.onerror = ({ name }) => {
    // Anything else is an answer that came too late, and no fault of the server.
    if (name === 'SyntaxError' || name === 'ZodError') noise += 1;
  };
  await client.connect(transport, { timeout: 30_000 });
  return { client, transport, noise: () => noise };
}

/** Loaded before the server: no name is asked for, and whoever it wants to reach elsewhere refuses the connection. */
const offline = `const net = require('node:net');
const dns = require('node:dns');
const { connect } = net.Socket.prototype;
const isOwn = (host) => typeof host !== 'string' || /^(localhost$|127\\.|::1$)/.test(host);
net.Socket.prototype.connect = function (...words) {
  const [to] = Array.isArray(words[0]) ? words[0] : words;
  if (typeof to === 'object' && to !== null && typeof to.path !== 'string' && !isOwn(to.host)) Object.assign(to, { host: '127.0.0.1', port: 9 });
  return connect.apply(this, words);
};
const unknown = (host) => Object.assign(new Error('getaddrinfo ENOTFOUND ' + host), { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: host });
const { lookup } = dns;
dns.lookup = (host, ...words) => (isOwn(host) ? lookup(host, ...words) : process.nextTick(words.at(-1), unknown(host)));
const { lookup: later } = dns.promises;
dns.promises.lookup = async (host, ...words) => {
  if (!isOwn(host)) throw unknown(host);
  return later(host, ...words);
};
`;
