import type { JsonObject, Resources } from 'toolpact';
import { hasScope } from '../auth/identity.ts';
import { failureRefs } from '../openapi/failures.ts';
import { answer, describe, operation, refused } from '../openapi/operation.ts';
import { object } from '../openapi/shared-schemas.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteDocs } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { readyFacts } from './session-routes.ts';

const count: JsonObject = { type: 'integer', minimum: 0 };
const counts: JsonObject = { tools_count: count, active_workers: count, total_sessions: count };

/**
 * The routes that say whether the process lives and takes calls. They say nothing about tools or callers, so they are open; `/ready`
 * has numbers too, which count all tenants together, for those who look after the server.
 */
export const healthRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/healthz',
    scope: 'open',
    run: ({ head }) => encodeJson(traceOf(head), { status: 'ok' }),
    docs: probe('health', 'Check whether the process is alive', { 200: answer('It lives.', state(['ok'])) }),
  },
  {
    method: 'GET',
    path: '/readyz',
    scope: 'open',
    run: ({ head }, server) => {
      const readiness = readinessOf(server);
      return encodeJson(traceOf(head), readiness, readiness.status === 'ready' ? 200 : 503);
    },
    docs: probe('readiness', 'Check whether the server takes calls', {
      200: answer('It takes calls.', state(['ready'])),
      503: answer('It does not take calls now.', state(['draining', 'not_ready'])),
    }),
  },
  {
    method: 'GET',
    path: '/ready',
    run: ({ head, identity }, server) => {
      const readiness = readinessOf(server);
      const facts = hasScope(identity, 'sessions:admin') ? readyFacts(server.toolbox) : {};
      return encodeJson(traceOf(head), { ...readiness, ...facts }, readiness.status === 'ready' ? 200 : 503);
    },
    docs: describe('Server', 'ready', 'Check whether the server takes calls, in numbers', 'The numbers need the scope `sessions:admin`.', {
      gives: {
        200: answer('It takes calls.', object({ ...counts, status: { const: 'ready' } }, ['status'])),
        503: answer('It does not take calls now.', object({ ...counts, status: { enum: ['draining', 'not_ready'] } }, ['status'])),
      },
      fails: refused.filter((status) => status !== 503),
    }),
  },
];

interface Readiness {
  readonly status: 'ready' | 'draining' | 'not_ready';
  readonly reasons?: readonly string[];
}

function readinessOf({ inFlight, resources }: ServerState): Readiness {
  if (inFlight.draining) return { status: 'draining' };
  const reason = resources && whyNotReady(resources);
  return reason === undefined ? { status: 'ready' } : { status: 'not_ready', reasons: [reason] };
}

/** A backend that failed is started again when it is looked at, because no call comes to a server that is not ready. Its name is left out. */
function whyNotReady(resources: Resources): string | undefined {
  const statuses = resources.warmUps();
  const broken = statuses.filter(({ status }) => status === 'failed').map(({ type }) => type);
  if (broken.length > 0) void resources.warmUp(broken);
  if (broken.length > 0) return 'a backend did not warm up';
  return statuses.some(({ status }) => status === 'warming') ? 'a backend is warming up' : undefined;
}

function state(states: readonly string[]): JsonObject {
  return object({ status: { enum: states }, reasons: { type: 'array', items: { type: 'string' } } }, ['status']);
}

function probe(operationId: string, summary: string, responses: JsonObject): RouteDocs {
  const rest = { parameters: [], responses: { ...responses, ...failureRefs([403]) } };
  return { group: 'Server', operation: { ...operation(operationId, summary, 'Needs no credential.', rest), security: [] } };
}
