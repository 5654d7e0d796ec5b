import { type JsonObject, type Outcome, toModelText } from 'toolpact';
import { insideOf, type ToolPlan } from 'toolpact/extend';
import { isRecord, withTimeLimit } from 'toolpact/internal';
import { gatewayOf } from '../gateway/gateway-access.ts';
import { describe, queryParameter } from '../openapi/operation.ts';
import { pathParameter } from '../openapi/parameters.ts';
import { object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { makeCall, prepareCall } from '../request/make-call.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { baseOf } from './base-of.ts';
import { maySeeCauses } from './call-detail-routes.ts';
import type { InspectorBench } from './inspector-options.ts';
import { toMcpConfigs } from './mcp-configs.ts';
import type { ServerFacts, ToolDetails } from './page-answers.ts';

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const texts: JsonObject = { type: 'array', items: text };
const baseParameter = queryParameter('base', 'The public address of this server.', text, 'https://tools.example.com/');
/** A trial of tools ends after this time. */
const checkMs = 60_000;

/** The routes that say what the inspector may do here, and the few things that only a developer's server does. */
export const inspectorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/inspector',
    run: (request, server) => encodeJson(traceOf(request.head), describeServer(request, server)),
    docs: describe(
      'Inspector',
      'describeServer',
      'Read the features for the inspector page',
      'What depends on the store and the options of this server, and on its caller.',
      {
        parameters: [baseParameter],
        gives: [
          'The answer.',
          object(
            {
              name: text,
              version: text,
              dev: { ...flag, description: 'Whether calls can be broken on purpose and tools checked.' },
              auth: flag,
              tenantId: text,
              store: { ...flag, description: 'Whether calls are remembered: listed, approved, answered, stopped and run again.' },
              gateway: { ...flag, description: 'Whether there are servers of others behind this one.' },
              causes: flag,
              wire: { ...flag, description: 'Whether the messages that made calls are shown to this caller.' },
              docs: flag,
              traceUrl: text,
              faults: { type: 'array', items: object({ name: text, description: text }) },
              mcp: object({ url: text, configs: { type: 'array', items: object({ client: text, file: text, text }) } }),
            },
            ['name', 'dev', 'auth', 'tenantId', 'store', 'causes', 'wire', 'docs', 'faults'],
          ),
        ],
      },
    ),
  },
  {
    method: 'GET',
    path: '/v1/inspector/tools/{name}',
    async run(request, server) {
      const { head, identity, param } = request;
      const { toolbox, settings } = server;
      const name = server.permit(request, identity, param);
      if (isAnswer(name)) return name;
      const listed = toolbox.list().find((tool) => tool.name === name);
      const inside = insideOf(toolbox);
      const plan = listed && inside.plans.get(listed.name);
      if (listed === undefined || plan === undefined)
        return server.refuse(request, 'unknown_tool', `There is no tool named ${JSON.stringify(param.slice(0, 64))}.`);
      const lock = (await settings.inspector?.bench?.lockOf(listed.name).catch(() => undefined)) ?? {
        state: 'unknown' as const,
        changes: [],
      };
      const guards = inside.guards.map((guard) => ({ name: guard.name, phase: guard.phase }));
      const details: ToolDetails = {
        ...listed,
        failures: plan.failures ?? {},
        promises: plan.requires,
        alwaysAsks: alwaysAsks(plan),
        guards,
        lock,
      };
      return encodeJson(traceOf(head), details);
    },
    docs: describe(
      'Inspector',
      'inspectTool',
      'Read everything about a tool',
      'Its schemas, its failures, the guards around it, and what changed since it was locked.',
      {
        parameters: [pathParameter('name', 'The name of the tool.', 'add')],
        gives: [
          'The answer.',
          {
            allOf: [
              schemaRef('ListedTool'),
              object({
                failures: { type: 'object', additionalProperties: text },
                promises: texts,
                alwaysAsks: { ...flag, description: 'Whether no call runs before a person approves it.' },
                guards: { type: 'array', items: object({ name: text, phase: text }) },
                lock: object({
                  state: { enum: ['same', 'changed', 'missing', 'unknown'] },
                  changes: { type: 'array', items: { type: 'object' } },
                }),
              }),
            ],
          },
        ],
        fails: [404],
      },
    ),
  },
  {
    method: 'POST',
    path: '/v1/inspector/break',
    read: 'json',
    startsWork: true,
    async run(request, server) {
      const bench = benchOf(request, server);
      if (isAnswer(bench)) return bench;
      const { tool, arguments: args = {}, fault, runId } = isRecord(request.value) ? request.value : {};
      if (typeof tool !== 'string' || typeof fault !== 'string')
        return server.refuse(request, 'invalid_input', 'The body must be { "tool", "arguments", "fault" }.');
      if (!bench.faults.some(({ name }) => name === fault)) {
        const names = bench.faults.map(({ name }) => name).join(', ');
        return server.refuse(request, 'invalid_input', `There is no fault ${JSON.stringify(fault.slice(0, 100))}. There are: ${names}.`);
      }
      const { toolbox, timeoutMs } = bench.breakWith(server.toolbox, fault);
      const context = { ...(timeoutMs !== undefined && { timeoutMs }), ...(typeof runId === 'string' && { runId }) };
      const call = prepareCall(server, request, { name: tool, args, context });
      if (isAnswer(call)) return call;
      const outcome = await makeCall({ ...server, toolbox }, call);
      return encodeJson(traceOf(request.head), toBroken(outcome));
    },
    docs: describe(
      'Inspector',
      'breakCall',
      'Call a tool with an injected fault',
      'Only on a developer’s server. The call is recorded like any other.',
      {
        body: [
          'The call and the fault.',
          object({ tool: text, arguments: {}, fault: text, runId: text }, ['tool', 'fault']),
          {
            tool: 'add',
            arguments: { a: 1, b: 2 },
            fault: 'rate_limited',
          },
        ],
        gives: ['The answer.', object({ id: text, outcome: schemaRef('Outcome'), modelText: text })],
        fails: [400],
      },
    ),
  },
  {
    method: 'POST',
    path: '/v1/inspector/check',
    read: 'json',
    startsWork: true,
    async run(request, server) {
      const bench = benchOf(request, server);
      if (isAnswer(bench)) return bench;
      const { tools } = isRecord(request.value) ? request.value : {};
      const known = new Set(server.toolbox.tools.map(({ name }) => name));
      if (tools !== undefined && !(Array.isArray(tools) && tools.every((name) => known.has(name))))
        return server.refuse(request, 'invalid_input', 'tools must be a list of names of tools.');
      const late = (): HttpAnswer => server.refuse(request, 'timeout', 'The check took too long.', { advice: 'Name fewer tools.' });
      const report = await withTimeLimit(bench.check(tools as readonly string[] | undefined), { ms: checkMs, onLate: late });
      return isAnswer(report) ? report : encodeJson(traceOf(request.head), report);
    },
    docs: describe(
      'Inspector',
      'checkTools',
      'Check tools against the contract',
      'Only on a developer’s server. Tools that write are not run.',
      {
        body: ['Which tools; all where none are named.', object({ tools: texts }, []), { tools: ['add'] }],
        gives: [
          'The answer.',
          object({ tools: { type: 'array', items: { type: 'object' } }, findings: { type: 'array', items: { type: 'object' } } }),
        ],
        fails: [400],
      },
    ),
  },
];

