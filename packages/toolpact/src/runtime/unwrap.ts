import { expectOutcome, type Outcome, ToolFailure, toToolFailure } from '../outcome/index.ts';
import { causeOf } from './report.ts';

/**
 * Returns the data of an outcome, or throws its failure, for those who prefer exceptions. A partial outcome returns its data. The `cause` of what
 * is thrown is the original error where this process still has it, otherwise its name.
 */
export function unwrap<TData>(outcome: Outcome<TData>): TData {
  expectOutcome('unwrap', outcome);
  if (outcome.status === 'pending') {
    const { handle, reason } = outcome.pending;
    throw new ToolFailure('not_ready', `The call is still pending (${reason}).`, { details: { handle } });
  }
  if (outcome.status !== 'error') return outcome.data;
  const { error } = outcome;
  throw toToolFailure(error, outcome.data, { cause: causeOf(error.debugId)?.thrown ?? error.cause });
}
