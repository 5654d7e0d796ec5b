import { isRecord } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { type StoredCall, StoreFault } from '../../ports/index.ts';

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

/** Returns a stored call whose outcome can be relied on; throws for any other. */
export function soundCall<TCall extends StoredCall | undefined>(call: TCall): TCall {
  if (call === undefined || hasSoundOutcome(call)) return call;
  throw new StoreFault(`the store gave the call ${call.id} with an outcome that cannot be read here`);
}

/** Returns why a call could not be read that its store has, unlike the others; undefined where the store itself did not answer. */
export function whyUnreadable(error: unknown): string | undefined {
  const cause = (error as { readonly cause?: unknown } | null)?.cause;
  return cause instanceof StoreFault ? cause.message : undefined;
}

/** Waits for something of a call; undefined where that cannot be read: one such call must not hide the others. */
export async function ifReadable<TValue>(read: Promise<TValue>): Promise<TValue | undefined> {
  try {
    return await read;
  } catch (error) {
    if (whyUnreadable(error) !== undefined) return undefined;
    throw error;
  }
}
