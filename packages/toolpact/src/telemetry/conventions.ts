/** How strongly the conventions ask for an attribute. */
export type RequirementLevel = 'required' | 'conditionally_required' | 'recommended' | 'opt_in';

/** The facts of the conventions about one attribute. */
export interface AttributeFact {
  readonly level: RequirementLevel;
  readonly type: 'string' | 'int' | 'boolean' | 'any' | 'template[string]';
  /** Must be set when the span is created, so that samplers see it. */
  readonly sampling?: true;
  /** The values we write, where they are a closed set. */
  readonly values?: readonly string[];
  /** More values we write, which the published model does not list yet. */
  readonly newer?: readonly string[];
  /** Read on a later branch than the published model; compare again when that is released. */
  readonly ahead?: true;
}

type Facts = Readonly<Record<string, AttributeFact>>;

const common = {
  'gen_ai.tool.name': { level: 'required', type: 'string' },
  'gen_ai.tool.type': { level: 'recommended', type: 'string', values: ['function'] },
  'gen_ai.agent.name': { level: 'conditionally_required', type: 'string' },
  'error.type': { level: 'conditionally_required', type: 'string' },
} as const satisfies Facts;

/** The requests and notifications of an MCP client. Any other method is written as `_OTHER`. */
const methods = {
  level: 'required',
  type: 'string',
  values: [
    'initialize',
    'ping',
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'resources/subscribe',
    'resources/unsubscribe',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'logging/setLevel',
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
  ],
  newer: ['server/discover', 'subscriptions/listen'],
} as const satisfies AttributeFact;

const mcpCommon = {
  'mcp.method.name': methods,
  'mcp.protocol.version': { level: 'recommended', type: 'string' },
  'gen_ai.operation.name': { level: 'recommended', type: 'string', values: ['execute_tool'] },
  'gen_ai.tool.name': { level: 'conditionally_required', type: 'string' },
  'gen_ai.prompt.name': { level: 'conditionally_required', type: 'string' },
  'gen_ai.prompt.variable': { level: 'opt_in', type: 'template[string]' },
  'error.type': { level: 'conditionally_required', type: 'string' },
  'rpc.response.status_code': { level: 'conditionally_required', type: 'string' },
  'jsonrpc.protocol.version': { level: 'recommended', type: 'string' },
  'network.transport': { level: 'recommended', type: 'string', values: ['tcp', 'pipe'] },
  'network.protocol.name': { level: 'recommended', type: 'string', values: ['http'] },
  'network.protocol.version': { level: 'recommended', type: 'string' },
} as const satisfies Facts;

/**
 * The facts of the OpenTelemetry conventions that concern a tool call, or a request to a server of MCP, as far as we write them. `scripts/compare-conventions.ts` compares
 * this table with a folder of the published model, and the tests check every signal against it.
 */
export const conventions = {
  source: {
    repository: 'open-telemetry/semantic-conventions-genai',
    commit: 'fe5608e',
    date: '2026-08-03',
    schemaUrl: 'https://opentelemetry.io/schemas/gen-ai-dev/1.42.0-dev',
  },
  span: {
    type: 'gen_ai.execute_tool.internal',
    kind: 'internal',
    name: 'execute_tool {gen_ai.tool.name}',
    attributes: {
      'gen_ai.operation.name': { level: 'required', type: 'string', sampling: true, values: ['execute_tool'] },
      ...common,
      'gen_ai.tool.name': { ...common['gen_ai.tool.name'], sampling: true },
      'gen_ai.tool.type': { ...common['gen_ai.tool.type'], sampling: true },
      'gen_ai.tool.call.id': { level: 'recommended', type: 'string' },
      'gen_ai.tool.description': { level: 'recommended', type: 'string' },
      'gen_ai.conversation.id': { level: 'conditionally_required', type: 'string', ahead: true },
      'gen_ai.tool.call.arguments': { level: 'opt_in', type: 'any' },
      'gen_ai.tool.call.result': { level: 'opt_in', type: 'any' },
    } as const satisfies Facts,
  },
  metric: {
    name: 'gen_ai.execute_tool.duration',
    instrument: 'histogram',
    unit: 's',
    /** Advised in the text of the conventions; the model does not hold them. */
    buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
    attributes: common,
  },
  mcp: {
    span: {
      type: 'mcp.server',
      kind: 'server',
      name: '{mcp.method.name} {target}',
      attributes: {
        ...mcpCommon,
        'mcp.session.id': { level: 'recommended', type: 'string' },
        'mcp.resource.uri': { level: 'conditionally_required', type: 'string' },
        'jsonrpc.request.id': { level: 'conditionally_required', type: 'string' },
        'client.address': { level: 'recommended', type: 'string' },
        'client.port': { level: 'recommended', type: 'int' },
        'gen_ai.tool.call.arguments': { level: 'opt_in', type: 'any' },
        'gen_ai.tool.call.result': { level: 'opt_in', type: 'any' },
      } as const satisfies Facts,
    },
    metric: {
      name: 'mcp.server.operation.duration',
      instrument: 'histogram',
      unit: 's',
      /** Advised in the text of the conventions; the model does not hold them. */
      buckets: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300],
      attributes: { ...mcpCommon, 'mcp.resource.uri': { level: 'opt_in', type: 'string' } } as const satisfies Facts,
    },
    /** The `error.type` of a call whose result says that it failed. */
    toolError: 'tool_error',
  },
  /** Stable attributes of the core conventions, and the log record of an exception. GenAI defines no such event for tools, so its name is ours. */
  exception: {
    name: 'toolpact.execute_tool.exception',
    severity: { caller: 13, server: 17, aborted: 5 },
    attributes: {
      'exception.type': { level: 'conditionally_required', type: 'string' },
      'exception.message': { level: 'conditionally_required', type: 'string' },
      'exception.stacktrace': { level: 'recommended', type: 'string' },
    } as const satisfies Facts,
  },
  core: {
    'http.response.status_code': { level: 'conditionally_required', type: 'int' },
    'error.type': { level: 'conditionally_required', type: 'string' },
  } as const satisfies Facts,
  /** Our own facts. Never under `gen_ai.*`, and every set of values is bounded or unique per call by intent. */
  own: {
    'toolpact.outcome': {
      level: 'required',
      type: 'string',
      values: ['ok', 'partial', 'pending', 'error', 'denied', 'cancelled'],
    },
    'toolpact.attempts': { level: 'recommended', type: 'int' },
    'toolpact.replayed': { level: 'recommended', type: 'boolean' },
    'toolpact.cache_hit': { level: 'recommended', type: 'boolean' },
    'toolpact.invocation.id': { level: 'recommended', type: 'string' },
    /** The finer `error.type`, on a span where the conventions prescribe a coarser one. */
    'toolpact.error.type': { level: 'recommended', type: 'string' },
  } as const satisfies Facts,
  attemptSpan: { name: 'toolpact.attempt', attributes: { 'toolpact.attempt.number': { level: 'required', type: 'int' } } },
  contentEvent: { name: 'toolpact.execute_tool.content' },
} as const;

/** Stands for every value outside a bounded set. */
export const other = '_OTHER';

/** Names the scope of our tracer, meter and logger. */
export const scope = { name: 'toolpact', version: '0.3.0', schemaUrl: conventions.source.schemaUrl } as const;
