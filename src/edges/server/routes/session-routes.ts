import type { Hono } from 'hono';
import type { CallContext } from '../../../core/contract/index.ts';
import type { ResourcePort } from '../../../core/runtime/index.ts';
import type { Resources } from '../../../parts/resources/index.ts';
import { hasScope, type Identity, mayCallAll } from '../auth/identity.ts';
import type { ServedToolbox, ServerParts } from '../server-options.ts';
import { createSessionTools, type SessionToolbox } from './session-tools.ts';

/** What a server can tell about itself in numbers. */
export interface ReadyFacts {
  readonly tools_count: number;
  readonly active_workers: number;
  readonly total_sessions: number;
}

/** Counts what a server serves: its tools, the workers that have sessions, and the sessions. */
export function readyFacts(toolbox: Pick<ServedToolbox, 'tools' | 'resources'>): ReadyFacts {
  const { sessions = 0, workers = 0 } = resourcesOf(toolbox.resources)?.count() ?? {};
  return { tools_count: toolbox.tools.length, active_workers: workers, total_sessions: sessions };
}

type Operation = 'session:create' | 'session:list' | 'session:refresh' | 'session:destroy';
type Args = Readonly<Record<string, unknown>>;

/**
 * Adds what callers do with the sessions of resources: create, list, refresh and destroy them, each within its tenant. The resources of the
 * toolbox are closed with the server, after its calls.
 */
export function addSessionRoutes(app: Hono, parts: ServerParts): void {
  const resources = resourcesOf(parts.toolbox.resources);
  const tools = resources && createSessionTools(resources);
  if (resources !== undefined) {
    parts.closers.push(() => resources.close());
    parts.readiness.push(() => whyNotReady(resources));
  }
  const act = (operation: Operation, argsOf: (body: Args, request: Request) => Args) => async (request: Request) => {
    const asked = await admit(parts, request, tools);
    if (asked instanceof Response) return asked;
    const args = argsOf(asked.body, request);
    return parts.inFlight.run(request.signal, async (signal) =>
      parts.respond(
        request,
        await asked.tools.answer({ name: operation, args }, { ...asked.context, signal } as CallContext<never>),
        'coded',
      ),
    );
  };
  const withId = (body: Args, { url }: Request): Args => ({ ...body, session_id: idOf(url) });
  const fromQuery = (_: Args, { url }: Request): Args => Object.fromEntries(new URL(url).searchParams);

  const create = act('session:create', (body) => body);
  const refresh = act('session:refresh', (body) => body);
  const destroy = act('session:destroy', (body) => body);
  app.post('/v1/sessions', ({ req }) => create(req.raw));
  app.get('/v1/sessions', ({ req }) => act('session:list', fromQuery)(req.raw));
  app.delete('/v1/sessions', ({ req }) => act('session:destroy', fromQuery)(req.raw));
  app.post('/v1/sessions/refresh', ({ req }) => refresh(req.raw));
  app.post('/v1/sessions/:id/refresh', ({ req }) => act('session:refresh', withId)(req.raw));
  app.get('/v1/sessions/:id', ({ req }) => act('session:list', withId)(req.raw));
  app.delete('/v1/sessions/:id', ({ req }) => act('session:destroy', withId)(req.raw));
  app.get('/v1/warmup', ({ req }) => tellWarmUps(parts, req.raw, resources, false));
  app.post('/v1/warmup', ({ req }) => tellWarmUps(parts, req.raw, resources, true));

  // The same under the paths of older agents, which say everything in the body. A sign of life keeps a worker's sessions alive.
  app.post('/api/v1/session/create', ({ req }) => create(req.raw));
  app.post('/api/v1/session/list', ({ req }) => act('session:list', (body) => body)(req.raw));
  app.post('/api/v1/session/refresh', ({ req }) => refresh(req.raw));
  app.post('/api/v1/session/destroy', ({ req }) => destroy(req.raw));
  app.post('/api/v1/lifecycle/heartbeat', ({ req }) => refresh(req.raw));
  app.post('/api/v1/worker/disconnect', ({ req }) => destroy(req.raw));
  app.get('/api/v1/warmup/status', ({ req }) => tellWarmUps(parts, req.raw, resources, false));
}

/** Gives the resources of a toolbox when they are such that sessions can be kept. */
function resourcesOf(port: ResourcePort | undefined): Resources | undefined {
  return port !== undefined && 'create' in port && 'count' in port ? (port as Resources) : undefined;
}

interface AdmittedSession {
  readonly tools: SessionToolbox;
  readonly context: CallContext;
  readonly body: Args;
}

async function admit(parts: ServerParts, request: Request, tools: SessionToolbox | undefined): Promise<AdmittedSession | Response> {
  if (parts.inFlight.draining) {
    return parts.refuse(request, 'not_ready', 'This server is shutting down.', { retryAfterMs: 1000, headers: { connection: 'close' } });
  }
  const identity = await parts.identify(request);
  if (identity instanceof Response) return identity;
  if (tools === undefined)
    return parts.refuse(request, 'unsupported', 'The tools of this server have no resources, so there are no sessions.');
  if (!mayKeepSessions(identity)) {
    return parts.refuse(request, 'forbidden', 'This credential may not keep sessions.', { denied: 'forbidden', identity });
  }
  const read = request.method === 'GET' || request.method === 'DELETE' ? { value: undefined } : await parts.readJson(request);
  if (read instanceof Response) return read;
  const { value: body = {} } = read;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return parts.refuse(request, 'invalid_input', 'The body must be a JSON object.');
  }
  const context = parts.contextOf(request, identity, body);
  return context instanceof Response ? context : { tools, context, body: body as Args };
}

/** Whoever may call only some tools has no business with the sessions of others. */
function mayKeepSessions(identity: Identity): boolean {
  return mayCallAll(identity) || hasScope(identity, 'sessions:admin');
}

/** Tells how far each backend is. Starting it needs a scope wherever callers have any, since it may be costly. */
async function tellWarmUps(parts: ServerParts, request: Request, resources: Resources | undefined, starts: boolean): Promise<Response> {
  const identity = await parts.identify(request);
  if (identity instanceof Response) return identity;
  const isAllowed = starts ? !isAuthenticated(parts) || hasScope(identity, 'sessions:admin') : mayKeepSessions(identity);
  if (!isAllowed) return parts.refuse(request, 'forbidden', 'This credential may not do that.', { denied: 'forbidden', identity });
  const statuses = starts ? ((await resources?.warmUp()) ?? []) : (resources?.warmUps() ?? []);
  return parts.json(request, {
    status: statuses.every(({ status }) => status === 'ready') ? 'ready' : 'not_ready',
    resources: Object.fromEntries(statuses.map(({ type, status }) => [type, status])),
  });
}

function isAuthenticated({ options }: ServerParts): boolean {
  return options.auth !== undefined;
}

/** A backend that failed is started again by whoever asks, because no call comes to a server that is not ready. Its name is nobody's business here. */
function whyNotReady(resources: Resources): string | undefined {
  const statuses = resources.warmUps();
  const failed = statuses.filter(({ status }) => status === 'failed').map(({ type }) => type);
  if (failed.length > 0) void resources.warmUp(failed);
  if (failed.length > 0) return 'a backend did not warm up';
  return statuses.some(({ status }) => status === 'warming') ? 'a backend is warming up' : undefined;
}

function idOf(url: string): string {
  const raw = /\/v1\/sessions\/([^/?]+)/.exec(new URL(url).pathname)?.[1] ?? '';
  try {
    return decodeURIComponent(raw);
  } catch {
    return raw;
  }
}
