import { isObject, isRecord } from '../json/index.ts';

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
  /** The argument that the SDK hands to its handlers, as it is. */
  readonly host: unknown;
}

/** Reads the argument that an SDK hands to a request handler: version 2 puts it under `mcpReq`, version 1 has it at top level. */
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

/** Returns a value as a record; anything else is an empty one. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? (value as Record<string, unknown>) : {};
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof (value as Partial<AbortSignal> | undefined)?.addEventListener === 'function';
}
