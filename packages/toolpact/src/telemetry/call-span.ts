import type * as otel from '@opentelemetry/api';
import { toProviderName } from '../contract/index.ts';
import type { Failure, Outcome } from '../outcome/index.ts';
import type { CallSpan, TracedCall } from '../ports/index.ts';
import { endAttributes, metricAttributes, startAttributes, typeOf } from './call-attributes.ts';
import { exceptionOf, logContent, logException } from './call-logs.ts';
import { conventions, other } from './conventions.ts';
import { addMs, secondsBetween, toHrTime } from './hr-time.ts';
import { leaveServed, servedCall } from './mcp-span.ts';
import type { RecordSettings } from './record-settings.ts';
import type { LogEmitter, OtelApi } from './signals.ts';
import { ambientSpan, withoutAmbient } from './trace-context.ts';

/** Whatever is listening; at least one of them. */
export interface Listeners {
  readonly tracer: otel.Tracer | undefined;
  readonly histogram: otel.Histogram | undefined;
  readonly logger: LogEmitter | undefined;
}

/** Begins the record of one call. All that is known is written at once: samplers decide by it, and a failing call loses none of it. */
export function startCallSpan(call: TracedCall, { tracer, histogram, logger }: Listeners, settings: RecordSettings): CallSpan {
  const { api } = settings;
  const parent = api.context.active();
  const tool = call.description === undefined ? other : call.tool;
  const startTime = toHrTime(Date.now() - (performance.now() - call.startedAt));
  const served = servedCall(parent, tool);
  const hosted = served === undefined ? hostSpan(call, tool, parent, api) : undefined;
  const span = served?.span ?? hosted ?? (tracer && startSpan(tracer, call, tool, startTime, parent, settings));
  const isOwn = served === undefined && hosted === undefined;
  // Calls that the handler makes have this span as their parent, and not the span of the request.
  const active = leaveServed(withoutAmbient(span === undefined ? parent : api.trace.setSpan(parent, span)));
  served?.enter();
  if (!isOwn && span?.isRecording() === true) span.setAttributes(startAttributes(call, tool, settings));
  let attemptSpan: otel.Span | undefined;

  function endAttempt(outcome: Outcome): void {
    if (attemptSpan === undefined) return;
    if (outcome.status === 'error') markFailed(attemptSpan, outcome.error, typeOf(call, outcome.error, settings), api);
    attemptSpan.end();
    attemptSpan = undefined;
  }

  const spanContext = span?.spanContext();
  // A span that a provider or the context suppresses has an id of zeros.
  const valid = spanContext !== undefined && api.isSpanContextValid(spanContext) ? spanContext : undefined;
  return {
    traceId: valid?.traceId,
    spanId: valid?.spanId,
    within(run, attempt) {
      if (span === undefined) return run();
      if (tracer === undefined || !settings.attemptSpans) return api.context.with(active, run);
      attemptSpan = tracer.startSpan(conventions.attemptSpan.name, { attributes: { 'toolpact.attempt.number': attempt } }, active);
      return api.context.with(api.trace.setSpan(active, attemptSpan), run);
    },
    step: ({ name, occurrence, effects }) => {
      const attributes = { 'toolpact.step.name': name, 'toolpact.step.occurrence': occurrence, 'toolpact.step.effects': effects };
      const step = tracer?.startSpan(
        `step ${name}`,
        { attributes },
        attemptSpan === undefined ? active : api.trace.setSpan(active, attemptSpan),
      );
      return ({ replayed, error }) => {
        step?.setAttribute('toolpact.step.replayed', replayed);
        if (step !== undefined && error !== undefined) markFailed(step, error, typeOf(call, error, settings), api);
        step?.end();
      };
    },
    endAttempt,
    end(outcome) {
      endAttempt(outcome);
      const endTime = addMs(startTime, call.endedAt - call.startedAt);
      const failure = outcome.status === 'error' ? outcome.error : undefined;
      const type = failure && typeOf(call, failure, settings);
      const exception = failure && (logger !== undefined || settings.spanEvents) ? exceptionOf(call, outcome) : undefined;
      try {
        if (span?.isRecording() === true) {
          span.setAttributes(endAttributes(call, outcome, settings));
          if (failure !== undefined && served === undefined) markFailed(span, failure, type, api);
          // How the request ended is for its answer to say, in the words that the conventions have for it.
          if (type !== undefined && served !== undefined) span.setAttribute('toolpact.error.type', type);
          if (settings.spanEvents && exception !== undefined) span.addEvent('exception', { ...exception }, endTime);
        }
        if (isOwn) span?.end(endTime);
        served?.leave(outcome);
      } finally {
        // A span processor that fails does not take the measurement with it.
        histogram?.record(secondsBetween(startTime, endTime), metricAttributes(call, tool, type, settings), active);
      }
      if (logger === undefined) return;
      const facts = { tool, type, time: endTime, context: active, isServed: served !== undefined };
      if (exception !== undefined) logException(logger, call, outcome, exception, facts, settings);
      if (settings.capture === 'event' || settings.capture === 'both') logContent(logger, call, outcome, facts, settings);
    },
  };
}

function startSpan(
  tracer: otel.Tracer,
  call: TracedCall,
  tool: string,
  startTime: otel.HrTime,
  parent: otel.Context,
  settings: RecordSettings,
): otel.Span {
  const ambient = ambientSpan(parent);
  const span = tracer.startSpan(
    `execute_tool ${tool}`,
    {
      kind: settings.api.SpanKind.INTERNAL,
      startTime,
      attributes: startAttributes(call, tool, settings),
      ...(ambient !== undefined && { links: [{ context: ambient }] }),
    },
    parent,
  );
  ownSpans.add(span);
  return span;
}

const ownSpans = new WeakSet<otel.Span>();

/**
 * Finds the span that the host of a tool has begun for this very call, such as ADK's `execute_tool` span: it gets what is known of the call
 * instead of a second span of the same name. The host ends it.
 */
function hostSpan({ context }: TracedCall, tool: string, parent: otel.Context, api: OtelApi): otel.Span | undefined {
  if (context.adapter === undefined) return undefined;
  const span = api.trace.getSpan(parent);
  if (span === undefined || ownSpans.has(span) || !span.isRecording()) return undefined;
  const { name } = span as { readonly name?: unknown };
  return name === `execute_tool ${tool}` || name === `execute_tool ${toProviderName(tool)}` ? span : undefined;
}

/** A span without an `error.type` is not an error: its status stays unset, for successes and for calls that were denied or cancelled. */
function markFailed(span: otel.Span, failure: Failure, type: string | undefined, api: OtelApi): void {
  if (type === undefined) return;
  span.setAttribute('error.type', type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: failure.message });
}
