import { isObject } from '../json/index.ts';
import type { CallContext } from './call-context.ts';
import type { StandardIssue, StandardResult } from './standard-schema.ts';

/** The header of each part of a call's context that travels. Credentials for tools never do. */
const contextHeaders = {
  tenantId: 'X-Tenant-ID',
  requestId: 'X-Request-ID',
  traceId: 'X-Trace-ID',
  invocationId: 'X-Invocation-ID',
  runId: 'X-Run-ID',
  ingestionRunId: 'X-Ingestion-Run-ID',
  workflowId: 'X-Workflow-ID',
  collectionId: 'X-Collection-ID',
  documentId: 'X-Document-ID',
  documentVersionId: 'X-Document-Version-ID',
  caseId: 'X-Case-ID',
  idempotencyKey: 'Idempotency-Key',
  timeoutMs: 'X-Timeouts-Ms',
  budgetTokens: 'X-Budget-Tokens',
  locale: 'X-Locale',
  safetyMode: 'X-Safety-Mode',
} as const;

type Part = keyof typeof contextHeaders;
type Parts = { [TPart in Part]?: string };

/** Parts that are ids of the application's own domain: they lie in `ids`. */
const domainIds: readonly Part[] = ['ingestionRunId', 'workflowId', 'collectionId', 'documentId', 'documentVersionId', 'caseId'];
const counts: readonly Part[] = ['timeoutMs', 'budgetTokens'];
const uuids: readonly Part[] = ['tenantId', 'invocationId'];

/** Where a trace id may stand besides the headers; nothing else is read from there, credentials least of all. */
export interface TraceSources {
  readonly query?: URLSearchParams | Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

const longest = 512;
const controls = /\p{Cc}/u;
const casePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const traceparentPattern =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}|(?!00|ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?)$/;

/**
 * Reads the context that a request states for its calls, and fills nothing: what is missing is for the runtime. The trace id is the first of
 * X-Trace-ID, X-Request-ID, `trace_id` in the query, `trace_id` in the body, and traceparent.
 */
export function readContextHeaders(
  header: (lowerCaseName: string) => unknown,
  { query, body }: TraceSources = {},
  tenant: 'required' | 'optional' = 'optional',
): StandardResult<CallContext> {
  const parts: Parts = {};
  const issues: StandardIssue[] = [];
  const take = (part: Part, source: string, raw: unknown): void => {
    const value = first(raw);
    if (value === undefined || value === null || value === '') return;
    const problem = problemOf(part, value);
    if (problem === undefined) parts[part] = value as string;
    else issues.push({ message: `${source} ${problem}`, path: [fieldOf(part)] });
  };

  for (const [part, name] of Object.entries(contextHeaders)) take(part as Part, name, header(name.toLowerCase()));
  const traceSources: readonly (() => void)[] = [
    () => take('traceId', contextHeaders.requestId, parts.requestId),
    () => take('traceId', 'trace_id in the query', query instanceof URLSearchParams ? query.get('trace_id') : own(query, 'trace_id')),
    () => take('traceId', 'trace_id in the body', own(body, 'trace_id')),
    () => take('traceId', 'traceparent', traceOf(first(header('traceparent')))),
  ];
  for (const read of traceSources) {
    if (parts.traceId === undefined) read();
  }
  if (tenant === 'required' && parts.tenantId === undefined && issues.every(({ path }) => path?.[0] !== fieldOf('tenantId'))) {
    issues.push({ message: `${contextHeaders.tenantId} is required`, path: [fieldOf('tenantId')] });
  }
  for (const part of uuids) {
    const uuid = toUuid(parts[part]);
    if (parts[part] !== undefined && uuid === undefined) issues.push({ message: `${fieldOf(part)} must be a UUID`, path: [fieldOf(part)] });
    else if (uuid !== undefined) parts[part] = uuid;
  }
  if (parts.timeoutMs !== undefined && !(Number(parts.timeoutMs) > 0)) {
    issues.push({ message: `${fieldOf('timeoutMs')} must be an integer above 0`, path: [fieldOf('timeoutMs')] });
  }
  if (parts.runId !== undefined && parts.ingestionRunId !== undefined) {
    issues.push({ message: 'exactly one of run_id and ingestion_run_id must be set', path: [fieldOf('runId')] });
  }
  return issues.length === 0 ? { value: toContext(parts) } : { issues };
}

/** Reads the four forms of a UUID that Python's validators read, and writes the usual one. */
export function toUuid(value: unknown): string | undefined {
  if (typeof value !== 'string' || !uuidPattern.test(value)) return undefined;
  const hex = value.toLowerCase().replace(/^urn:uuid:|[-{}]/g, '');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const hyphenated = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const uuidPattern = new RegExp(`^(?:(?:urn:uuid:)?${hyphenated}|\\{${hyphenated}\\}|[\\da-f]{32})$`, 'i');

/** Names a part in messages, as its header does: `X-Tenant-ID` is `tenant_id`. */
function fieldOf(part: Part): string {
  return contextHeaders[part].toLowerCase().replace(/^x-/, '').replaceAll('-', '_');
}

function problemOf(part: Part, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > longest) return `must not be longer than ${longest} characters`;
  if (controls.test(value)) return 'must not hold control characters';
  if (counts.includes(part) && !/^-?\d{1,15}$/.test(value)) return 'must be an integer';
  if (part === 'caseId' && !casePattern.test(value))
    return 'must be 1 to 128 letters, digits, ".", "_", ":" or "-", and start with a letter or digit';
  return undefined;
}

function toContext(parts: Parts): CallContext {
  const context: Record<string, unknown> = {};
  const ids: Record<string, string> = {};
  for (const [part, value] of Object.entries(parts)) {
    if (domainIds.includes(part as Part)) ids[part] = value;
    else context[part] = counts.includes(part as Part) ? Number(value) : value;
  }
  return Object.keys(ids).length === 0 ? context : { ...context, ids };
}

/** Returns the trace id of a W3C traceparent. One that breaks the standard is ignored, as the standard asks. */
function traceOf(value: unknown): string | undefined {
  const match = typeof value === 'string' && value.length <= longest ? traceparentPattern.exec(value) : null;
  const [, trace = match?.[3], parent = match?.[4]] = match ?? [];
  return trace === undefined || /^0+$/.test(trace) || /^0+$/.test(parent ?? '') ? undefined : trace;
}

/** Takes the first of several values, without the spaces around it. */
function first(raw: unknown): unknown {
  const value: unknown = Array.isArray(raw) ? raw[0] : raw;
  return typeof value === 'string' && !controls.test(value) ? value.trim() : value;
}

function own(holder: unknown, name: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, name) ? holder[name as keyof typeof holder] : undefined;
}
