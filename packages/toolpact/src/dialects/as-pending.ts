import { isRecord } from '../json/index.ts';
import type { JsonValue, Meta, Pending, PendingOutcome } from '../outcome/index.ts';
import { readPending } from './reading/read-outcome.ts';
import type { Path } from './reading/undecodable.ts';

/** Checks whether a value says that a call is pending: an object with a handle and a reason. */
export function isPending(value: JsonValue | undefined): boolean {
  return isRecord(value) && typeof value.handle === 'string' && typeof value.reason === 'string';
}

/** Checks whether data, as it shows in an envelope, says that a call is pending. */
export function isWaiting(data: JsonValue | undefined): boolean {
  return isRecord(data) && isPending(data.pending);
}

/**
 * Reads data at a place that consists of nothing but `pending` as a pending call. Taken as an ordinary result it would say to its reader that the
 * work is done.
 */
export function asPending(
  data: JsonValue,
  meta: Meta,
  at: Path,
  more: { readonly message?: string; readonly input?: JsonValue } = {},
): PendingOutcome | undefined {
  if (!isRecord(data) || !isWaiting(data) || Object.keys(data).length !== 1) return undefined;
  const pending = readPending(data.pending as JsonValue, [...at, 'pending']) as unknown as Pending;
  return Object.freeze({ status: 'pending', pending, ...more, meta });
}
