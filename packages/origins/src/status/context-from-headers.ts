import type { StandardResult } from 'toolpact';
import { readContextHeaders, refuseOptions, type TraceSources } from 'toolpact/internal';
import { toToolContext } from './convert-context.ts';
import type { ToolContext } from './tool-context.ts';

/** Request headers as a fetch API, a Node server or a plain object holds them. */
export type HeaderSource =
  | Headers
  | ReadonlyMap<string, string | readonly string[] | undefined>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Where a trace id may also stand; nothing else is read from there, credentials least of all. */
export interface ContextSources extends TraceSources {
  /** Whether a request must name its tenant; with `optional` one that names none gets the nil UUID. @default 'required' */
  readonly tenant?: 'required' | 'optional' | undefined;
}

/**
 * Reads a `ToolContext` off a request and fills what is missing, except the tenant. The trace id is the first of X-Trace-ID, X-Request-ID, `trace_id` in the query,
 * `trace_id` in the body, and traceparent. What is wrong comes back as issues; only an option that does not exist is thrown.
 */
export function contextFromHeaders(headers: HeaderSource, sources: ContextSources = {}): StandardResult<ToolContext> {
  refuseOptions<ContextSources>('contextFromHeaders', sources, { query: true, body: true, tenant: true });
  try {
    const lookup = toLookup(headers);
    const { tenant = 'required', ...traceSources } = sources;
    const read = readContextHeaders((name) => lookup.get(name), traceSources, tenant);
    return read.issues === undefined ? { value: toToolContext(read.value) } : read;
  } catch {
    return { issues: [{ message: 'the request cannot be read' }] };
  }
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
