import type { BatchFacts, RouteRequest, RouteServer } from '@toolpact/server';
import type { CallContext, Issue, JsonObject } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { RouteAnswer } from './answer-operation.ts';
import { checkExecution, checkFields, contextOfExecution, type Execution, executionSchema, takeIds } from './execution.ts';

type Batch = Partial<Execution> & {
  readonly actions: readonly Execution[];
  readonly parallel?: boolean;
  readonly stop_on_error?: boolean;
};

/** The JSON Schema of a batch of actions. */
export const actionsSchema: JsonObject = {
  type: 'object',
  properties: {
    actions: { type: 'array', minItems: 1, items: executionSchema },
    parallel: { type: 'boolean' },
    stop_on_error: { type: 'boolean' },
  },
  required: ['actions'],
};

/** Fields of the server's own batches, and the field that stands for each here. */
const strangers: Readonly<Record<string, string>> = { concurrency: 'parallel', stopOnError: 'stop_on_error' };

/** Refuses a batch that is wrong: `{ actions: [{ action, params?, timeout? }], parallel?, stop_on_error?, worker_id? }`. */
export function refuseActions({ value, head }: RouteRequest, server: RouteServer): RouteAnswer | undefined {
  const issues = checkActions(value, server.maxBatch);
  if (issues.length > 0) {
    const message = `The batch is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
    return server.refuse('invalid_input', message, { issues, malformed: issues.some(({ path }) => path.length === 0) });
  }
  const ids = (value as Batch).actions.map(({ message_id }, index) => message_id ?? String(index));
  if ((head.header('idempotency-key') ?? '').trim() === '' || new Set(ids).size === ids.length) return undefined;
  return server.refuse('invalid_input', 'Two actions have the same message_id, so that an Idempotency-Key cannot tell them apart.');
}

/** Reads a batch that was checked. Clients of the origin expect one call after the other, and the first failure to stop the rest. */
export function readActions(value: unknown, { toolbox }: RouteServer): BatchFacts {
  const { actions, parallel, stop_on_error, ...rest } = value as Batch;
  const executions = actions.map((execution) => takeIds(execution, toolbox));
  // One batch has one trace and one session: those it states itself, or the first that an action states.
  const { trace_id, session_id = null } = { ...executions.find((one) => one.trace_id ?? one.session_id), ...rest };
  const context: CallContext = {
    ...contextOfExecution({ ...rest, session_id }),
    ...(typeof trace_id === 'string' && { traceId: trace_id }),
  };
  return {
    calls: executions.map(toCall),
    concurrency: parallel === true ? 8 : 1,
    stopOnError: stop_on_error ?? true,
    context,
    body: value,
  };
}

function checkActions(value: unknown, maxCalls: number): Issue[] {
  if (!isRecord(value)) return [issue([], 'type', 'the body must be a JSON object')];
  const { actions, calls } = value;
  if (calls !== undefined) return [issue(['calls'], 'extra', 'calls and actions cannot be mixed')];
  if (!Array.isArray(actions) || actions.length === 0) return [issue(['actions'], 'type', 'actions must be a list that is not empty')];
  if (actions.length > maxCalls) return [issue(['actions'], 'rule', `actions has ${actions.length} entries; ${maxCalls} are allowed`)];
  const issues = actions.flatMap((item: unknown, index) => checkExecution(item, ['actions', index]));
  for (const [strange, own] of Object.entries(strangers)) {
    if (value[strange] !== undefined) issues.push(issue([strange], 'extra', `${strange} has no meaning beside actions, which have ${own}`));
  }
  issues.push(...checkFields(value, []));
  const { parallel, stop_on_error, stopOnError, concurrency } = value;
  for (const [flag, given] of Object.entries({ parallel, stop_on_error, stopOnError })) {
    if (given !== undefined && typeof given !== 'boolean') issues.push(issue([flag], 'type', `${flag} must be true or false`));
  }
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && Number(concurrency) >= 1)) {
    issues.push(issue(['concurrency'], 'type', 'concurrency must be a whole number from 1'));
  }
  return issues;
}

function toCall({ action, params, timeout, message_id }: Execution, index: number): BatchFacts['calls'][number] {
  return {
    id: message_id ?? String(index),
    tool: action,
    args: params ?? {},
    ...(typeof timeout === 'number' && { timeoutMs: timeout * 1000 }),
  };
}

function issue(path: readonly (string | number)[], problem: Issue['problem'], message: string): Issue {
  return { path, problem, message };
}
