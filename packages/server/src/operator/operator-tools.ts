import { fromJsonSchema } from '@toolpact/openapi';
import {
  type AnyTool,
  type Approval,
  type CallPage,
  defineTool,
  fail,
  type JsonObject,
  type ListedCall,
  type Outcome,
  type RecordedCall,
  type StandardSchemaV1,
  toModelText,
} from 'toolpact';
import type { CallDifference, Cause, CheckResult, Health, KeptTexts, Readings, ServerFacts } from '../inspector/page-answers.ts';
import { approvalLine, callLine, explainCall } from './operator-texts.ts';
import type { ServerAccess } from './server-access.ts';

/** The `ctx.app` of the operator tools. */
export interface OperatorApp {
  readonly server: ServerAccess;
}

const define = defineTool.withContext<OperatorApp>();

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description });
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string' }, description });
const callId = text('The id of a call, as list_calls shows it.');

/** Returns the schema of arguments as the library takes it. */
function taking<TInput>(
  properties: Record<string, JsonObject>,
  required: readonly (keyof TInput & string)[] = [],
): StandardSchemaV1<TInput> {
  return fromJsonSchema<TInput>({ type: 'object', properties, required: [...required], additionalProperties: false });
}

const idOf = (id: string): string => `/v1/calls/${encodeURIComponent(id)}`;

async function findCall(server: ServerAccess, id: string, signal: AbortSignal): Promise<RecordedCall> {
  return (await server.read(`${idOf(id)}?dialect=outcome`, signal)) as RecordedCall;
}

interface CallQuery {
  readonly tool?: string;
  readonly status?: ListedCall['status'];
  readonly kind?: string;
  readonly runId?: string;
  readonly text?: string;
  readonly sinceMinutes?: number;
  readonly limit?: number;
  readonly cursor?: string;
}

const listCalls = define({
  name: 'list_calls',
  description: 'Lists recorded tool calls, newest first, one line each: id, tool, how it ended, effect, duration, arguments.',
  input: taking<CallQuery>({
    tool: text('Only calls of this tool.'),
    status: { enum: ['running', 'ok', 'partial', 'error', 'pending'], description: 'Only calls with this status.' },
    kind: text('Only calls that failed like this, for example timeout.'),
    runId: text('Only calls of this run of an agent.'),
    text: text('Only calls that contain this text in arguments, result or message.'),
    sinceMinutes: { type: 'number', exclusiveMinimum: 0, description: 'Only calls of the last so many minutes.' },
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Maximum number of items. Default: 20.' },
    cursor: text('Where to continue: the cursor of the page before.'),
  }),
  effects: 'none',
  examples: [{ input: { status: 'error', sinceMinutes: 60 } }],
  async run({ sinceMinutes, limit = 20, ...filter }, { app, signal }) {
    const query = new URLSearchParams({ limit: String(limit) });
    for (const [name, value] of Object.entries(filter)) query.set(name, String(value));
    if (sinceMinutes !== undefined) query.set('since', String(Date.now() - sinceMinutes * 60_000));
    const { calls, next } = (await app.server.read(`/v1/calls?${query}`, signal)) as CallPage;
    const lines = calls.length === 0 ? ['No calls.'] : calls.map(callLine);
    return [...lines, ...(next === undefined ? [] : [`More: the same call with cursor ${JSON.stringify(next)}.`])].join('\n');
  },
});

const why = define({
  name: 'why',
  description:
    'Explains one call: arguments, how it ended, what the model read, what guards, attempts and steps did, who decided, and the cause of a failure with its stack where this server shows causes.',
  input: taking<{ readonly id: string }>({ id: callId }, ['id']),
  effects: 'none',
  async run({ id }, { app, signal }) {
    const call = await findCall(app.server, id, signal);
    if (call.status !== 'error') return explainCall(call);
    // Causes are shown to some callers only, and are not kept for long.
    const cause = (await app.server.read(`${idOf(id)}/cause`, signal).catch(unlessRefused)) as Partial<Cause> | undefined;
    return explainCall(call, cause?.name === undefined ? undefined : (cause as Cause));
  },
});

