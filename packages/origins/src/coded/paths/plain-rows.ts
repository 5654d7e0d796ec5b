import type { GivenRoute, RouteServer } from '@toolpact/server';
import type { AnyTool, JsonObject, Resources } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { isRecord } from 'toolpact/internal';
import { coded } from '../coded.ts';
import { utcText } from './utc-text.ts';

const plain = { format: coded } as const;

/** The rows whose answers have no envelope in the origin: health, tools, warm-up and shutdown. */
export const plainRows: readonly GivenRoute[] = [
  {
    ...plain,
    method: 'GET',
    path: '/health',
    scope: 'open',
    run: (_, server) => server.json({ status: 'healthy', timestamp: utcText(Date.now()) }),
  },
  {
    ...plain,
    method: 'GET',
    path: '/api/v1/tools',
    run({ head }, { toolbox, mayCall, json }) {
      const hidden = /^(?:true|1|yes|on)$/i.test(new URLSearchParams(head.search).get('include_hidden') ?? '');
      const tools = toolbox.tools.flatMap((tool) =>
        mayCall(tool.name) && (hidden || !tool.description.startsWith('[HIDDEN]')) ? [toInfo(tool)] : [],
      );
      return json({ tools, count: tools.length });
    },
  },
  {
    ...plain,
    method: 'GET',
    path: '/api/v1/tools/{name}/schema',
    run({ param }, { toolbox, permit, json }) {
      const name = permit(param);
      if (typeof name === 'object') return name;
      const tool = toolbox.tools.find((one) => one.name === name);
      if (tool !== undefined) return json(toInfo(tool));
      return json({ status: 'error', message: `Tool not found: ${param.slice(0, 64)}` }, 404);
    },
  },
  {
    ...plain,
    method: 'GET',
    path: '/api/v1/warmup/status',
    scope: 'sessions:keep',
    run: (_, { resources, json }) => json(warmUpOf(resources?.warmUps() ?? [])),
  },
  {
    ...plain,
    method: 'POST',
    path: '/api/v1/warmup',
    scope: 'sessions:warm',
    read: 'json',
    async run({ value }, server) {
      const asked = isRecord(value) && Array.isArray(value.backends) ? value.backends.map(String) : undefined;
      return server.json(await warmUp(server, asked));
    },
  },
  {
    ...plain,
    method: 'POST',
    path: '/api/v1/server/shutdown',
    scope: 'admin',
    read: 'json',
    run({ value }, { resources, shutDown, json }) {
      const { force = false, cleanup_sessions = true } = isRecord(value) ? value : {};
      const sessions_cleaned = cleanup_sessions === false ? 0 : (resources?.count().sessions ?? 0);
      shutDown(force === true ? { drainMs: 0 } : {});
      return json({ status: 'success', message: 'Server shutdown initiated', sessions_cleaned });
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

async function warmUp({ resources }: RouteServer, asked: readonly string[] | undefined): Promise<JsonObject> {
  const known = resources?.warmUps().map(({ type }) => type) ?? [];
  const wanted = asked === undefined || asked.length === 0 ? known : asked;
  const warmed = (await resources?.warmUp(wanted.filter((type) => known.includes(type)))) ?? [];
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
    summary: warmUpOf(resources?.warmUps() ?? []).summary as JsonObject,
    ...(failed && { errors }),
  };
}

function warmUpOf(statuses: ReturnType<Resources['warmUps']>): JsonObject {
  const backends = Object.fromEntries(statuses.map(({ type, status }) => [type, { loaded: true, warmed_up: status === 'ready' }]));
  const warmed_up = statuses.filter(({ status }) => status === 'ready').length;
  return { backends, summary: { total: statuses.length, warmed_up, pending: statuses.length - warmed_up } };
}
