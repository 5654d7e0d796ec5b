import type { RetryRule } from '../../core/contract/index.ts';
import type { Outcome } from '../../core/outcome/index.ts';
import { refuseOptions, ToolpactError } from '../../core/outcome/index.ts';
import type { Guard, GuardedCall } from '../../core/ports/index.ts';
import { defineGuard } from '../../core/runtime/index.ts';
import { maxTimerMs, retryPauseMs, sleep } from '../../core/time/index.ts';
import { refuseToolOptions } from './refuse-tool-options.ts';
import { withWarning } from './with-meta.ts';

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

const owners: readonly unknown[] = ['toolpact', 'engine', 'none'] satisfies readonly RetryOptions['retryOwner'][];
const defaults: Required<RetryRule> = { attempts: 3, baseMs: 200, maxMs: 10_000 };

/**
 * Tries failed calls again, by class: only what may succeed later and is safe to repeat, which is what `error.retryable` says; of a tool with steps also what failed
 * after a step, because returned steps are not repeated. A wait that
 * the other side asks for is waited for exactly; other pauses are drawn between 0 and a limit that doubles. A wait that does not fit into the
 * time left is not begun: the failure is answered at once, with a warning.
 */
export function retry(options: RetryOptions = {}): Guard {
  refuseOptions<RetryOptions>('retry', options, { retryOwner: true, random: true, attempts: true, baseMs: true, maxMs: true });
  const { retryOwner = 'toolpact', random = Math.random } = options;
  if (!owners.includes(retryOwner))
    throw new ToolpactError('invalid_option', `retryOwner must be one of ${owners.join(', ')}`, { option: 'retryOwner' });
  if (typeof random !== 'function') throw new ToolpactError('invalid_option', 'random must be a function', { option: 'random' });
  const problem = problemOf(options);
  if (problem !== undefined) throw new ToolpactError('invalid_option', problem);
  const general = lay(defaults, options);

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const own = call.tool.retry;
    if (retryOwner !== 'toolpact' || own === false) return next();
    const { attempts, baseMs, maxMs } = lay(general, own ?? {});
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

  const tools = refuseToolOptions('retry', { attempts: true, baseMs: true, maxMs: true });
  return defineGuard({ name: 'retry', once: true, phase: 'retry', provides: ['retry'], around, tools });
}

/** Lays one rule over another. An invalid number changes nothing: a tool's rule is only seen when it is called. */
function lay(base: Required<RetryRule>, rule: RetryRule): Required<RetryRule> {
  const numbers = Object.entries({ attempts: rule.attempts, baseMs: rule.baseMs, maxMs: rule.maxMs });
  return { ...base, ...Object.fromEntries(numbers.filter(([name, value]) => value !== undefined && isFit(name, value))) };
}

function problemOf(rule: RetryRule): string | undefined {
  const { attempts, baseMs, maxMs } = rule;
  const wrong = Object.entries({ attempts, baseMs, maxMs }).find(([name, value]) => value !== undefined && !isFit(name, value));
  return wrong && `${wrong[0]} must be ${wrong[0] === 'attempts' ? 'a whole number, at least 1' : 'a number, at least 0'}`;
}

function isFit(name: string, value: unknown): boolean {
  return typeof value === 'number' && (name === 'attempts' ? Number.isInteger(value) && value >= 1 : value >= 0);
}