function unlessRefused(thrown: unknown): undefined {
  if (thrown instanceof Response && (thrown.status === 403 || thrown.status === 404)) return undefined;
  throw thrown;
}

const readings = define({
  name: 'readings',
  description: 'Shows what a model read of a call, in the form of each provider (plain text, OpenAI, Anthropic, Gemini, MCP).',
  input: taking<{ readonly id: string; readonly form?: string }>(
    { id: callId, form: text('Only this form: plain, openai, openai-responses, anthropic, gemini or mcp.') },
    ['id'],
  ),
  effects: 'none',
  async run({ id, form }, { app, signal }) {
    const path = `${idOf(id)}/readings${form === undefined ? '' : `?form=${encodeURIComponent(form)}`}`;
    const { readings: all } = (await app.server.read(path, signal)) as Readings;
    if (all.length === 0) throw fail('invalid_input', `There is no form ${JSON.stringify(form)}.`);
    return all.map(({ form: name, text: written }) => `## ${name}\n${written}`).join('\n\n');
  },
});

const breakTool = define({
  name: 'break_tool',
  description:
    'Calls a tool so that it meets a fault, such as a timeout, and shows what a model would read. Only on a server of a developer (toolpact dev). Without a fault it lists the faults.',
  input: taking<{ readonly tool?: string; readonly arguments?: JsonObject; readonly fault?: string }>({
    tool: text('The name of the tool.'),
    arguments: { type: 'object', description: 'Arguments of the call.' },
    fault: text('The name of the fault.'),
  }),
  effects: 'writes',
  examples: [{ input: {} }],
  async run({ tool, arguments: args = {}, fault }, { app, signal }) {
    if (tool === undefined || fault === undefined) {
      const { faults } = (await app.server.read('/v1/inspector', signal)) as ServerFacts;
      if (faults.length === 0) throw fail('unsupported', 'This server breaks nothing: start it with toolpact dev.');
      return faults.map(({ name, description }) => `${name}: ${description}`).join('\n');
    }
    const { id, modelText } = (await app.server.post('/v1/inspector/break', { tool, arguments: args, fault }, signal)) as {
      readonly id: string;
      readonly modelText: string;
    };
    return `call ${id}\n${modelText}`;
  },
});

const rerunSafe = define({
  name: 'rerun_safe',
  description:
    'Makes a recorded call again where that cannot repeat an effect: its tool changes nothing, may be repeated, or the call failed before anything changed; steps that took effect are not run again. Otherwise it refuses and says why.',
  input: taking<{ readonly id: string }>({ id: callId }, ['id']),
  effects: 'writes',
  async run({ id }, { app, signal }) {
    const { refused } = (await app.server.read(`${idOf(id)}/repeat`, signal)) as { readonly refused?: string };
    if (refused !== undefined) throw fail('conflict', refused, { effect: 'none', advice: 'Do not repeat it; ask the user.' });
    const outcome = (await app.server.call(`${idOf(id)}/repeat?dialect=outcome`, {}, signal)) as Outcome;
    return `call ${outcome.meta.invocationId}\n${toModelText(outcome)}`;
  },
});

const keepAsTest = define({
  name: 'keep_as_test',
  description:
    'Writes a test from a recorded call: it answers from the recording and expects the same outcome. Returns the text of the file.',
  input: taking<{ readonly id: string }>({ id: callId }, ['id']),
  effects: 'none',
  async run({ id }, { app, signal }) {
    const { test } = (await app.server.read(`${idOf(id)}/kept`, signal)) as KeptTexts;
    return test;
  },
});

