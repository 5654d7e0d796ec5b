import type { CallContext } from 'toolpact';
import { expectArgument, isObject } from 'toolpact/internal';
import { createContext, type ToolContext, type ToolContextParts } from './tool-context.ts';

/** The two names of each shared field. What only a `CallContext` has, such as a signal, does not travel. */
const callNames = {
  tenant_id: 'tenantId',
  request_id: 'requestId',
  trace_id: 'traceId',
  invocation_id: 'invocationId',
  now_iso: 'now',
  run_id: 'runId',
  idempotency_key: 'idempotencyKey',
  timeouts_ms: 'timeoutMs',
  budget_tokens: 'budgetTokens',
  locale: 'locale',
  safety_mode: 'safetyMode',
  auth: 'auth',
} as const satisfies Partial<Record<keyof ToolContext, keyof CallContext>>;
const pairs = Object.entries(callNames) as (readonly [keyof ToolContext, keyof CallContext])[];

/** Fields of a `ToolContext` that are ids of one domain, and their names in `ids`. */
const idNames: Readonly<Record<Exclude<keyof ToolContext, keyof typeof callNames>, string>> = {
  ingestion_run_id: 'ingestionRunId',
  workflow_id: 'workflowId',
  collection_id: 'collectionId',
  document_id: 'documentId',
  document_version_id: 'documentVersionId',
  case_id: 'caseId',
};
const idPairs = Object.entries(idNames) as (readonly [keyof typeof idNames, string])[];

/** Turns a `ToolContext` into the context that calls take. */
export function toCallContext(context: ToolContext): CallContext {
  expectArgument(isObject(context), 'toCallContext takes a tool context');
  const fields = pairs.flatMap(([wire, call]) => (context[wire] === undefined ? [] : [[call, context[wire]]]));
  const ids = idPairs.flatMap(([wire, name]) => (context[wire] === undefined ? [] : [[name, context[wire]]]));
  return Object.fromEntries(ids.length === 0 ? fields : [...fields, ['ids', Object.fromEntries(ids)]]);
}

/**
 * Turns a call's context into a `ToolContext` and fills what is missing; a fraction of a millisecond is rounded up.
 * Throws a `TypeError` where a ToolContext has no room for it, such as a tenant that is no UUID.
 */
export function toToolContext(context: CallContext): ToolContext {
  expectArgument(isObject(context), 'toToolContext takes the context of a call');
  const ids = idPairs.map(([wire, name]) => [wire, context.ids?.[name]]);
  const parts: ToolContextParts = Object.fromEntries([...pairs.map(([wire, call]) => [wire, context[call]]), ...ids]);
  return createContext({ ...parts, timeouts_ms: context.timeoutMs === undefined ? undefined : Math.ceil(context.timeoutMs) });
}
