/** The parts of the context that are sent with a call: ids, limits and settings. Credentials for tools are never sent. */
export interface ContextIds {
  /** A UUID. Where the server asks for a credential, it may only repeat that credential's tenant. */
  readonly tenantId?: string;
  /**
   * The run of an agent or graph. An approval counts for the run that asked for it: a program that makes an approved call after a restart gives
   * the same id again. @default one that the client made
   */
  readonly runId?: string | undefined;
  /** The run of an upload or ingestion, in place of `runId`. */
  readonly ingestionRunId?: string;
  readonly requestId?: string;
  /** @default the trace of `traceparent`, or a new one */
  readonly traceId?: string;
  readonly traceparent?: string;
  /** A UUID. @default the server makes one */
  readonly invocationId?: string;
  readonly workflowId?: string;
  readonly collectionId?: string;
  readonly documentId?: string;
  readonly documentVersionId?: string;
  readonly caseId?: string;
  /** How many tokens the run may spend. */
  readonly budgetTokens?: number;
  readonly locale?: string;
  /** The name of a guardrail profile; one that the server has set stays. */
  readonly safetyMode?: string;
}

/** The header that carries each of them. */
export const headerOf: Readonly<Record<keyof ContextIds, string>> = {
  tenantId: 'x-tenant-id',
  runId: 'x-run-id',
  ingestionRunId: 'x-ingestion-run-id',
  requestId: 'x-request-id',
  traceId: 'x-trace-id',
  traceparent: 'traceparent',
  invocationId: 'x-invocation-id',
  workflowId: 'x-workflow-id',
  collectionId: 'x-collection-id',
  documentId: 'x-document-id',
  documentVersionId: 'x-document-version-id',
  caseId: 'x-case-id',
  budgetTokens: 'x-budget-tokens',
  locale: 'x-locale',
  safetyMode: 'x-safety-mode',
};
const names = Object.keys(headerOf) as (keyof ContextIds)[];

/** Lays the ids of a call over those of its client. A call belongs to one run: naming one kind of run puts the other aside. */
export function mergeIds(base: ContextIds, own: ContextIds): ContextIds {
  const ids: { -readonly [TKey in keyof ContextIds]: ContextIds[TKey] } = Object.fromEntries(
    names.flatMap((name) => ((own[name] ?? base[name]) === undefined ? [] : [[name, own[name] ?? base[name]]])),
  );
  if (own.runId !== undefined && own.ingestionRunId === undefined) delete ids.ingestionRunId;
  if (own.ingestionRunId !== undefined && own.runId === undefined) delete ids.runId;
  // A trace that the call names in one form is not mixed with one that the client has in the other.
  if (own.traceparent !== undefined && own.traceId === undefined) delete ids.traceId;
  if (own.traceId !== undefined && own.traceparent === undefined) delete ids.traceparent;
  return ids;
}

/** Returns the trace id of a call. */
export function traceOf({ traceId, traceparent }: ContextIds): string {
  return traceId ?? /^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? '')?.[1] ?? crypto.randomUUID().replaceAll('-', '');
}

/** Writes ids as the headers that carry them. */
export function toHeaders(ids: ContextIds): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (ids[name] === undefined ? [] : [[headerOf[name], String(ids[name])]])));
}

/** Writes the time that a caller states for a call as the header that carries it. */
export function timeHeader(timeoutMs: number | undefined): Record<string, string> {
  return timeoutMs === undefined || !(timeoutMs > 0) || timeoutMs > 1e15 ? {} : { 'x-timeouts-ms': String(Math.ceil(timeoutMs)) };
}