const diffCalls = define({
  name: 'diff_calls',
  description: 'Compares two calls: arguments, status, failure, steps, result, duration. Shows only what differs.',
  input: taking<{ readonly a: string; readonly b: string }>({ a: callId, b: text('The id of the other call.') }, ['a', 'b']),
  effects: 'none',
  async run({ a, b }, { app, signal }) {
    const { differences } = (await app.server.read(`${idOf(a)}/difference?with=${encodeURIComponent(b)}`, signal)) as {
      readonly differences: readonly CallDifference[];
    };
    return differences.length === 0 ? 'The calls are equal.' : differences.map((one) => `${one.field}: ${one.a} | ${one.b}`).join('\n');
  },
});

const checkToolsTool = define({
  name: 'check_tools',
  description:
    'Checks tools against the contract and says how to put each finding right. Tools that write are not run. Only on a server of a developer.',
  input: taking<{ readonly tools?: readonly string[] }>({ tools: texts('Names of tools. Default: all.') }),
  effects: 'none',
  timeoutMs: 60_000,
  examples: [{ input: {} }],
  async run(input, { app, signal }) {
    const { findings } = (await app.server.post('/v1/inspector/check', input, signal)) as CheckResult;
    return findings.length === 0 ? 'All tools keep the contract.' : findings.map(findingLine).join('\n');
  },
});

function findingLine({ check, level, tool, message, fix }: CheckResult['findings'][number]): string {
  return `${level} ${check}${tool === undefined ? '' : ` ${tool}`}: ${message}${fix === undefined ? '' : ` Fix: ${fix}`}`;
}

const health = define({
  name: 'health',
  description: 'Summarises the calls of the last hour, tool by tool, and the state of circuits and limits.',
  effects: 'none',
  async run(_, { app, signal }) {
    const { running, tools, breakers, limits } = (await app.server.read('/v1/inspector/health', signal)) as Health;
    const counted = (counts: Readonly<Record<string, number>>): string =>
      Object.entries(counts)
        .map(([status, count]) => `${count} ${status}`)
        .join(', ');
    return [
      `running: ${running}`,
      ...tools.map(({ tool, counts }) => `${tool}: ${counted(counts)}`),
      ...breakers
        .filter(({ state }) => state !== 'closed')
        .map(({ key, state, failures }) => `circuit ${key} is ${state} after ${failures} failures`),
      ...limits
        .filter(({ used, limit }) => used >= limit)
        .map(({ guard, key, used, limit }) => `${guard} ${key}: ${used} of ${limit} used`),
    ].join('\n');
  },
});

const listApprovals = define({
  name: 'list_approvals',
  description: 'Lists the calls that wait for a person: handle, question, arguments, since when.',
  effects: 'none',
  run: async (_, { app, signal }) => {
    const { approvals } = (await app.server.read('/v1/approvals', signal)) as { readonly approvals: readonly Approval[] };
    return approvals.length === 0 ? 'Nothing waits for a person.' : approvals.map(approvalLine).join('\n');
  },
});

const decideApproval = define({
  name: 'decide_approval',
  description: 'Approves or denies a call that waits. Only where the user has told you to: a person decides, not you.',
  input: taking<{ readonly handle: string; readonly decision: 'approve' | 'deny'; readonly reason?: string }>(
    {
      handle: text('The handle, as list_approvals shows it.'),
      decision: { enum: ['approve', 'deny'], description: 'What the user decided.' },
      reason: text('Why; the model reads it.'),
    },
    ['handle', 'decision'],
  ),
  effects: 'writes',
  async run({ handle, ...decision }, { app, signal }) {
    const { approval } = (await app.server.post(`/v1/approvals/${encodeURIComponent(handle)}`, decision, signal)) as {
      readonly approval: Approval;
    };
    return `The call is ${approval.state}.`;
  },
});

/** Returns the tools with which a coding agent operates a server. Deciding about approvals is offered only where that is asked for. */
export function operatorTools({ decide = false }: { readonly decide?: boolean | undefined } = {}): readonly AnyTool[] {
  const tools = [listCalls, why, readings, breakTool, rerunSafe, keepAsTest, diffCalls, checkToolsTool, health, listApprovals];
  return decide ? [...tools, decideApproval] : tools;
}
