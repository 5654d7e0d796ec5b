import type { GuardedCall } from '../../ports/index.ts';
import { systemClock } from '../../time/index.ts';

/** How long a handler has to end by itself and to say what it did. One that goes on is left alone, and its call ends. */
const graceMs = 1_000;

/** How a call ends whose handler goes on although it was stopped. */
interface StopRules {
  /** Whether its tool may run. @default whether it does here */
  readonly hasBegun?: () => boolean;
  /** Whether its end is on its way to the store. */
  readonly hasEnded?: () => boolean;
  /** @default at once */
  readonly end?: (message: string) => void;
}

/** Stops a call that runs in this process, because somebody has asked for it in the store. */
export function stopCall(
  call: GuardedCall,
  { hasBegun = () => call.attempts > 0, hasEnded = () => false, end = (message) => cancel(call, message) }: StopRules = {},
): void {
  call.abort(new DOMException('The call was cancelled.', 'AbortError'));
  if (!hasBegun()) {
    // It waits in one of its guards: end it now, or it would begin as soon as that guard lets it on.
    cancel(call, `${call.tool.name} was cancelled before it ran.`);
    return;
  }
  const stopTimer = systemClock.after(graceMs, () => {
    if (call.outcome === undefined && !hasEnded()) end(`${call.tool.name} was cancelled before it finished.`);
  });
  call.onEnd(stopTimer);
}

function cancel(call: GuardedCall, message: string): void {
  call.end(call.refuse('cancelled', message));
}
