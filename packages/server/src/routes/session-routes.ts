import type { CallContext, JsonObject, Resources } from 'toolpact';
import type { ResourcePort } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import { body, describe, operation, queryParameter, usualAnswers } from '../openapi/operation.ts';
import { formParameters, pathParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeJson, encodeOutcome } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { callerContext } from '../request/read-context.ts';
import { traceOf } from '../request/refusal.ts';
import type { RequestHead } from '../request/request-head.ts';
import type { Route, RouteDocs, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import type { ServedToolbox } from '../server-options.ts';
import type { SessionOperation } from './session-tools.ts';

type Args = Readonly<Record<string, unknown>>;
type ReadArgs = (request: RouteRequest) => Args;

const text: JsonObject = { type: 'string', minLength: 1, maxLength: 256 };
const type: JsonObject = { type: 'string', minLength: 1, maxLength: 64 };
const id = pathParameter('id', 'The id of the session.', 'ses_dfa6435294cba8cadb257bb2fae8d823');
const listed = 'The sessions are in `data.sessions`.';
const filters: readonly JsonObject[] = [
  queryParameter('worker_id', 'Only those of this worker.', text, 'worker-1'),
  queryParameter('resource_type', 'Only those of this type.', type, 'browser'),
];
const selection = object({ worker_id: text, session_id: text, resource_type: type }, []);
const creation = object(
  {
    worker_id: { ...text, description: 'The owner of the sessions; by default a new worker.' },
    resource_type: { ...type, description: 'The type of one session.' },
    resource_types: { type: 'array', items: type, maxItems: 100, description: 'The types of several sessions.' },
    config: { type: 'object', description: 'For one type its config, for several the config of each, by type.' },
    name: { ...text, description: 'Becomes a part of the name.' },
  },
  [],
);
const warmUps = object({
  status: { enum: ['ready', 'not_ready'] },
  resources: { type: 'object', additionalProperties: { type: 'string' } },
});
const inUse = 'One that is in use is closed when its last call has ended.';

const fromBody: ReadArgs = ({ value }) => (value ?? {}) as Args;
const fromQuery: ReadArgs = ({ head }) => Object.fromEntries(new URLSearchParams(head.search));
const withId: ReadArgs = (request) => ({ ...fromBody(request), session_id: request.param });

/** The routes on which callers create, list, refresh and destroy sessions of resources, each within its tenant. */
export const sessionRoutes: readonly Route[] = [
  session('GET', '/v1/sessions', 'session:list', fromQuery, docs('listSessions', 'List sessions', 'Those of your tenant.', filters)),
  session('POST', '/v1/sessions', 'session:create', fromBody, {
    group: 'Sessions',
    operation: operation('createSession', 'Open a session that lasts', 'Returns the existing one of its worker, if there is one.', {
      parameters: formParameters,
      requestBody: body('What to open.', creation, { worker_id: 'worker-1', resource_type: 'browser' }),
      responses: usualAnswers('The session is in `data`.'),
    }),
  }),
  session('DELETE', '/v1/sessions', 'session:destroy', fromQuery, docs('endSessions', 'End the sessions of a worker', inUse, filters)),
  session('POST', '/v1/sessions/refresh', 'session:refresh', fromBody, {
    group: 'Sessions',
    operation: operation('refreshSessions', 'Refresh sessions', 'One, those of a worker, or all of the own tenant.', {
      parameters: formParameters,
      requestBody: body('Which ones.', selection, { worker_id: 'worker-1' }),
      responses: usualAnswers(listed),
    }),
  }),
  session(
    'GET',
    '/v1/sessions/{id}',
    'session:list',
    withId,
    docs('readSession', 'Read one session', 'Answers with an empty list when there is none.', [id]),
  ),
  session('DELETE', '/v1/sessions/{id}', 'session:destroy', withId, docs('endSession', 'End one session', inUse, [id])),
  session(
    'POST',
    '/v1/sessions/{id}/refresh',
    'session:refresh',
    withId,
    docs('refreshSession', 'Refresh one session', 'Every use of a session does the same.', [id]),
  ),
  {
    method: 'GET',
    path: '/v1/warmup',
    scope: 'sessions:keep',
    format: 'outcome',
    run: ({ head }, { resources }) => answerWarmUps(head, resources?.warmUps() ?? []),
    docs: warmUpDocs('readWarmUp', 'Read the state of the backends', 'By the type of their resource.'),
  },
  {
    method: 'POST',
    path: '/v1/warmup',
    scope: 'sessions:warm',
    format: 'outcome',
    run: async ({ head }, { resources }) => answerWarmUps(head, (await resources?.warmUp()) ?? []),
    docs: warmUpDocs('warmUp', 'Prepare all backends', 'Needs the scope `sessions:admin` where callers have scopes.'),
  },
];

/** Returns the resources of a toolbox when they are such that sessions can be kept. */
export function resourcesOf(port: ResourcePort | undefined): Resources | undefined {
  return port !== undefined && 'create' in port && 'count' in port ? (port as Resources) : undefined;
}

/** The numbers that a server reports about itself. */
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

function session(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  name: SessionOperation,
  readArgs: ReadArgs,
  described?: RouteDocs,
): Route {
  return {
    method,
    path,
    scope: 'sessions:keep',
    format: 'outcome',
    startsWork: true,
    needs: 'resources',
    ...(method === 'POST' && { read: 'json' as const }),
    run: (request, server) => runOperation(request, server, name, readArgs),
    ...(described !== undefined && { docs: described }),
  };
}

async function runOperation(request: RouteRequest, server: ServerState, name: SessionOperation, readArgs: ReadArgs): Promise<HttpAnswer> {
  const { head, identity, format, value = {} } = request;
  if (!isRecord(value)) return server.refuse(request, 'invalid_input', 'The body must be a JSON object.');
  const read = server.contextOf(request, value);
  if (isAnswer(read)) return read;
  const client = head.client();
  const context = { ...read.context, ...callerContext(identity), signal: client.signal } as CallContext<never>;
  const outcome = await server.inFlight.run(client, () => server.sessionTools().answer({ name, args: readArgs(request) }, context));
  return encodeOutcome(outcome, format);
}

function answerWarmUps(head: RequestHead, statuses: readonly { readonly type: string; readonly status: string }[]): HttpAnswer {
  return encodeJson(traceOf(head), {
    status: statuses.every(({ status }) => status === 'ready') ? 'ready' : 'not_ready',
    resources: Object.fromEntries(statuses.map((one) => [one.type, one.status])),
  });
}

function docs(operationId: string, summary: string, description: string, parameters: readonly JsonObject[]): RouteDocs {
  const rest = { parameters: [...parameters, ...formParameters], responses: usualAnswers(listed) };
  return { group: 'Sessions', operation: operation(operationId, summary, description, rest) };
}

function warmUpDocs(operationId: string, summary: string, description: string): RouteDocs {
  // Backends are warmed up with the sessions that use them, so both are described together.
  return describe('Sessions', operationId, summary, description, { gives: ['How far each is.', warmUps], needs: 'resources' });
}
