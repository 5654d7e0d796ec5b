import type { RequestListener } from 'node:http';
import { knownOptions, refuseOptions } from 'toolpact/internal';
import type { ToolServer } from '../server-options.ts';
import { type Listening, listenWithin } from './listen-within.ts';
import { createNodeListener } from './node-listener.ts';

export type { Listening } from './listen-within.ts';

/** Where a server listens. */
export interface ListenOptions {
  /** 0 takes any free one. @default 8787 */
  readonly port?: number;
  /** Everything but the loopback needs a server with `auth` and `hosts`. @default '127.0.0.1' */
  readonly hostname?: string;
  /** Takes the next free port when this one is taken. @default false */
  readonly nextFreePort?: boolean;
}

const defaults = { port: 8787, hostname: '127.0.0.1', nextFreePort: false } as const satisfies Required<ListenOptions>;
const limits = { headersTimeoutMs: 10_000, requestTimeoutMs: 30_000, writeTimeoutMs: 30_000, maxConnections: 16_384 } as const;

/**
 * Listens on a port with Node's own HTTP server. Throws a `ToolpactError` for options that do not exist and for a public address that would be
 * open to everybody; rejects when the port is taken. A client gets 10 s for its headers and 30 s for its request, and is disconnected when it
 * takes no byte of its answer for 30 s; connections beyond 16,384 are closed.
 */
export async function listen(server: ToolServer, options: ListenOptions = {}): Promise<Listening> {
  refuseOptions('listen', options, knownOptions(defaults));
  return listenWithin(server, { ...defaults, ...options }, limits);
}

/** Creates a request listener for an HTTP server of your own, or for a framework on top of one: `app.use('/tools', toNodeListener(server))`. */
export function toNodeListener(server: ToolServer): RequestListener {
  return createNodeListener(server, limits.writeTimeoutMs);
}
