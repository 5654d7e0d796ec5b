import type { Outcome } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { skippedOutcome } from '../outcomes/error-outcome.ts';

/** Waits until all calls of a batch have come to their gates; gives an outcome where the failure of one of them stops this call. */
export async function leaveGate(call: Call): Promise<Outcome | undefined> {
  const { gate } = call;
  if (gate === undefined) return undefined;
  call.gate = undefined;
  // The time of a call does not count while its siblings are judged, or run before it.
  const goOn = call.pauseDeadline();
  const failedId = await gate();
  goOn();
  return failedId === undefined ? undefined : skippedOutcome(call, failedId);
}
