import type { Issue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { BatchFacts } from '../request/given-route.ts';

const maxAtOnce = 32;
const callFields = ['id', 'tool', 'args', 'timeoutMs', 'idempotencyKey'];
const batchFields = ['calls', 'concurrency', 'stopOnError', 'trace_id'];
/** Fields of batches elsewhere, and the field that stands for each here. */
const strangers: Readonly<Record<string, string>> = { parallel: 'concurrency', stop_on_error: 'stopOnError' };

/** Returns what is wrong with a batch: `{ calls: [{ id?, tool, args?, timeoutMs?, idempotencyKey? }], concurrency?, stopOnError? }`. */
export function checkBatch(value: unknown, maxCalls: number): Issue[] {
  if (!isRecord(value)) return [issue([], 'type', 'the body must be a JSON object')];
  const { calls, parallel, stop_on_error, stopOnError, concurrency } = value;
  if (calls === undefined) return [issue(['calls'], 'missing', 'calls is missing')];
  if (!Array.isArray(calls) || calls.length === 0) return [issue(['calls'], 'type', 'calls must be a list that is not empty')];
  if (calls.length > maxCalls) return [issue(['calls'], 'rule', `calls has ${calls.length} entries; ${maxCalls} are allowed`)];
  const issues = calls.flatMap((item: unknown, index) => checkCall(item, ['calls', index]));
  for (const [strange, own] of Object.entries(strangers)) {
    if (value[strange] !== undefined) issues.push(issue([strange], 'extra', `${strange} has no meaning beside calls, which have ${own}`));
  }
  const strange = Object.keys(value).find((field) => !batchFields.includes(field) && !Object.hasOwn(strangers, field));
  if (strange !== undefined) issues.push(issue([strange], 'extra', `the batch has the unknown field ${strange.slice(0, 64)}`));
  for (const [flag, given] of Object.entries({ parallel, stop_on_error, stopOnError })) {
    if (given !== undefined && typeof given !== 'boolean') issues.push(issue([flag], 'type', `${flag} must be true or false`));
  }
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && Number(concurrency) >= 1)) {
    issues.push(issue(['concurrency'], 'type', 'concurrency must be a whole number from 1'));
  }
  const ids = new Set(calls.map((item: { readonly id?: unknown }, index) => (item?.id === undefined ? String(index) : item.id)));
  if (ids.size < calls.length) issues.push(issue(['calls'], 'rule', 'two entries have the same id'));
  return issues;
}

/** Reads a batch that was checked. */
export function readBatch(value: unknown): BatchFacts {
  const { calls, concurrency = 8, stopOnError = false } = value as Omit<BatchFacts, 'body'>;
  return { calls, concurrency: Math.min(concurrency, maxAtOnce), stopOnError, body: value };
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
    issues.push(issue([...at, 'timeoutMs'], 'type', `${at.join('.')}.timeoutMs must be a number above 0`));
  }
  return issues;
}

function issue(path: readonly (string | number)[], problem: Issue['problem'], message: string): Issue {
  return { path, problem, message };
}
