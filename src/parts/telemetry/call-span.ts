import type * as otel from '@opentelemetry/api';
import type { Failure, Outcome } from '../../core/outcome/index.ts';
import type { CallSpan, TracedCall } from '../../core/runtime/index.ts';
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
  const span = served === undefined ? tracer && startSpan(tracer, call, tool, startTime, parent, settings) : served.span;
  // What the handler calls in turn has this span for its parent, and nothing of what led to it.
  const active = leaveServed(withoutAmbient(span === undefined ? parent : api.trace.setSpan(parent, span)));
  served?.enter();
  if (served !== undefined && span?.isRecording() === true) span.setAttributes(startAttributes(call, tool, settings));
  let attemptSpan: otel.Span | undefined;

  function endAttempt(outcome: Outcome): void {
    if (attemptSpan === undefined) return;
    if (outcome.status === 'error') markFailed(attemptSpan, outcome.error, typeOf(call, outcome.error, settings), api);
    attemptSpan.end();
    attemptSpan = undefined;
  }

  const spanContext = span?.spanContext();
  return {
    // A span that a provider or the context suppresses has an id of zeros.
    traceId: spanContext !== undefined && api.isSpanContextValid(spanContext) ? spanContext.traceId : undefined,
    within(run, attempt) {
      if (span === undefined) return run();
      if (tracer === undefined || !settings.attemptSpans) return api.context.with(active, run);
      attemptSpan = tracer.startSpan(conventions.attemptSpan.name, { attributes: { 'toolpact.attempt.number': attempt } }, active);
      return api.context.with(api.trace.setSpan(active, attemptSpan), run);
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
        if (served === undefined) span?.end(endTime);
        else served.leave(outcome);
      } finally {
        // A span processor that fails does not take the measurement with it.
        histogram?.record(secondsBetween(startTime, endTime), metricAttributes(call, tool, type), active);
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
  return tracer.startSpan(
    `execute_tool ${tool}`,
    {
      kind: settings.api.SpanKind.INTERNAL,
      startTime,
      attributes: startAttributes(call, tool, settings),
      ...(ambient !== undefined && { links: [{ context: ambient }] }),
    },
    parent,
  );
}

/** A span without an `error.type` is no error: success stays unset, and so does what is no fault. */
function markFailed(span: otel.Span, failure: Failure, type: string | undefined, api: OtelApi): void {
  if (type === undefined) return;
  span.setAttribute('error.type', type);
  span.setStatus({ code: api.SpanStatusCode.ERROR, message: failure.message });
}
