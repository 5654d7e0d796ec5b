import { defaultRetry, type RetryRule, retryOptions } from '../contract/index.ts';
import { type Outcome, refuseOptions, withoutAbsent, withWarning } from '../outcome/index.ts';
import type { Guard, GuardedCall } from '../ports/index.ts';
import { defineGuard } from '../runtime/index.ts';
import { maxTimerMs, retryPauseMs, sleep } from '../time/index.ts';

/** How calls are tried again. What a tool's own `retry` states wins over the numbers given here. */
export interface RetryOptions extends RetryRule {
  /**
   * Who tries again. Only one layer may, or attempts multiply: with `engine` (a durable engine around the toolbox does) and `none` this guard
   * lets every call run once. @default 'toolpact'
   */
  readonly retryOwner?: 'toolpact' | 'engine' | 'none';
  /** Draws the pauses: from 0 up to, not including, 1. @default Math.random */
  readonly random?: () => number;
}

const owners: readonly NonNullable<RetryOptions['retryOwner']>[] = ['toolpact', 'engine', 'none'];

/**
 * Tries failed calls again, by class: only what may succeed later and is safe to repeat, which is what `error.retryable` says; of a tool with
 * steps also what failed after a step, because returned steps are not repeated. A wait that the other side asks for is waited for exactly;
 * other pauses are drawn between 0 and a limit that doubles. A wait that does not fit into the time left is not begun: the failure is answered
 * at once, with a warning.
 */
export function retry(options: RetryOptions = {}): Guard {
  refuseOptions<RetryOptions>('retry', options, { ...retryOptions, retryOwner: owners, random: 'a function' });
  const { retryOwner = 'toolpact', random = Math.random } = options;
  const general = { ...defaultRetry, ...withoutAbsent<RetryRule>(options) };

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const own = call.tool.retry;
    if (retryOwner !== 'toolpact' || own === false) return next();
    const { attempts, baseMs, maxMs } = { ...general, ...withoutAbsent<RetryRule>(own ?? {}) };
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
