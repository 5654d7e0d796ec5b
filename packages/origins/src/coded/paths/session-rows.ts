import type { GivenRoute, RouteServer } from '@toolpact/server';
import type { JsonObject, Outcome } from 'toolpact';
import { coded } from '../coded.ts';
import { answerOperation, type Ended, lacks, type OperationCall } from './answer-operation.ts';
import { utcText } from './utc-text.ts';

/** A session as the session tools write it. */
interface WireSession {
  readonly session_id: string;
  readonly session_name: string;
  readonly resource_type: string;
  readonly status: string;
  readonly auto_created: boolean;
  readonly created_at: string;
  readonly last_activity: string;
  readonly expires_at: string | null;
  readonly created?: boolean;
}

type Listed = { readonly sessions: readonly WireSession[] } | { readonly failed: Outcome };
type Run = (call: OperationCall) => Promise<Ended | Outcome>;

/** The rows that keep sessions: everything is said in the body, and each answer has the data that the origin sends. */
export const sessionRows: readonly GivenRoute[] = [
  row('/api/v1/session/create', 'session:create', async (call) => {
    const { body } = call;
    const wrong = lacks(body, 'worker_id', 'resource_type');
    if (wrong !== undefined) return wrong;
    const created = await create(call, body.resource_type as string, body.session_config, body.custom_name);
    if (!('session_id' in created)) return notCreated(created, 'Session creation failed', { session_name: null });
    const { session_id, session_name, resource_type, status } = created;
    if (created.created === false) return { data: { status: 'exists', session_id, session_name, resource_type }, sessionId: session_id };
    return { data: { session_id, session_name, resource_type, session_status: status, error: null }, sessionId: session_id };
  }),
  row('/api/v1/session/destroy', 'session:destroy', async (call) => {
    const wrong = lacks(call.body, 'worker_id', 'resource_type');
    if (wrong !== undefined) return wrong;
    const ended = await select(call, 'session:destroy', ['worker_id', 'resource_type']);
    if ('failed' in ended) return ended.failed;
    const [destroyed] = ended.sessions;
    if (destroyed === undefined) return noSession(call);
    const { session_id, session_name, resource_type } = destroyed;
    return {
      data: { message: `Session destroyed for ${resource_type}`, session_id, session_name, resource_type },
      sessionId: session_id,
    };
  }),
  row('/api/v1/session/list', 'session:list', async (call) => {
    const { body } = call;
    const wrong = lacks(body, 'worker_id');
    if (wrong !== undefined) return wrong;
    const listed = await select(call, 'session:list', ['worker_id']);
    if ('failed' in listed) return listed.failed;
    const sessions = listed.sessions.map((session) => ({
      resource_type: session.resource_type,
      session_id: session.session_id,
      session_name: session.session_name,
      status: session.status,
      auto_created: session.auto_created,
      ...timesOf(session),
      expires_at: expiryOf(session),
    }));
    return { data: { worker_id: body.worker_id as string, sessions, count: sessions.length } };
  }),
  row('/api/v1/session/refresh', 'session:refresh', async (call) => {
    const { body } = call;
    const wrong = lacks(body, 'worker_id');
    if (wrong !== undefined) return wrong;
    const refreshed = await select(call, 'session:refresh', ['worker_id', 'resource_type']);
    if ('failed' in refreshed) return refreshed.failed;
    const { sessions } = refreshed;
    if (body.resource_type === undefined || body.resource_type === null) {
      const details = Object.fromEntries(
        sessions.map((session) => [session.resource_type, { status: 'refreshed', expires_at: expiryOf(session) }]),
      );
      const refreshed_count = sessions.length;
      const message = `Refreshed ${refreshed_count} sessions`;
      return { data: { message, worker_id: body.worker_id as string, refreshed_count, details } };
    }
    const [session] = sessions;
    if (session === undefined) return noSession(call);
    const { session_id, resource_type } = session;
    return {
      data: { message: `Session refreshed for ${resource_type}`, resource_type, session_id, expires_at: expiryOf(session) },
      sessionId: session_id,
    };
  }),
  // In the origin a heartbeat keeps nothing alive, although its clients send it for that reason. Here it does.
  row('/api/v1/lifecycle/heartbeat', 'session:heartbeat', async (call) => {
    const wrong = lacks(call.body, 'worker_id');
    if (wrong !== undefined) return wrong;
    const alive = await select(call, 'session:refresh', ['worker_id']);
    if ('failed' in alive) return alive.failed;
    const active_sessions = alive.sessions.map(({ resource_type }) => resource_type);
    return { data: { worker_id: call.body.worker_id as string, active_sessions, timestamp: utcText(Date.now()) } };
  }),
  row('/api/v1/lifecycle/status', 'session:status', async (call) => {
    const wrong = lacks(call.body, 'worker_id');
    if (wrong !== undefined) return wrong;
    const listed = await select(call, 'session:list', ['worker_id']);
    if ('failed' in listed) return listed.failed;
    const sessions = Object.fromEntries(
      listed.sessions.map((session) => [
        session.resource_type,
        { session_id: session.session_id, status: session.status, ...timesOf(session) },
      ]),
    );
    return {
      data: {
        worker_id: call.body.worker_id as string,
        active_resources: Object.keys(sessions),
        sessions,
        tools_available: call.server.toolbox.tools.length,
      },
    };
  }),
  row('/api/v1/worker/disconnect', 'session:disconnect', async (call) => {
    const wrong = lacks(call.body, 'worker_id');
    if (wrong !== undefined) return wrong;
    const ended = await select(call, 'session:destroy', ['worker_id']);
    if ('failed' in ended) return ended.failed;
    return { data: { worker_id: call.body.worker_id as string, sessions_cleaned: ended.sessions.length } };
  }),
];

