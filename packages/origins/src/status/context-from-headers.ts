import type { StandardIssue, StandardResult } from 'toolpact';
import { isObject, refuseOptions } from 'toolpact/internal';
import { fillContext, type ToolContext, type ToolContextParts, toolContextSchema } from './tool-context.ts';

/** Request headers as a fetch API, a Node server or a plain object holds them. */
export type HeaderSource =
  | Headers
  | ReadonlyMap<string, string | readonly string[] | undefined>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Where a trace id may also stand; nothing else is read from there, credentials least of all. */
export interface ContextSources {
  readonly query?: URLSearchParams | Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  /** Whether a request must name its tenant; with `optional` one that names none gets the nil UUID. @default 'required' */
  readonly tenant?: 'required' | 'optional' | undefined;
}

const longest = 512;
const headerOf = {
  tenant_id: 'X-Tenant-ID',
  request_id: 'X-Request-ID',
  trace_id: 'X-Trace-ID',
  invocation_id: 'X-Invocation-ID',
  run_id: 'X-Run-ID',
  ingestion_run_id: 'X-Ingestion-Run-ID',
  workflow_id: 'X-Workflow-ID',
  collection_id: 'X-Collection-ID',
  document_id: 'X-Document-ID',
  document_version_id: 'X-Document-Version-ID',
  case_id: 'X-Case-ID',
  idempotency_key: 'Idempotency-Key',
  timeouts_ms: 'X-Timeouts-Ms',
  budget_tokens: 'X-Budget-Tokens',
  locale: 'X-Locale',
  safety_mode: 'X-Safety-Mode',
} as const satisfies Partial<Record<keyof ToolContext, string>>;
const counts: readonly string[] = ['timeouts_ms', 'budget_tokens'] satisfies (keyof ToolContext)[];
const controls = /\p{Cc}/u;
const casePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const traceparentPattern =
  /^(?:00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}|(?!00|ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-.*)?)$/;

/**
 * Reads a `ToolContext` off a request and fills what is missing, except the tenant. The trace id is the first of X-Trace-ID, X-Request-ID, `trace_id` in the query,
 * `trace_id` in the body, and traceparent. What is wrong comes back as issues; only an option that does not exist is thrown.
 */
export function contextFromHeaders(headers: HeaderSource, sources: ContextSources = {}): StandardResult<ToolContext> {
  refuseOptions<ContextSources>('contextFromHeaders', sources, { query: true, body: true, tenant: true });
  try {
    return readContext(toLookup(headers), sources);
  } catch {
    return { issues: [{ message: 'the request cannot be read' }] };
  }
}

function readContext(headers: ReadonlyMap<string, unknown>, { query, body, tenant }: ContextSources): StandardResult<ToolContext> {
  const issues: StandardIssue[] = [];
  const parts: Record<string, string | number> = {};
  const take = (field: string, source: string, raw: unknown): void => {
    const value = first(raw);
    if (value === undefined || value === null || value === '') return;
    const problem = problemOf(field, value);
    if (problem === undefined) parts[field] = counts.includes(field) ? Number(value) : (value as string);
    else issues.push({ message: `${source} ${problem}`, path: [field] });
  };

  for (const [field, header] of Object.entries(headerOf)) take(field, header, headers.get(header.toLowerCase()));
  const traceSources: readonly (() => void)[] = [
    () => take('trace_id', headerOf.request_id, parts.request_id),
    () => take('trace_id', 'trace_id in the query', query instanceof URLSearchParams ? query.get('trace_id') : own(query, 'trace_id')),
    () => take('trace_id', 'trace_id in the body', own(body, 'trace_id')),
    () => take('trace_id', 'traceparent', traceOf(first(headers.get('traceparent')))),
  ];
  for (const read of traceSources) {
    if (parts.trace_id === undefined) read();
  }
  if (tenant !== 'optional' && parts.tenant_id === undefined && issues.every(({ path }) => path?.[0] !== 'tenant_id')) {
    issues.push({ message: `${headerOf.tenant_id} is required`, path: ['tenant_id'] });
  }
  const result = toolContextSchema['~standard'].validate(fillContext(parts as ToolContextParts));
  const found = [...issues, ...(result.issues ?? [])];
  return found.length > 0 || result.issues !== undefined ? { issues: found } : result;
}

function problemOf(field: string, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > longest) return `must not be longer than ${longest} characters`;
  if (controls.test(value)) return 'must not hold control characters';
  if (counts.includes(field) && !/^-?\d{1,15}$/.test(value)) return 'must be an integer';
  if (field === 'case_id' && !casePattern.test(value))
    return 'must be 1 to 128 letters, digits, ".", "_", ":" or "-", and start with a letter or digit';
  return undefined;
}

/** Gives the trace id of a W3C traceparent. One that breaks the standard is ignored, as the standard asks. */
function traceOf(value: unknown): string | undefined {
  const match = typeof value === 'string' && value.length <= longest ? traceparentPattern.exec(value) : null;
  const [, trace = match?.[3], parent = match?.[4]] = match ?? [];
  return trace === undefined || /^0+$/.test(trace) || /^0+$/.test(parent ?? '') ? undefined : trace;
}

function toLookup(headers: HeaderSource): ReadonlyMap<string, unknown> {
  const entries: Iterable<readonly [string, unknown]> = Symbol.iterator in headers ? (headers as Headers) : Object.entries(headers);
  const lookup = new Map<string, unknown>();
  for (const [name, value] of entries) {
    const key = String(name).toLowerCase();
    if (!lookup.has(key)) lookup.set(key, value);
  }
  return lookup;
}

/** Takes the first of several values, without the spaces around it. */
function first(raw: unknown): unknown {
  const value: unknown = Array.isArray(raw) ? raw[0] : raw;
  return typeof value === 'string' && !controls.test(value) ? value.trim() : value;
}

function own(holder: unknown, name: string): unknown {
  return isObject(holder) && Object.hasOwn(holder, name) ? holder[name as keyof typeof holder] : undefined;
}
