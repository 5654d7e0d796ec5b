import { legacyStatelessFallback, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isObject, type StopTimer, systemClock } from 'toolpact/internal';
import { type McpCaller, toAuthInfo } from './caller.ts';
import { messagesOf } from './messages-of.ts';
import type { McpServers } from './servers.ts';
import { type EndableSession, sessionToEnd } from './session-to-end.ts';
import type { McpNotifier, McpSessionLimits } from './settings.ts';
import { type ClientSubscriptions, createSubscriptions } from './subscriptions.ts';
import { watchResponse } from './watch-response.ts';

/** Serves clients of 2025-11-25 and before, with sessions where they open one. */
export interface McpSessions {
  readonly fetch: (request: Request, caller: McpCaller, body: unknown) => Promise<Response>;
  /** Notifies every session of a change. */
  readonly tell: (say: (server: McpServer, isSubscribed: (uri: string) => boolean) => unknown) => void;
  readonly size: number;
  readonly close: () => Promise<void>;
}

interface Session extends EndableSession {
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly subscriptions: ClientSubscriptions;
  open: number;
  /** The ids of requests that are not answered yet, each with all of the same stream. */
  readonly asked: Map<unknown, readonly unknown[]>;
  usedAt: number;
}

const header = 'mcp-session-id';

/** Creates the sessions of older clients. Sessions end when they are deleted, idle for too long, or with the server; requests without one are answered on their own. */
export function createMcpSessions(
  servers: { readonly create: (serving: Parameters<McpServers['create']>[0], caller: McpCaller) => McpServer | Promise<McpServer> },
  notify: McpNotifier,
  limits: McpSessionLimits | false,
  now: () => number = Date.now,
): McpSessions {
  const { max = 1_000, idleMs = 1_800_000 } = limits === false ? { max: 0 } : limits;
  const sessions = new Map<string, Session>();
  let stopSweeper: StopTimer | undefined;
  const subscribe = createSubscriptions();
  const serving = ({ tenantId }: McpCaller) => ({ era: 'legacy' as const, notify, tenantId });

  /** Serves one request with a server of its own. */
  const alone = async (request: Request, caller: McpCaller, body: unknown): Promise<Response> =>
    isRepeated(requestIds(body))
      ? usedTwice(body)
      : legacyStatelessFallback(() => servers.create(serving(caller), caller))(request, { authInfo: toAuthInfo(caller), parsedBody: body });

  async function open(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    if (sessions.size >= max && !makeRoom(caller)) return alone(request, caller, body);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        transport.onclose = chain(() => {
          sessions.delete(id);
          session.subscriptions.clear();
        }, transport.onclose);
        sweepLater();
      },
    });
    const server = await servers.create(serving(caller), caller);
    const session: Session = {
      key: caller.key,
      tenantId: caller.tenantId,
      server,
      transport,
      subscriptions: subscribe(),
      open: 0,
      asked: new Map(),
      usedAt: now(),
    };
    await server.connect(transport);
    const response = await serve(session, request, caller, body);
    // A handshake that was refused opens nothing.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async function serve(session: Session, request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    const { transport, asked } = session;
    const ownIds = requestIds(body);
    if (isRepeated(ownIds) || ownIds.some((id) => asked.has(id))) return usedTwice(body);
    for (const id of ownIds) asked.set(id, ownIds);
    session.open += 1;
    session.usedAt = now();
    session.subscriptions.track(body);
    const left = (): void => {
      session.open -= 1;
      session.usedAt = now();
      for (const id of ownIds) asked.delete(id);
    };
    try {
      const response = await transport.handleRequest(request, {
        authInfo: toAuthInfo(caller),
        ...(body !== undefined && { parsedBody: body }),
      });
      endCancelled(session, body);
      return watchResponse(response, (whole) => {
        left();
        // Where the client is gone, its calls are cancelled.
        if (!whole) for (const id of ownIds) transport.onmessage?.(cancellation(id));
      });
    } catch (error) {
      left();
      throw error;
    }
  }

  /** Ends a session for a new one; false when none may end. */
  function makeRoom(caller: McpCaller): boolean {
    const session = sessionToEnd([...sessions.values()], caller, max);
    if (session === undefined) return false;
    void end(session);
    return true;
  }

  function sweepLater(): void {
    if (stopSweeper !== undefined || sessions.size === 0) return;
    stopSweeper = systemClock.after(
      Math.min(idleMs / 2, 60_000),
      () => {
        stopSweeper = undefined;
        for (const session of [...sessions.values()]) if (session.open === 0 && now() - session.usedAt >= idleMs) void end(session);
        sweepLater();
      },
      { background: true },
    );
  }

  function end({ server, transport }: Session): Promise<void> {
    if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    return server.close().catch(() => undefined);
  }

  return {
    async fetch(request, caller, body) {
      const id = request.headers.get(header);
      if (id !== null && max > 0) {
        const session = sessions.get(id);
        // A session of another caller is answered like one that does not exist.
        return session?.key === caller.key ? serve(session, request, caller, body) : notFound(body);
      }
      return isInitialize(body) && max > 0 ? open(request, caller, body) : alone(request, caller, body);
    },
    tell(say) {
      for (const { server, subscriptions } of sessions.values()) {
        // A client that cannot be notified must not keep the others from their notification.
        Promise.resolve()
          .then(() => say(server, subscriptions.has))
          .catch(() => undefined);
      }
    },
    get size() {
      return sessions.size;
    },
    async close() {
      stopSweeper?.();
      await Promise.all([...sessions.values()].map(end));
    },
  };
}

function isInitialize(body: unknown): boolean {
  return messagesOf(body).some(({ method }) => method === 'initialize');
}

/** The SDK knows a request by its id alone: of two with one id, one would never be answered. */
function isRepeated(ids: readonly unknown[]): boolean {
  return new Set(ids).size < ids.length;
}

function requestIds(body: unknown): unknown[] {
  return messagesOf(body).flatMap(({ method, id }) => (method === undefined || id === undefined ? [] : [id]));
}

/** Ends the streams of requests that a message cancels: the SDK does not answer those, and would keep their streams open. */
function endCancelled({ transport, asked }: Session, body: unknown): void {
  for (const { method, params } of messagesOf(body)) {
    if (method !== 'notifications/cancelled' || !isObject(params)) continue;
    const { requestId: id } = params as { readonly requestId: string };
    const ofStream = asked.get(id);
    if (ofStream?.length === 1) transport.closeSSEStream(id);
    // Other requests wait on the same stream.
    else if (ofStream !== undefined)
      transport.send({ jsonrpc: '2.0', id, error: { code: -32800, message: 'Request cancelled' } }).catch(() => undefined);
  }
}

function cancellation(requestId: unknown) {
  return { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId, reason: 'The client is gone.' } } as never;
}

function notFound(body: unknown): Response {
  return refusal(body, 404, { code: -32001, message: 'Session not found' });
}

function usedTwice(body: unknown): Response {
  return refusal(body, 400, { code: -32600, message: 'Invalid request: another request that is not answered yet has the same id' });
}

function refusal(body: unknown, status: number, error: { readonly code: number; readonly message: string }): Response {
  const [only] = messagesOf(body);
  const id = typeof only?.id === 'string' || typeof only?.id === 'number' ? only.id : null;
  return Response.json({ jsonrpc: '2.0', error, id }, { status });
}

function chain(first: () => unknown, second: (() => void) | undefined): () => void {
  return () => {
    first();
    second?.();
  };
}
