import { defaultRetry, type RetryRule } from '../contract/index.ts';
import { type Outcome, withoutAbsent, withWarning } from '../outcome/index.ts';
import type { Guard, GuardedCall } from '../ports/index.ts';
import { defineGuard } from '../runtime/index.ts';
import { maxTimerMs, retryPauseMs, sleep } from '../time/index.ts';

/**
 * Tries failed calls of tools that declare `retry` again, by class: only what may succeed later and is safe to repeat, which is what `error.retryable` says; of a tool with
 * steps also what failed after a step, because returned steps are not repeated. A wait that the other side asks for is waited for exactly;
 * other pauses are drawn between 0 and a limit that doubles. A wait that does not fit into the time left is not begun: the failure is answered
 * at once, with a warning. `random` draws the pauses: from 0 up to, not including, 1.
 */
export function retry(random: () => number = Math.random): Guard {
  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const own = call.tool.retry;
    if (own === undefined || own === false) return next();
    const { attempts, baseMs, maxMs } = { ...defaultRetry, ...withoutAbsent<RetryRule>(own) };
    for (let attempt = 1; ; attempt += 1) {
      const outcome = await next();
      const again = attempt >= attempts || call.outcome !== undefined ? undefined : call.mayRetry(outcome);
      if (again === undefined) return outcome;
      const asked = again.retryAfterMs;
      const waitMs = asked ?? retryPauseMs({ baseMs, maxMs }, attempt, random);
      const leftMs = Math.floor(call.remainingMs);
      if (waitMs >= Math.min(leftMs, maxTimerMs)) {
        return withWarning(outcome, `not tried again: a wait of ${waitMs} ms does not fit into the ${leftMs} ms left`);
      }
      if (waitMs > 0) await sleep(waitMs, call.signal);
      // A call that was stopped meanwhile does not run any more.
      if (call.signal.aborted) return outcome;
    }
  }

  return defineGuard({ name: 'retry', once: true, phase: 'retry', provides: ['retry'], around });
}
