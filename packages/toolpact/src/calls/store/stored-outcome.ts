import { isRecord } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { StoredCall } from '../../ports/index.ts';

/** Believes that something out of a store is an outcome only if it has what every reader of one relies on. */
export function isStoredOutcome(value: unknown): value is Outcome {
  const { status, meta, error, pending } = (value ?? {}) as { readonly [TKey in 'status' | 'meta' | 'error' | 'pending']?: unknown };
  if (!isRecord(meta)) return false;
  if (status === 'error') return isRecord(error) && typeof error.message === 'string' && typeof error.kind === 'string';
  return status === 'pending' ? isRecord(pending) && typeof pending.handle === 'string' : status === 'ok' || status === 'partial';
}

/** Checks whether the outcome of a stored call can be relied on: one that has ended has one. */
export function hasSoundOutcome({ stage, outcome }: Pick<StoredCall, 'stage' | 'outcome'>): boolean {
  return outcome === undefined ? stage !== 'ended' : isStoredOutcome(outcome);
}
