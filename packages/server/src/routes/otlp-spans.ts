import type { JsonValue, RecordedCall } from 'toolpact';
import { conventions, errorType } from 'toolpact/internal';

/** The beginning and end of a file of spans, in the JSON form of OTLP. */
export const traceBegin = `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"toolpact"}}]},"scopeSpans":[{"scope":{"name":"toolpact"},"schemaUrl":${JSON.stringify(conventions.source.schemaUrl)},"spans":[`;
export const traceEnd = ']}]}]}';

/** An attribute in the JSON form of OTLP. */
interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string } | { readonly boolValue: boolean };
}

/** A span in the JSON form of OTLP. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 1;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code?: 2; readonly message?: string };
}

/** Writes a call that has ended as a span, with one inside for each of its steps, named as `openTelemetry()` names them. A call that has not ended has no span. */
export async function toOtlpSpans(call: RecordedCall): Promise<readonly OtlpSpan[]> {
  const { id, tool, begunAt, tookMs, outcome, trace } = call;
  if (outcome === undefined || outcome.status === 'pending') return [];
  const begun = Date.parse(begunAt);
  const [traceId, spanId] = await Promise.all([toId(call.traceId, 32), toId(id, 16)]);
  const failure = outcome.status === 'error' ? outcome.error : undefined;
  const type = failure && errorType(failure);
  const span: OtlpSpan = {
    traceId,
    spanId,
    name: `execute_tool ${tool}`,
    kind: 1,
    startTimeUnixNano: toNanoseconds(begun),
    endTimeUnixNano: toNanoseconds(begun + (tookMs ?? 0)),
    attributes: toAttributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': call.callId,
      'gen_ai.agent.name': call.agentName,
      'gen_ai.conversation.id': call.conversationId,
      'gen_ai.tool.call.arguments': JSON.stringify(call.input),
      'gen_ai.tool.call.result': 'data' in outcome ? JSON.stringify(outcome.data) : undefined,
      'error.type': type,
      'toolpact.outcome': failure !== undefined && type === undefined ? failure.kind : outcome.status,
      'toolpact.attempts': call.attempts,
      'toolpact.invocation.id': id,
      'toolpact.replayed': call.replayOf === undefined ? undefined : true,
      'toolpact.cache_hit': call.cacheHit,
    }),
    status: type === undefined ? {} : { code: 2, ...(failure && { message: failure.message }) },
  };
  const steps = (trace?.steps ?? []).filter(({ tookMs: took }) => took !== undefined);
  const inner = steps.map(async ({ step, atMs, tookMs: took = 0, status, replayed }, index): Promise<OtlpSpan> => {
    const endsAt = begun + atMs + took;
    return {
      traceId,
      spanId: await toId(`${id} ${index} ${step}`, 16),
      parentSpanId: spanId,
      name: `step ${step}`,
      kind: 1,
      startTimeUnixNano: toNanoseconds(begun + atMs),
      endTimeUnixNano: toNanoseconds(endsAt),
      attributes: toAttributes({ 'toolpact.step.name': step, 'toolpact.step.replayed': replayed }),
      status: status === 'error' ? { code: 2 } : {},
    };
  });
  return [span, ...(await Promise.all(inner))];
}

function toAttributes(values: Readonly<Record<string, JsonValue | undefined>>): OtlpAttribute[] {
  return Object.entries(values).flatMap(([key, value]): OtlpAttribute[] => {
    if (value === undefined) return [];
    if (typeof value === 'number') return [{ key, value: { intValue: String(value) } }];
    return [{ key, value: typeof value === 'boolean' ? { boolValue: value } : { stringValue: String(value) } }];
  });
}

function toNanoseconds(epochMs: number): string {
  return String(BigInt(Math.round(epochMs * 1_000)) * 1_000n);
}

/** Returns an id of hexadecimal digits: the given one where it is such an id, else always the same one for the same text. */
async function toId(given: string, digits: 16 | 32): Promise<string> {
  if (given.length === digits && /^[\da-f]+$/.test(given) && !/^0+$/.test(given)) return given;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(given)));
  return Array.from(hash.subarray(0, digits / 2), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
