import type { JsonValue, Outcome } from 'toolpact';

/** An outcome as three fields. `value` is null on failure, unless the tool attached a payload to it. */
interface ValueResult {
  readonly success: boolean;
  readonly value: JsonValue;
  readonly message: string;
}

/** Returns an outcome as success, value and message. A call that waits counts as a success whose value says so. */
export function toValueResult(outcome: Outcome): ValueResult {
  const { status } = outcome;
  const value = status === 'pending' ? { pending: outcome.pending } : (outcome.data ?? null);
  return { success: status === 'ok' || status === 'pending', value: value as JsonValue, message: messageOf(outcome) };
}

function messageOf(outcome: Outcome): string {
  if (outcome.status === 'error') return outcome.error.message;
  if (outcome.status === 'partial') return outcome.message ?? `${outcome.failures.length} of ${outcome.total} items failed`;
  return outcome.message ?? 'OK';
}
