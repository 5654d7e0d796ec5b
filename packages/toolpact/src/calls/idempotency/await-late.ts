import type { Outcome } from '../../outcome/index.ts';
import type { Awaitable, GuardedCall } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';

/** What becomes of a call whose tool is waited for. */
export interface Ends {
  /** Gives the answer for what the tool brought. */
  readonly conclude: (outcome: Outcome) => Awaitable<Outcome>;
  /** Gives the answer for a call that has ended without its tool, which may still bring something. */
  readonly giveUp: (ended: Outcome, finished: Promise<Outcome>) => Awaitable<Outcome>;
  /** Hears that a bug of ours has hidden what became of the call. */
  readonly onBug: () => void;
}

/** Waits for a call's tool, for some time also after the call has ended by its deadline or its caller; then gives it up. */
export function awaitLate(call: GuardedCall, next: () => Promise<Outcome>, lateMs: number, ends: Ends): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    let stopTimer: StopTimer | undefined;
    let isGivenUp = false;
    const stopListening = call.onEnd((ended) => {
      const giveUp = (): void => {
        isGivenUp = true;
        new Promise<Outcome>((settle) => settle(ends.giveUp(ended, finished))).then(resolve, reject);
      };
      stopTimer = systemClock.after(lateMs, giveUp, { background: true });
    });
    const finished = next();
    const stopWatching = (): void => {
      stopListening();
      stopTimer?.();
    };
    // One `then`, no `finally`: that would make two more promises for every call.
    finished.then(
      (outcome) => {
        stopWatching();
        if (isGivenUp) return;
        try {
          resolve(ends.conclude(outcome));
        } catch (bug) {
          reject(bug);
        }
      },
      (bug: unknown) => {
        stopWatching();
        ends.onBug();
        reject(bug);
      },
    );
  });
}
