import type { CallContext } from '../../core/contract/index.ts';
import { isObject, isRecord } from '../../core/json/index.ts';
/** Which of the protocol's two eras a request belongs to: with a handshake (up to 2025-11-25), or with everything in each request. */
export type McpEra = 'handshake' | 'stateless';

/** One request as the tools need it, whichever SDK received it. */
export interface McpRequest {
  readonly era: McpEra;
  /** The request's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
  /** Sends a notification that belongs to this request. */
  readonly notify?: ((notification: { readonly method: string; readonly params: Record<string, unknown> }) => unknown) | undefined;
  /** What the SDK hands to its handlers, as it is. */
  readonly host: unknown;
}

/** Reads what an SDK hands to a request handler: version 2 puts it under `mcpReq`, version 1 has it at top level. */
export function readMcpRequest(params: unknown, extra: unknown): McpRequest {
  const given = asRecord(extra);
  const { mcpReq } = given;
  const second = isObject(mcpReq) ? asRecord(mcpReq) : undefined;
  const { signal } = second ?? given;
  const notify = second === undefined ? given.sendNotification : second.notify;
  return {
    era: second?.envelope === undefined ? 'handshake' : 'stateless',
    meta: asRecord(asRecord(params)._meta),
    host: extra,
    ...(isSignal(signal) && { signal }),
    ...(typeof notify === 'function' && { notify: notify as McpRequest['notify'] }),
  };
}

/** Gives a value as a record; anything else is an empty one. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? (value as Record<string, unknown>) : {};
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof (value as Partial<AbortSignal> | undefined)?.addEventListener === 'function';
}

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
