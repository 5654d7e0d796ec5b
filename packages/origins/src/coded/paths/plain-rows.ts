import type { AnyTool, JsonObject, Resources } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import { mayCall } from '../../../../server/src/auth/identity.ts';
import { encodeJson } from '../../../../server/src/request/encode-outcome.ts';
import { isAnswer } from '../../../../server/src/request/http-answer.ts';
import { traceOf } from '../../../../server/src/request/refusal.ts';
import type { Route } from '../../../../server/src/request/route.ts';
import type { ServerState } from '../../../../server/src/request/server-state.ts';
import { readQuery } from '../../../../server/src/routes/read-query.ts';
import { utcText } from './utc-text.ts';

const coded = { origin: 'coded' } as const;

/** The rows whose answers have no envelope in the origin: health, tools, warm-up and shutdown. */
export const plainRows: readonly Route[] = [
  {
    ...coded,
    method: 'GET',
    path: '/health',
    scope: 'open',
    run: ({ head }) => encodeJson(traceOf(head), { status: 'healthy', timestamp: utcText(Date.now()) }),
  },
  {
    ...coded,
    method: 'GET',
    path: '/api/v1/tools',
    run({ head, identity }, { toolbox }) {
      const hidden = /^(?:true|1|yes|on)$/i.test(readQuery(head, 'include_hidden') ?? '');
      const tools = toolbox.tools.flatMap((tool) =>
        mayCall(identity, tool.name) && (hidden || !tool.description.startsWith('[HIDDEN]')) ? [toInfo(tool)] : [],
      );
      return encodeJson(traceOf(head), { tools, count: tools.length });
    },
  },
  {
    ...coded,
    method: 'GET',
    path: '/api/v1/tools/{name}/schema',
    run(request, { toolbox, permit }) {
      const { head, identity, param } = request;
      const name = permit(request, identity, param);
      if (isAnswer(name)) return name;
      const tool = toolbox.tools.find((one) => one.name === name);
      if (tool !== undefined) return encodeJson(traceOf(head), toInfo(tool));
      return encodeJson(traceOf(head), { status: 'error', message: `Tool not found: ${param.slice(0, 64)}` }, 404);
    },
  },
  {
    ...coded,
    method: 'GET',
    path: '/api/v1/warmup/status',
    scope: 'sessions:keep',
    run: ({ head }, { sessions }) => encodeJson(traceOf(head), warmUpOf(sessions?.resources.warmUps() ?? [])),
  },
  {
    ...coded,
    method: 'POST',
    path: '/api/v1/warmup',
    scope: 'sessions:warm',
    read: 'json',
    async run({ head, value }, server) {
      const asked = isRecord(value) && Array.isArray(value.backends) ? value.backends.map(String) : undefined;
      return encodeJson(traceOf(head), await warmUp(server, asked));
    },
  },
  {
    ...coded,
    method: 'POST',
    path: '/api/v1/server/shutdown',
    scope: 'admin',
    read: 'json',
    run({ head, value }, { sessions, shutDown }) {
      const { force = false, cleanup_sessions = true } = isRecord(value) ? value : {};
      const sessions_cleaned = cleanup_sessions === false ? 0 : (sessions?.resources.count().sessions ?? 0);
      shutDown(force === true ? { drainMs: 0 } : {});
      return encodeJson(traceOf(head), { status: 'success', message: 'Server shutdown initiated', sessions_cleaned });
    },
  },
];

function toInfo(tool: AnyTool): JsonObject {
  const { name, description } = tool;
  const resource_type = planOf(tool).needs?.[0] ?? null;
  return {
    name: name.slice(name.lastIndexOf(':') + 1),
    full_name: name,
    resource_type,
    stateless: resource_type === null,
    description: description.trim(),
  };
}

async function warmUp({ sessions }: ServerState, asked: readonly string[] | undefined): Promise<JsonObject> {
  const known = sessions?.resources.warmUps().map(({ type }) => type) ?? [];
  const wanted = asked === undefined || asked.length === 0 ? known : asked;
  const warmed = (await sessions?.resources.warmUp(wanted.filter((type) => known.includes(type)))) ?? [];
  const errors: Record<string, string> = {};
  for (const type of wanted) {
    if (!known.includes(type)) errors[type] = `Backend not found: ${type}. Available backends: ${known.join(', ')}`;
  }
  // Why a backend failed is for its operator; a caller learns that it did.
  for (const { type, status } of warmed) if (status !== 'ready') errors[type] = 'The backend did not warm up';
  const results = Object.fromEntries(wanted.map((type) => [type, errors[type] === undefined]));
  const failed = Object.keys(errors).length > 0;
  return {
    status: failed ? 'partial_error' : 'success',
    results,
    summary: warmUpOf(sessions?.resources.warmUps() ?? []).summary as JsonObject,
    ...(failed && { errors }),
  };
}

function warmUpOf(statuses: ReturnType<Resources['warmUps']>): JsonObject {
  const backends = Object.fromEntries(statuses.map(({ type, status }) => [type, { loaded: true, warmed_up: status === 'ready' }]));
  const warmed_up = statuses.filter(({ status }) => status === 'ready').length;
  return { backends, summary: { total: statuses.length, warmed_up, pending: statuses.length - warmed_up } };
}
