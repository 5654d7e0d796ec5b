import { type RecordDraft, secretSpace } from '../ports/index.ts';

/** How long a store keeps records. */
export interface Retention {
  /** The longest any record is kept after its last write, also one that would stay. @default no limit */
  readonly retentionMs?: number | undefined;
}

/** Returns the time at which a record written now expires; null for one that stays. */
export function toExpiry(
  { space, keepMs = Number.POSITIVE_INFINITY }: Pick<RecordDraft, 'space' | 'keepMs'>,
  { retentionMs = Number.POSITIVE_INFINITY }: Retention,
  now: number,
): number | null {
  const ms = space === secretSpace ? keepMs : Math.min(keepMs, retentionMs);
  return ms === Number.POSITIVE_INFINITY ? null : now + ms;
}

/** Returns the time at which a window that begins now ends; a moment that every store can hold. */
export function toWindowEnd(now: number, windowMs: number): number {
  return Math.min(now + windowMs, Number.MAX_SAFE_INTEGER);
}

/**
 * Returns how far ahead the lease of any process may lie, as seen by one that gives a sign of life, and for how long one counts that lies further
 * ahead. Such a lease was written before the clock of the machine was set back: without this, the calls of a process that died before would not be
 * taken over for as long as the clock went back. A process that lives renews it.
 */
export function leaseBounds(now: number, leaseMs: number): { readonly farthest: number; readonly until: number } {
  return { farthest: now + Math.max(36 * leaseMs, 3_600_000), until: now + Math.min(leaseMs, 10_000) };
}
