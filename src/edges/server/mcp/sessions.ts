import { hash } from 'node:crypto';
import { legacyStatelessFallback, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isObject } from '../../../core/json/index.ts';
import { type StopTimer, systemClock } from '../../../core/time/index.ts';
import { type McpCaller, toAuthInfo } from './caller.ts';
import { createMcpResume, firstEventId, type McpResume } from './resume.ts';
import type { McpServers } from './servers.ts';
import type { McpNotifier, McpSessionLimits } from './settings.ts';
import { watchResponse } from './watch-response.ts';

/** Serves clients of 2025-11-25 and before, with sessions where they open one. */
export interface McpSessions {
  readonly fetch: (request: Request, caller: McpCaller, body: unknown) => Promise<Response>;
  /** Notifies every session of a change. */
  readonly tell: (say: (server: McpServer, isSubscribed: (uri: string) => boolean) => unknown) => void;
  readonly size: number;
  readonly close: () => Promise<void>;
}

interface Session {
  readonly key: string;
  readonly tenantId: string | undefined;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Hashes of the resources that this client wants to hear about: an address may be as long as a body. */
  readonly subscribed: Set<string>;
  /** Requests and streams that are open; a session that has any is not idle. */
  open: number;
  /** Undefined where clients that lost a stream cannot come back. */
  readonly resume: McpResume | undefined;
  usedAt: number;
}

const header = 'mcp-session-id';
/** So many resources one session may subscribe to, and all sessions together. A subscription is kept as a hash of 44 characters. */
const mostSubscriptions = 1_000;
const mostSubscriptionsInAll = 50_000;
/** Longer addresses are not tracked: no resource has one. */
const longestUri = 8_192;

