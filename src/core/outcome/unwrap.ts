import type { Outcome } from './outcome.ts';
import { ToolFailure, toToolFailure } from './tool-failure.ts';

/** Gives the data of an outcome, or throws its failure, for those who prefer exceptions. A partial outcome gives its data. */
export function unwrap<TData>(outcome: Outcome<TData>): TData {
  switch (outcome.status) {
    case 'ok':
    case 'partial':
      return outcome.data;
    case 'pending':
      throw new ToolFailure('not_ready', `The call is still pending (${outcome.pending.reason}).`, {
        details: { handle: outcome.pending.handle },
      });
    case 'error':
      throw toToolFailure(outcome.error, outcome.data);
  }
}
