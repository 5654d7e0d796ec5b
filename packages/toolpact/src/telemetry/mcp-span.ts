import type * as otel from '@opentelemetry/api';
import { createRedactor, type Failure, type Outcome } from '../outcome/index.ts';
import type { McpAnswer, McpOperation, McpSpan } from '../ports/index.ts';
import { addMs, secondsBetween, toHrTime } from './hr-time.ts';
import { mcpAnswerAttributes, mcpAttributes, mcpFaultOf, mcpSpanAttributes, methodOf, targetOf } from './mcp-attributes.ts';
import type { RecordSettings } from './record-settings.ts';
import { ambientSpan, incomingContext, without, withoutAmbient } from './trace-context.ts';

/** The record of a request, as the call of its tool finds it: both share one span. */
export interface ServedCall {
  readonly span: otel.Span | undefined;
  /** The tool that was asked for, in the form of a label. */
  readonly tool: string | undefined;
  readonly enter: () => void;
  readonly leave: (outcome: Outcome) => void;
}

const servedKey = Symbol('toolpact/served-call');
const redactor = createRedactor();

/**
 * Begins the record of a request or notification: a SERVER span whose parent is the span that sent it, and a link to the one that was active
 * here, such as an HTTP server's.
 */
export function startMcpSpan(
  operation: McpOperation,
  { tracer, histogram }: { readonly tracer: otel.Tracer | undefined; readonly histogram: otel.Histogram | undefined },
  { api, capErrorType }: Pick<RecordSettings, 'api' | 'capErrorType'>,
): McpSpan {
  const parent = incomingContext(operation.carrier, api) ?? api.context.active();
  const begun = performance.now();
  const startTime = toHrTime(Date.now());
  const method = methodOf(operation);
  const common = mcpAttributes(operation);
  const ambient = ambientSpan(parent);
  const span = tracer?.startSpan(
    nameOf(method, targetOf(operation)),
    {
      kind: api.SpanKind.SERVER,
      startTime,
      attributes: { ...common, ...mcpSpanAttributes(operation, redactor) },
      ...(ambient !== undefined && { links: [{ context: ambient }] }),
    },
    parent,
  );
  let failure: Failure | undefined;
  let calls = 0;
  let isCancelled = false;
  let isEnded = false;
  const served: ServedCall = {
    span,
    tool: targetOf(operation),
    enter: () => {
      calls += 1;
    },
    leave: (outcome) => {
      calls -= 1;
      failure = outcome.status === 'error' ? outcome.error : undefined;
      if (isCancelled) end({});
    },
  };
  const inner = withoutAmbient(span === undefined ? parent : api.trace.setSpan(parent, span)).setValue(servedKey, served);

  function end(answer: McpAnswer): void {
    if (isEnded || (isCancelled && calls > 0)) return;
    isEnded = true;
    const endTime = addMs(startTime, performance.now() - begun);
    const learned = mcpAnswerAttributes(operation, answer);
    // A call that goes on after its answer has not said anything yet.
    const outcome = calls > 0 && { 'toolpact.outcome': 'pending' };
    const fault = mcpFaultOf(answer, failure, redactor);
    const type = fault && capErrorType(method, fault.type);
    const failed = {
      ...(type !== undefined && { 'error.type': type }),
      ...(fault?.isProtocolError && { 'rpc.response.status_code': type }),
    };
    try {
      if (span?.isRecording() === true) {
        span.setAttributes({ ...learned, ...failed, ...outcome });
        const target = learned['gen_ai.prompt.name'] ?? learned['gen_ai.tool.name'];
        if (target !== undefined) span.updateName(nameOf(method, String(target)));
        if (fault !== undefined) span.setStatus({ code: api.SpanStatusCode.ERROR, message: fault.message });
      }
      span?.end(endTime);
    } finally {
      histogram?.record(secondsBetween(startTime, endTime), { ...common, ...learned, ...failed }, inner);
    }
  }

  return {
    within: (run) => api.context.with(inner, run),
    end,
    cancel() {
      // A call that is being stopped has yet to say so.
      isCancelled = true;
      end({});
    },
  };
}

/** Finds the record of the request that a call answers; undefined for a call without a request. */
export function servedCall(context: otel.Context, tool: string): ServedCall | undefined {
  const served = context.getValue(servedKey) as ServedCall | undefined;
  // A call made by the tool, or by another tool in its place, is a call of its own.
  return served?.tool === tool ? served : undefined;
}

/** Returns a context in which further calls stand for themselves. */
export function leaveServed(context: otel.Context): otel.Context {
  return without(context, servedKey);
}

function nameOf(method: string, target: string | undefined): string {
  return target === undefined ? method : `${method} ${target}`;
}
