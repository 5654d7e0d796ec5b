import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ToolpactError } from 'toolpact';
import { keepProcess, systemClock } from 'toolpact/internal';
import { isLoopbackName } from '../check-options.ts';
import type { ToolServer } from '../server-options.ts';
import { continueLater, createNodeListener } from './node-listener.ts';
import { refuseClient } from './refuse-client.ts';

/** Where a server listens. */
export interface ListenPlace {
  readonly port: number;
  readonly hostname: string;
  readonly nextFreePort: boolean;
}

/** Limits on what clients may take of a server. */
export interface HttpLimits {
  /** For so long a client may take to send its headers, and a whole request. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** A client that takes no byte of its answer for so long is disconnected. */
  readonly writeTimeoutMs: number;
  /** More connections than this are closed at once. */
  readonly maxConnections: number;
}

/** A server that listens. */
export interface Listening {
  readonly url: string;
  readonly hostname: string;
  readonly port: number;
  /** Takes no more connections, lets calls in flight finish for `drainMs`, stops the rest, and closes the server. @default drainMs 10_000 */
  readonly close: (options?: { readonly drainMs?: number }) => Promise<void>;
  /** Resolves when it listens no more, by `close` or because its server was asked to shut down. */
  readonly closed: Promise<void>;
}

const maxPorts = 100;
/** Answers that are written already get this long to reach their clients. */
const lastMs = 2_000;

/** Listens at a place, within limits. */
export async function listenWithin(server: ToolServer, place: ListenPlace, limits: HttpLimits): Promise<Listening> {
  if (typeof server?.answer !== 'function') throw new ToolpactError('invalid_argument', 'listen takes a server: createServer(toolbox)');
  checkAddress(server, place);
  const made = createHttp(server, limits);
  const { http } = made;
  const port = await bind(http, place);
  http.once('close', keepProcess());
  const { hostname } = place;
  let closing: Promise<void> | undefined;
  const closeOnce: Listening['close'] = (how) => {
    closing ??= close(made, server, how);
    return closing;
  };
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`,
    hostname,
    port,
    close: closeOnce,
    closed: server.closed.then(() => closeOnce()),
  };
}

interface Http {
  readonly http: Server;
  /** The connections that are open. */
  readonly sockets: ReadonlySet<Socket>;
}

function createHttp(server: ToolServer, limits: HttpLimits): Http {
  const { headersTimeoutMs, requestTimeoutMs, maxConnections, writeTimeoutMs } = limits;
  const listener = createNodeListener(server, writeTimeoutMs);
  const http = createHttpServer(
    {
      headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
      requestTimeout: requestTimeoutMs,
      // Of two hosts or credentials neither counts, on whichever way a request is answered.
      joinDuplicateHeaders: true,
      // Node looks for clients that are too slow this often only; the usual 30 s would make every shorter limit a wish.
      connectionsCheckingInterval: Math.max(50, Math.min(1_000, headersTimeoutMs / 4, requestTimeoutMs / 4)),
    },
    listener,
  );
  http.on('checkContinue', continueLater(listener));
  http.maxConnections = maxConnections;
  const sockets = new Set<Socket>();
  http.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.setNoDelay(true);
  });
  http.on('clientError', refuseClient);
  return { http, sockets };
}

function checkAddress({ hasAuth, hosts }: ToolServer, { port, hostname }: ListenPlace): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ToolpactError('invalid_option', 'port must be a whole number from 0 to 65535', { option: 'port' });
  if (isLoopbackName(hostname)) return;
  if (!hasAuth)
    throw new ToolpactError(
      'invalid_option',
      `${hostname} can be reached by others, so the server needs auth; listen on 127.0.0.1, or give \`auth\` to createServer`,
    );
  if (hosts === undefined)
    throw new ToolpactError('invalid_option', `${hostname} can be reached under other names; tell createServer which, with \`hosts\``);
}

/** Binds the port, or one of the next, and gives the one it has bound. */
async function bind(http: Server, { port, hostname, nextFreePort }: ListenPlace): Promise<number> {
  for (let tried = port; ; tried += 1) {
    try {
      await new Promise<void>((resolve, reject) => {
        http.once('error', reject);
        http.listen({ port: tried, host: hostname, backlog: 4_096 }, () => {
          http.off('error', reject);
          resolve();
        });
      });
      return (http.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (isTaken && nextFreePort && tried < Math.min(65_535, port + maxPorts)) continue;
      if (isTaken)
        throw new Error(`port ${port} of ${hostname} is taken; name another one, 0 for any, or set nextFreePort`, { cause: error });
      throw error;
    }
  }
}

async function close({ http, sockets }: Http, server: ToolServer, options: { readonly drainMs?: number } | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    http.close(() => resolve());
  });
  await server.close(options);
  http.closeIdleConnections();
  // Clients open connections ahead; Node takes those for busy until a first request was answered.
  for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  const stopSweep = systemClock.every(20, () => http.closeIdleConnections());
  const stopLast = systemClock.after(lastMs, () => http.closeAllConnections());
  await closed;
  stopSweep();
  stopLast();
}
