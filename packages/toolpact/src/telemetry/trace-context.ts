import type * as otel from '@opentelemetry/api';
import { expectArgument, refuseOptions } from '../outcome/index.ts';
import { globalApi } from './global-api.ts';
import type { OtelApi } from './signals.ts';

/** Anything that carries a trace from one process to another: HTTP headers, or the `_meta` of an MCP request. */
export type TraceCarrier = Headers | Readonly<Record<string, unknown>> | null | undefined;

/** Which copy of the API to use. */
export interface TraceOptions {
  readonly api?: OtelApi;
}

const ambientKey = Symbol.for('toolpact/ambient-span');

/**
 * Runs something inside the trace that a carrier brings, with the propagators the application configured. The span that was active, such
 * as an HTTP server's, becomes a link of the calls inside. Without a trace in the carrier it just runs.
 */
export function continueTrace<TValue>(carrier: TraceCarrier, run: () => TValue, options: TraceOptions = {}): TValue {
  refuseOptions<TraceOptions>('continueTrace', options, { api: true });
  expectArgument(typeof run === 'function', 'continueTrace takes headers and a function');
  const { api = globalApi } = options;
  const incoming = incomingContext(carrier, api);
  return incoming === undefined ? run() : api.context.with(incoming, run);
}

/** Reads the context that a carrier brings; undefined when it brings no trace. A bad header must not make a call fail, and some propagators throw for values that are not text. */
export function incomingContext(carrier: TraceCarrier, api: OtelApi): otel.Context | undefined {
  try {
    const active = api.context.active();
    const extracted = api.propagation.extract(active, toRecord(carrier));
    const ambient = api.trace.getSpanContext(active);
    const incoming = api.trace.getSpanContext(extracted);
    if (incoming === undefined || (ambient !== undefined && incoming.spanId === ambient.spanId)) return undefined;
    return ambient === undefined ? extracted : extracted.setValue(ambientKey, ambient);
  } catch {
    return undefined;
  }
}

/** Returns a copy of a carrier that carries the active trace: `traceparent` and the other fields that the configured propagators write. */
export function propagateTrace(carrier: Readonly<Record<string, unknown>> = {}, options: TraceOptions = {}): Record<string, unknown> {
  refuseOptions<TraceOptions>('propagateTrace', options, { api: true });
  const { api = globalApi } = options;
  const written: Record<string, unknown> = { ...carrier };
  try {
    api.propagation.inject(api.context.active(), written);
  } catch {
    // A failing propagator costs the trace, not the request.
  }
  return written;
}

/** Reads the local span that was active when a remote trace was continued. */
export function ambientSpan(context: otel.Context): otel.SpanContext | undefined {
  return context.getValue(ambientKey) as otel.SpanContext | undefined;
}

/** Returns a context in which calls have no such span to link any more. */
export function withoutAmbient(context: otel.Context): otel.Context {
  return without(context, ambientKey);
}

/** Takes a value out of a context. One that does not have it is not copied: that would cost every call. */
export function without(context: otel.Context, key: symbol): otel.Context {
  return context.getValue(key) === undefined ? context : context.deleteValue(key);
}

/** Header names are written in any case; the propagators ask for lower case. `_meta` holds more than texts. */
function toRecord(carrier: TraceCarrier): Record<string, unknown> {
  if (carrier === undefined || carrier === null) return {};
  const entries: [string, unknown][] = carrier instanceof Headers ? [...carrier] : Object.entries(carrier);
  const texts = entries.filter(([, value]) => typeof value === 'string' || Array.isArray(value));
  return Object.fromEntries(texts.map(([key, value]) => [key.toLowerCase(), value]));
}
