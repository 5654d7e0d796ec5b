import type { JsonObject } from 'toolpact';
import { type ArrangedGuard, insideOf, type LimitState } from 'toolpact/extend';
import { hasScope, mayCall } from '../auth/identity.ts';
import { describe } from '../openapi/operation.ts';
import { guardSchemas, object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { isAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { filterParameters, spanParameters, summarize } from '../routes/call-list-routes.ts';
import { tenantOf } from '../routes/visible-calls.ts';
import type { Health } from './page-answers.ts';

const text: JsonObject = { type: 'string' };
const count: JsonObject = { type: 'number' };
const time: JsonObject = { type: 'string', format: 'date-time' };

/** The route that says how calls, circuits and limits stand now. */
export const healthRoute: Route = {
  method: 'GET',
  path: '/v1/inspector/health',
  needs: 'store',
  async run(request, server) {
    const summary = await summarize(request, server);
    if (isAnswer(summary)) return summary;
    const states = await limitStates(request, server);
    if (isAnswer(states)) return states;
    const { minutes: perMinute, ...rest } = summary;
    const running = rest.tools.reduce((sum, { counts }) => sum + (counts.running ?? 0), 0);
    const health: Health = { ...states, perMinute, ...rest, running };
    return encodeJson(traceOf(request.head), health);
  },
  docs: describe(
    'Inspector',
    'readHealth',
    'Read the state of calls, circuits and limits',
    'Calls of the last hour, or of the time given. Limits are those that this process knows; those of all tenants together are shown to callers with the scope `admin`.',
    {
      parameters: [...filterParameters, ...spanParameters],
      gives: [
        'How things stand.',
        {
          allOf: [
            schemaRef('CallSummary'),
            object(
              {
                breakers: {
                  type: 'array',
                  items: object(
                    {
                      key: text,
                      tool: text,
                      state: { enum: ['closed', 'open', 'probing'] },
                      failures: count,
                      limit: count,
                      openUntil: time,
                    },
                    ['key', 'state', 'failures', 'limit'],
                  ),
                },
                limits: {
                  type: 'array',
                  items: object({ guard: text, key: text, tool: text, used: count, limit: count, waiting: count, windowEndsAt: time }, [
                    'guard',
                    'key',
                    'used',
                    'limit',
                  ]),
                },
                running: count,
              },
              ['breakers', 'limits', 'running'],
            ),
          ],
        },
      ],
      fails: [400],
      schemas: { CallSummary: guardSchemas.CallSummary },
    },
  ),
};

async function limitStates(request: RouteRequest, server: ServerState) {
  const { identity } = request;
  const tenantId = tenantOf(request, server);
  if (isAnswer(tenantId)) return tenantId;
  const tools = server.toolbox.tools.map(({ name }) => name).filter((name) => mayCall(identity, name));
  const mayShare = hasScope(identity, 'admin');
  const states = await Promise.all(
    insideOf(server.toolbox).guards.map(async (guard) => {
      const limits = await statesOf(guard, tenantId, tools);
      return limits
        .filter(({ isShared, tool }) => (isShared !== true || mayShare) && (tool === undefined || tools.includes(tool)))
        .map((limit) => ({ guard: guard.name, ...limit }));
    }),
  );
  const all = states.flat();
  return {
    breakers: all.flatMap(({ key, tool, state, used, limit, until }) =>
      state === undefined
        ? []
        : [{ key, ...named(tool), state, failures: used, limit, ...(until !== undefined && { openUntil: toTime(until) }) }],
    ),
    limits: all.flatMap(({ guard, key, tool, state, used, limit, waiting, until }) =>
      state !== undefined
        ? []
        : [
            {
              guard,
              key,
              ...named(tool),
              used,
              limit,
              ...(waiting !== undefined && { waiting }),
              ...(until !== undefined && { windowEndsAt: toTime(until) }),
            },
          ],
    ),
  };
}

/** A store that does not answer now leaves a gap, and the rest is shown. */
async function statesOf({ limits }: ArrangedGuard, tenantId: string, tools: readonly string[]): Promise<readonly LimitState[]> {
  try {
    return (await limits?.({ tenantId, tools })) ?? [];
  } catch {
    return [];
  }
}

function named(tool: string | undefined): { readonly tool?: string } {
  return tool === undefined ? {} : { tool };
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}
