import { isRecord, isThenable } from '../json/index.ts';
import { isFailureKind } from './catalogue.ts';
import { statuses } from './is-outcome.ts';
import { ToolpactError } from './toolpact-error.ts';

/** Throws with a sentence that says what a function takes, unless the condition holds. */
export function expectArgument(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new ToolpactError('invalid_argument', sentence);
}

/** Throws unless a value can be the outcome of a call. */
export function expectOutcome(what: string, outcome: unknown): void {
  const fits = isRecord(outcome) && statuses.includes(outcome.status) && isRecord(outcome.meta);
  expectArgument(fits, `${what} takes the outcome of a call${isThenable(outcome) ? ', not a promise of it: await the call first' : ''}`);
}

/** Throws unless a value can be the `error` of an outcome. */
export function expectFailure(what: string, failure: unknown): void {
  expectArgument(isRecord(failure) && isFailureKind(failure.kind), `${what} takes the failure of a call: outcome.error`);
}