function describeServer({ head, identity }: RouteRequest, server: ServerState): ServerFacts {
  const { settings, toolbox } = server;
  const { name = 'toolpact', version, traceUrl, bench, mcpConfigs = [] } = settings.inspector ?? {};
  const hasAuth = settings.authenticators.length > 0;
  const url = `${baseOf(head)}mcp`;
  return {
    name,
    ...(version !== undefined && { version }),
    dev: bench !== undefined,
    auth: hasAuth,
    tenantId: identity.tenantId,
    store: toolbox.calls !== undefined,
    ...(gatewayOf(toolbox) && { gateway: true }),
    causes: maySeeCauses(server, identity),
    wire: server.wire !== undefined && maySeeCauses(server, identity),
    docs: settings.openapi !== false,
    ...(traceUrl !== undefined && { traceUrl }),
    faults: bench?.faults ?? [],
    ...(server.mcp !== undefined && { mcp: { url, configs: [...toMcpConfigs(name, url, hasAuth), ...mcpConfigs] } }),
  };
}

function benchOf(request: RouteRequest, { settings, refuse }: ServerState): InspectorBench | HttpAnswer {
  return settings.inspector?.bench ?? refuse(request, 'forbidden', 'Only the server of a developer does that: toolpact dev.');
}

/** Checks whether every call waits for an approval, whatever its arguments. */
function alwaysAsks({ guardOptions: { approval } }: ToolPlan): boolean {
  const ask = isRecord(approval) ? approval.ask : approval;
  return ask === true || typeof ask === 'string';
}

function toBroken(outcome: Outcome): object {
  return { id: outcome.meta.invocationId, outcome, modelText: toModelText(outcome) };
}
