import type { GuardedCall } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';

/** Tries something in the background until it succeeds, three times at most; gives whether it did. Keeps no process alive, and never rejects. */
export async function tryLater(hasSucceeded: () => Promise<boolean>, pauseMs: number): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    await sleep(pauseMs, undefined, { background: true });
    if (await hasSucceeded()) return true;
  }
  return false;
}

/**
 * Waits between two tries of a call, until the call is told to stop. One that was told so before waits in full: it may go on for a while, and
 * without a pause its tries would leave the process no time for anything else, not even for the end of the call.
 */
export function pauseIn({ signal }: Pick<GuardedCall, 'signal'>, ms: number): Promise<void> {
  return sleep(ms, signal.aborted ? undefined : signal, { background: signal.aborted });
}
