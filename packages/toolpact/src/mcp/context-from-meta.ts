import type { CallContext } from '../contract/index.ts';

/** The `_meta` keys under which a Toolpact client sends a server more about a call. */
export const metaKeys = Object.freeze({
  idempotencyKey: 'toolpact/idempotency-key',
  callId: 'toolpact/call-id',
  traceId: 'toolpact/trace-id',
});

const longest = 512;

/** Reads what a request's `_meta` says about a call: its trace (`traceparent`, as the protocol spells it), its idempotency key and its call id. */
export function contextFromMeta(meta: Readonly<Record<string, unknown>>): CallContext {
  const traceId =
    /^[\da-f]{2}-(?!0{32})([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(textOf(meta.traceparent) ?? '')?.[1] ?? textOf(meta[metaKeys.traceId]);
  const idempotencyKey = textOf(meta[metaKeys.idempotencyKey]);
  const callId = textOf(meta[metaKeys.callId]);
  return {
    ...(traceId !== undefined && { traceId }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(callId !== undefined && { callId }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= longest ? value : undefined;
}