/** Makes what serves older clients. Sessions end when they are deleted, idle for too long, or with the server; requests without one are answered on their own. */
export function createMcpSessions(
  servers: { readonly create: (serving: Parameters<McpServers['create']>[0], caller: McpCaller) => McpServer | Promise<McpServer> },
  notify: McpNotifier,
  limits: McpSessionLimits | false,
  now: () => number = Date.now,
): McpSessions {
  const { max = 1_000, idleMs = 1_800_000, resumeMs = 0 } = limits === false ? { max: 0 } : limits;
  const sessions = new Map<string, Session>();
  let stopSweeper: StopTimer | undefined;
  let subscriptions = 0;
  const serving = ({ tenantId }: McpCaller) => ({ era: 'legacy' as const, notify, tenantId });

  /** Serves one request with a server of its own. */
  const alone = (request: Request, caller: McpCaller, body: unknown): Promise<Response> =>
    legacyStatelessFallback(() => servers.create(serving(caller), caller))(request, { authInfo: toAuthInfo(caller), parsedBody: body });

  async function open(request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    if (sessions.size >= max && !makeRoom(caller)) return alone(request, caller, body);
    const resume = resumeMs > 0 ? createMcpResume(resumeMs) : undefined;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      ...(resume !== undefined && { eventStore: resume.events }),
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        transport.onclose = chain(() => {
          sessions.delete(id);
          subscriptions -= session.subscribed.size;
          session.subscribed.clear();
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
      subscribed: new Set(),
      resume,
      open: 0,
      usedAt: now(),
    };
    await server.connect(transport);
    const response = await serve(session, request, caller, body);
    // A handshake that was refused opens nothing.
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async function serve(session: Session, request: Request, caller: McpCaller, body: unknown): Promise<Response> {
    const { transport, resume } = session;
    session.open += 1;
    session.usedAt = now();
    trackSubscriptions(session.subscribed, body);
    const left = (): void => {
      session.open -= 1;
      session.usedAt = now();
    };
    try {
      const response = await transport.handleRequest(request, {
        authInfo: toAuthInfo(caller),
        ...(body !== undefined && { parsedBody: body }),
      });
      let stream = request.method === 'GET' && response.ok ? resume?.streamOf(request.headers.get('last-event-id')) : undefined;
      const requests = (stream === undefined ? undefined : resume?.take(stream)) ?? requestIds(body);
      const onGivenUp = (): void => {
        left();
        // The client is gone, so its calls are cancelled.
        for (const id of requests) transport.onmessage?.(cancellation(id));
      };
      const onEnd = (whole: boolean): void => {
        if (whole) left();
        // Without the id of an event a client cannot say where to go on.
        else if (stream === undefined || requests.length === 0) onGivenUp();
        else resume?.lose(stream, { requests, onTaken: left, onGivenUp });
      };
      return watchResponse(response, onEnd, (chunk) => {
        if (resume !== undefined) stream ??= resume.streamOf(firstEventId(chunk));
      });
    } catch (error) {
      left();
      throw error;
    }
  }

  /**
   * Ends a session for a new one; false when none may end. Idle ones of the same caller come first, then those of the tenant with most sessions,
   * and never those of a tenant that has fewer than the one that asks. A tenant below its share may end a busy session of one above it.
   */
  function makeRoom({ key, tenantId }: McpCaller): boolean {
    const sizes = new Map<string | undefined, number>();
    for (const { tenantId: one } of sessions.values()) sizes.set(one, (sizes.get(one) ?? 0) + 1);
    const sizeOf = (tenant: string | undefined): number => sizes.get(tenant) ?? 0;
    const own = sizeOf(tenantId);
    const share = max / (sizes.has(tenantId) ? sizes.size : sizes.size + 1);
    const mayEnd = ({ tenantId: theirs, open: requests }: Session): boolean =>
      requests === 0 ? theirs === tenantId || sizeOf(theirs) > own : own + 1 <= share && sizeOf(theirs) > share;
    const [first] = [...sessions.values()]
      .filter(mayEnd)
      .sort(
        (a, b) =>
          Number(b.key === key) - Number(a.key === key) ||
          sizeOf(b.tenantId) - sizeOf(a.tenantId) ||
          Number(a.open > 0) - Number(b.open > 0) ||
          a.usedAt - b.usedAt,
      );
    if (first === undefined) return false;
    void end(first);
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

  /** Subscriptions are answered by the server that offers the resources. They are known here too, so that changes can be announced. */
  function trackSubscriptions(subscribed: Set<string>, body: unknown): void {
    for (const { method, params } of messagesOf(body)) {
      if (method !== 'resources/subscribe' && method !== 'resources/unsubscribe') continue;
      const { uri } = (params ?? {}) as { uri?: unknown };
      if (typeof uri !== 'string' || uri.length > longestUri) continue;
      const before = subscribed.size;
      if (method === 'resources/unsubscribe') subscribed.delete(hashOf(uri));
      else if (before < mostSubscriptions && subscriptions < mostSubscriptionsInAll) subscribed.add(hashOf(uri));
      subscriptions += subscribed.size - before;
    }
  }

  function end({ server, transport, resume }: Session): Promise<void> {
    resume?.close();
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
      for (const { server, subscribed } of sessions.values()) {
        // A client that cannot be notified must not keep the others from their notification.
        Promise.resolve()
          .then(() => say(server, (uri) => subscribed.has(hashOf(uri))))
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

function hashOf(uri: string): string {
  return hash('sha256', uri, 'base64');
}

function isInitialize(body: unknown): boolean {
  return messagesOf(body).some(({ method }) => method === 'initialize');
}

function requestIds(body: unknown): unknown[] {
  return messagesOf(body).flatMap(({ method, id }) => (method === undefined || id === undefined ? [] : [id]));
}

function messagesOf(body: unknown): { readonly method?: unknown; readonly id?: unknown; readonly params?: unknown }[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  return messages.filter((message): message is object => isObject(message));
}

function cancellation(requestId: unknown) {
  return { jsonrpc: '2.0' as const, method: 'notifications/cancelled', params: { requestId, reason: 'The client is gone.' } } as never;
}

function notFound(body: unknown): Response {
  const [only] = messagesOf(body);
  const id = typeof only?.id === 'string' || typeof only?.id === 'number' ? only.id : null;
  return Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id }, { status: 404 });
}

function chain(first: () => unknown, second: (() => void) | undefined): () => void {
  return () => {
    first();
    second?.();
  };
}
