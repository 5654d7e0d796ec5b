import type { Outcome } from '../../../core/outcome/index.ts';

/** Believes that something out of a store is an outcome only if it has what every reader of one relies on. */
export function isStoredOutcome(value: unknown): value is Outcome {
  const { status, meta, error, pending } = (value ?? {}) as { readonly [TKey in 'status' | 'meta' | 'error' | 'pending']?: unknown };
  if (!isObject(meta)) return false;
  if (status === 'error') return isObject(error) && typeof error.message === 'string' && typeof error.kind === 'string';
  return status === 'pending' ? isObject(pending) && typeof pending.handle === 'string' : status === 'ok' || status === 'partial';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