/** Opens a session, or gives the one its worker has. Gives the failed outcome when it does not open. */
export async function create(
  call: OperationCall,
  resource_type: string,
  config: unknown,
  name?: unknown,
): Promise<WireSession | { readonly resource_type: string; readonly failed: Outcome }> {
  const { worker_id } = call.body;
  const listed = await ask(call, 'session:list', { worker_id, resource_type });
  const isKept = listed.status === 'ok' && (listed.data as { readonly sessions: readonly unknown[] }).sessions.length > 0;
  // In the origin a worker that has a session keeps it, whatever configuration it asks for.
  const outcome = await ask(call, 'session:create', { worker_id, resource_type, ...(!isKept && { config, name }) });
  return outcome.status === 'ok' ? (outcome.data as unknown as WireSession) : { resource_type, failed: outcome };
}

/** Says that a session did not open. */
export function notCreated(
  { resource_type, failed }: { readonly resource_type: string; readonly failed: Outcome },
  message: string,
  more: JsonObject = {},
): Ended {
  const error = failed.status === 'error' ? failed.error.message : message;
  return {
    data: { session_id: null, ...more, resource_type, session_status: 'error', error },
    failure: { status: 500, code: 'resource_not_initialized', message },
  };
}

/** Creates a row for an operation on sessions. */
export function row(path: string, tool: string, run: Run): GivenRoute {
  return {
    method: 'POST',
    path,
    format: coded,
    scope: 'sessions:keep',
    startsWork: true,
    read: 'json',
    run: (request, server) => answerOperation(request, server, tool, run),
  };
}

async function select(
  call: OperationCall,
  name: 'session:list' | 'session:refresh' | 'session:destroy',
  fields: readonly ('worker_id' | 'resource_type')[],
): Promise<Listed> {
  const outcome = await ask(call, name, Object.fromEntries(fields.map((field) => [field, call.body[field]])));
  return outcome.status === 'ok' ? (outcome.data as { readonly sessions: readonly WireSession[] }) : { failed: outcome };
}

function ask(
  { server, context }: OperationCall,
  operation: Parameters<RouteServer['keepSessions']>[0],
  args: Readonly<Record<string, unknown>>,
): Promise<Outcome> {
  return server.keepSessions(operation, args, context);
}

function noSession({ body }: OperationCall): Ended {
  const resource_type = body.resource_type as string;
  return {
    data: { resource_type },
    failure: { status: 404, code: 'resource_not_initialized', message: `No session found for ${resource_type}` },
  };
}

function timesOf({ created_at, last_activity }: WireSession): { readonly created_at: string; readonly last_activity: string } {
  return { created_at: utcText(created_at), last_activity: utcText(last_activity) };
}

function expiryOf({ expires_at }: WireSession): string | null {
  return expires_at === null ? null : utcText(expires_at);
}
