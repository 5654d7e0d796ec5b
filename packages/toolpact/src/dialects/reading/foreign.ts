import {
  type ErrorOutcome,
  type Failure,
  type FailureFacts,
  type FailureKind,
  type JsonValue,
  type Meta,
  makeFailure,
  recoveryOf,
} from '../../outcome/index.ts';
import type { DecodeOptions } from '../dialect.ts';

/**
 * Builds a failure that another system stated. Whether it took effect is unknown, so it is not to be repeated unless the reader knows
 * better of the tool.
 */
export function foreignFailure(kind: FailureKind, facts: FailureFacts, { effects }: DecodeOptions): Failure {
  // A call denied elsewhere did not run there.
  const effect = effects === 'none' || kind === 'denied' ? 'none' : 'unknown';
  const known = { ...facts, effect, unsafe: effects !== 'idempotent', writes: effects === 'writes' } as const;
  // The other system's advice did not take into account that nobody here knows whether the call took effect.
  return makeFailure(kind, recoveryOf(kind, known) === 'verify' ? { ...known, advice: undefined } : known);
}

/** Builds the outcome of a call that another system says failed. */
export function foreignError(
  error: Failure,
  meta: Meta,
  parts: { readonly data?: JsonValue | undefined; readonly fallback?: JsonValue | undefined; readonly input?: JsonValue | undefined } = {},
): ErrorOutcome {
  const { data, fallback, input } = parts;
  return Object.freeze({
    status: 'error',
    error,
    ...(data !== undefined && { data }),
    ...(fallback !== undefined && { fallback }),
    ...(input !== undefined && { input }),
    meta,
  });
}

/** Minimal meta for an envelope that says nothing about its call: the least time, and one attempt. */
export const unknownMeta: Meta = Object.freeze({ tookMs: 0.001, attempts: 1 });

/** Reads a duration, where 0 stands for less than the wire can say. */
export function readTookMs(milliseconds: number): number {
  return Math.max(milliseconds, 0.001);
}
