/** Ids that travel with a call. */
export interface ContextIds {
  /** A UUID. Where the server asks for a credential, it may only repeat that credential's tenant. */
  readonly tenantId?: string;
  /** The run of an agent or graph. @default one that the client made */
  readonly runId?: string;
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
}

const headerOf: Readonly<Record<keyof ContextIds, string>> = {
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
};
const names = Object.keys(headerOf) as (keyof ContextIds)[];

/** Lays the ids of a call over those of its client. A call belongs to one run: naming one kind of run puts the other aside. */
export function layIds(base: ContextIds, own: ContextIds): ContextIds {
  const ids: { -readonly [TKey in keyof ContextIds]?: string } = {};
  for (const name of names) {
    const id = own[name] ?? base[name];
    if (id !== undefined) ids[name] = id;
  }
  if (own.runId !== undefined && own.ingestionRunId === undefined) delete ids.ingestionRunId;
  if (own.ingestionRunId !== undefined && own.runId === undefined) delete ids.runId;
  // A trace that the call names in one form is not mixed with one that the client has in the other.
  if (own.traceparent !== undefined && own.traceId === undefined) delete ids.traceId;
  if (own.traceId !== undefined && own.traceparent === undefined) delete ids.traceparent;
  return ids;
}

/** Gives the trace id of a call. */
export function traceOf({ traceId, traceparent }: ContextIds): string {
  return traceId ?? /^[\da-f]{2}-([\da-f]{32})-/.exec(traceparent ?? '')?.[1] ?? crypto.randomUUID().replaceAll('-', '');
}

/** Writes ids as the headers that carry them. */
export function toHeaders(ids: ContextIds): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (ids[name] === undefined ? [] : [[headerOf[name], ids[name]]])));
}
