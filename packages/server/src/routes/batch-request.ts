import type { BatchCall, CallContext, Issue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';
import { checkExecution, checkFields, contextOfExecution, type Execution, takeIds } from './execution.ts';

/** A batch as it was asked for, in either form. */
export interface BatchRequest {
  readonly calls: readonly BatchCall[];
  readonly concurrency: number;
  readonly stopOnError: boolean;
  /** The context that the batch states for all of its calls. */
  readonly context: CallContext;
  /** Whether it came in the request form of older agents, whose answers list plain envelopes. */
  readonly isOld: boolean;
}

const maxAtOnce = 32;
const callFields = ['id', 'tool', 'args', 'timeoutMs', 'idempotencyKey'];
/** The fields of a batch, those of the other form included: they are refused by name. Older agents may send further fields, which are not read. */
const batchFields = ['calls', 'concurrency', 'stopOnError', 'parallel', 'stop_on_error', 'trace_id'];
/** By form: what only the other one knows, and what this one has for it. */
const strangers = {
  calls: { parallel: 'concurrency', stop_on_error: 'stopOnError' },
  actions: { concurrency: 'parallel', stopOnError: 'stop_on_error' },
} as const;

/**
 * Gives what is wrong with a batch: `{ calls: [{ id?, tool, args?, timeoutMs?, idempotencyKey? }], concurrency?, stopOnError? }`, or, in the form of older agents,
 * `{ actions: [{ action, params?, timeout? }], parallel?, stop_on_error?, worker_id? }`.
 */
export function checkBatch(value: unknown, maxCalls: number): Issue[] {
  if (!isRecord(value)) return [issue([], 'type', 'the body must be a JSON object')];
  const { calls, actions, parallel, stop_on_error, stopOnError, concurrency } = value;
  const [name, list] = actions === undefined ? (['calls', calls] as const) : (['actions', actions] as const);
  if (list === undefined) return [issue(['calls'], 'missing', 'calls is missing')];
  if (calls !== undefined && actions !== undefined) return [issue(['calls'], 'extra', 'calls and actions cannot be mixed')];
  if (!Array.isArray(list) || list.length === 0) return [issue([name], 'type', `${name} must be a list that is not empty`)];
  if (list.length > maxCalls) return [issue([name], 'rule', `${name} has ${list.length} entries; ${maxCalls} are allowed`)];
  const issues = list.flatMap((item: unknown, index) =>
    name === 'actions' ? checkExecution(item, [name, index]) : checkCall(item, [name, index]),
  );
  for (const [strange, own] of Object.entries(strangers[name])) {
    if (value[strange] !== undefined) issues.push(issue([strange], 'extra', `${strange} has no meaning beside ${name}, which have ${own}`));
  }
  if (name === 'actions') issues.push(...checkFields(value, []));
  else {
    const strange = Object.keys(value).find((field) => !batchFields.includes(field));
    if (strange !== undefined) issues.push(issue([strange], 'extra', `the batch has the unknown field ${strange.slice(0, 64)}`));
  }
  for (const [flag, given] of Object.entries({ parallel, stop_on_error, stopOnError })) {
    if (given !== undefined && typeof given !== 'boolean') issues.push(issue([flag], 'type', `${flag} must be true or false`));
  }
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && Number(concurrency) >= 1)) {
    issues.push(issue(['concurrency'], 'type', 'concurrency must be a whole number from 1'));
  }
  const ids = new Set(list.map((item: { readonly id?: unknown }, index) => (item?.id === undefined ? String(index) : item.id)));
  if (name === 'calls' && ids.size < list.length) issues.push(issue([name], 'rule', 'two entries have the same id'));
  return issues;
}

/** Reads a batch that was checked. Older agents expect one call after the other, and the first failure to stop the rest. */
export function readBatch(value: unknown, catalogue: Pick<ServedToolbox, 'resolveName' | 'list'>): BatchRequest {
  const { calls = [], actions, parallel, stop_on_error, stopOnError, concurrency = 8, ...rest } = value as Readonly<Record<string, never>>;
  if (actions === undefined) {
    return { calls, concurrency: Math.min(concurrency, maxAtOnce), stopOnError: stopOnError ?? false, context: {}, isOld: false };
  }
  const executions = (actions as readonly Execution[]).map((execution) => takeIds(execution, catalogue));
  // One batch has one trace and one session: those it states itself, or the first that an action states.
  const { trace_id, session_id } = { ...executions.find((one) => one.trace_id ?? one.session_id), ...rest } as Partial<Execution>;
  return {
    calls: executions.map(toCall),
    concurrency: parallel === true ? 8 : 1,
    stopOnError: stop_on_error ?? true,
    context: {
      ...contextOfExecution({ ...rest, session_id } as unknown as Execution),
      ...(typeof trace_id === 'string' && { traceId: trace_id }),
    },
    isOld: true,
  };
}

function toCall({ action, params, timeout, message_id }: Execution, index: number): BatchCall {
  return {
    id: message_id ?? String(index),
    tool: action,
    args: params ?? {},
    ...(typeof timeout === 'number' && { timeoutMs: timeout * 1000 }),
  };
}

function checkCall(value: unknown, at: readonly (string | number)[]): Issue[] {
  if (!isRecord(value)) return [issue(at, 'type', `${at.join('.')} must be an object`)];
  const { id, tool, args, timeoutMs, idempotencyKey } = value;
  // An unknown field would be ignored although its author relies on it.
  const strange = Object.keys(value).find((name) => !callFields.includes(name));
  const issues: Issue[] =
    strange === undefined ? [] : [issue([...at, strange], 'extra', `${at.join('.')} has the unknown field ${strange.slice(0, 64)}`)];
  if (tool === undefined) issues.push(issue([...at, 'tool'], 'missing', `${at.join('.')}.tool is missing`));
  else if (typeof tool !== 'string') issues.push(issue([...at, 'tool'], 'type', `${at.join('.')}.tool must be a text`));
  for (const [name, text] of Object.entries({ id, idempotencyKey })) {
    if (text !== undefined && (typeof text !== 'string' || text === '' || text.length > 512))
      issues.push(issue([...at, name], 'type', `${at.join('.')}.${name} must be a text of at most 512 characters`));
  }
  if (args !== undefined && !isRecord(args)) issues.push(issue([...at, 'args'], 'type', `${at.join('.')}.args must be an object`));
  if (timeoutMs !== undefined && !(typeof timeoutMs === 'number' && timeoutMs > 0)) {
    issues.push(issue([...at, 'timeoutMs'], 'type', `${at.join('.')}.timeoutMs must be more than 0`));
  }
  return issues;
}

function issue(path: readonly (string | number)[], problem: Issue['problem'], message: string): Issue {
  return { path, problem, message };
}
