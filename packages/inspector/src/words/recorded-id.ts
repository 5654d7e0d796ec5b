import type { Outcome } from 'toolpact';

/** Returns the id of the recorded call behind an outcome. A call that joins a pending one has no record of its own. */
export function recordedId(outcome: Outcome): string | undefined {
  return outcome.status === 'pending' ? outcome.pending.handle : outcome.meta.invocationId;
}
