import { catalogue, type FailureKind } from './catalogue.ts';
import type { Failure } from './failure.ts';

/** What may be stated about a failure; everything else follows from the kind's row. */
export type FailureFacts<TCode extends string = string> = {
  readonly [K in Exclude<keyof Failure, 'recovery' | 'kind' | 'code'>]?: Failure[K] | undefined;
} & {
  readonly code?: TCode | undefined;
  readonly message: string;
};

/**
 * Builds a frozen failure from its kind and the facts known about it. Recovery is never chosen at the throw site: a retryable failure
 * says `wait`, one that is not retryable never does.
 */
export function makeFailure<TCode extends string = string>(kind: FailureKind, facts: FailureFacts<TCode>): Failure<TCode> {
  const row = catalogue[kind];
  const retryable = facts.retryable ?? row.retryable;
  const failure: { -readonly [K in keyof Failure<TCode>]: Failure<TCode>[K] } = {
    kind,
    message: facts.message,
    recovery: retryable ? 'wait' : row.recovery === 'wait' ? 'stop' : row.recovery,
    retryable,
    effect: facts.effect ?? 'none',
  };
  if (facts.code !== undefined) failure.code = facts.code;
  if (facts.retryAfterMs !== undefined) failure.retryAfterMs = facts.retryAfterMs;
  if (facts.issues !== undefined) failure.issues = facts.issues;
  if (facts.upstream !== undefined) failure.upstream = facts.upstream;
  if (facts.errorType !== undefined) failure.errorType = facts.errorType;
  if (facts.attempt !== undefined) failure.attempt = facts.attempt;
  if (facts.cause !== undefined) failure.cause = facts.cause;
  if (facts.details !== undefined) failure.details = facts.details;
  if (facts.debugId !== undefined) failure.debugId = facts.debugId;
  return Object.freeze(failure);
}
