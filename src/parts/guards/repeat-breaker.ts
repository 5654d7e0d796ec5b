import { waitForResult } from '../../core/contract/index.ts';
import {
  adviceFor,
  type Failure,
  type FailureKind,
  type Outcome,
  type Recovery,
  refuseOptions,
  ToolpactError,
} from '../../core/outcome/index.ts';
import type { Guard, GuardedCall } from '../../core/ports/index.ts';
import { defineGuard } from '../../core/runtime/index.ts';
import { createBoundedMap } from '../../core/time/index.ts';
import { assertPositive } from './store-access/assert-options.ts';
import { canonicalJson, fingerprint } from './store-access/fingerprint.ts';

/** When repeating the same failing call is answered with a hint, refused, and taken as a reason to stop. */
export interface RepeatBreakerOptions {
  /** From this failure in a row on the message says that repeating will not help. @default 2 */
  readonly hintAfter?: number;
  /** After how many failures in a row the same call is refused without running. @default 3 */
  readonly refuseAfter?: number;
  /** From this time in a row on, refusals counted, a refusal carries `details.stop`. @default 5 */
  readonly stopAfter?: number;
  /** How long after its last failure a call may run again. @default 600_000 */
  readonly windowMs?: number;
  /** Names what repetitions are counted in. @default the run, else the session, the conversation, the user or tenant, else a framework in this process */
  readonly scope?: (call: GuardedCall) => string | undefined;
  /** How many different failing calls are remembered. @default 10_000 */
  readonly maxEntries?: number;
  readonly now?: () => number;
}

/** A call that keeps failing in one way. */
interface Streak {
  readonly kind: FailureKind;
  /** Distinguishes two failures of one kind. */
  readonly cause: string;
  readonly repeats: number;
  readonly failures: number;
  readonly expiresAt: number;
  /** When the failure itself said that trying again is fine. */
  readonly retryAt: number | undefined;
}

/**
 * Ends the endless repetition of one failing call: first a hint in the failure's message, then a refusal (`denied`, code `repeat_refused`)
 * without running, then `details.stop`, which adapters turn into their framework's stop. Only failures of the same kind and code add up, for
 * the same tool, arguments, user and run; anything else starts a new count, and calls made at the same time count once. A call that names no run,
 * session, conversation, user or tenant and has no call id counts for nothing: it may come from anyone. A call that comes after the time that
 * a failure asked for may run again. It counts per process, because a run lives in one; a shared count would cost a store write per failure.
 */
export function repeatBreaker(options: RepeatBreakerOptions = {}): Guard {
  refuseOptions<RepeatBreakerOptions>('repeatBreaker', options, {
    hintAfter: true,
    refuseAfter: true,
    stopAfter: true,
    windowMs: true,
    scope: true,
    maxEntries: true,
    now: true,
  });
  const { hintAfter = 2, refuseAfter = 3, stopAfter = 5, windowMs = 600_000, maxEntries = 10_000, scope, now = Date.now } = options;
  assertPositive({ hintAfter, refuseAfter, stopAfter, windowMs, maxEntries });
  if (stopAfter < refuseAfter)
    throw new ToolpactError('invalid_option', 'stopAfter must not be less than refuseAfter', { option: 'stopAfter' });
  if (scope !== undefined && typeof scope !== 'function')
    throw new ToolpactError('invalid_option', 'scope must be a function', { option: 'scope' });
  const streaks = createBoundedMap<Streak>({ maxEntries, now });

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    // Do not count `wait_for_result`: its own answers ask the model to call it again.
    const key = call.tool.name === waitForResult.name ? undefined : keyOf(call, scope);
    if (key === undefined) return next();
    const time = now();
    // A count that has far more time left than it was given was made before the clock was set back.
    if ((streaks.get(key)?.expiresAt ?? 0) - time > 2 * windowMs) streaks.delete(key);
    const before = streaks.get(key);
    const mayTryAgain = before?.retryAt !== undefined && time >= before.retryAt;
    if (before !== undefined && before.failures >= refuseAfter && !mayTryAgain) {
      const streak = { ...before, repeats: before.repeats + 1 };
      // The time goes on running: however often a call is refused, it may run again one day.
      streaks.set(key, streak, before.expiresAt);
      return refuse(call, streak, stopAfter, time);
    }
    // What counts is how the call ends for its caller: it may be its deadline, while this guard still waits.
    call.onEnd((outcome) => {
      if (outcome.status !== 'error') return streaks.delete(key);
      const streak = continued(before, outcome.error, mayTryAgain, now(), windowMs);
      if (streak === undefined) return;
      const known = streaks.get(key);
      const isBehind = known !== undefined && isSame(known, outcome.error) && known.repeats > streak.repeats;
      streaks.set(key, isBehind ? known : streak, streak.expiresAt);
    });
    const outcome = await next();
    if (outcome.status !== 'error') return outcome;
    const streak = continued(before, outcome.error, mayTryAgain, time, windowMs);
    return streak === undefined || streak.failures < hintAfter || mayTryAgain ? outcome : hinted(outcome, streak.failures);
  }

  return defineGuard({ name: 'repeat-breaker', once: true, phase: 'repeat', around });
}

/** Gives the streak with one more failure; undefined when that failure does not count. */
function continued(before: Streak | undefined, error: Failure, isAllowed: boolean, time: number, windowMs: number): Streak | undefined {
  if (error.kind === 'cancelled') return undefined;
  const retryAt = error.retryable && error.retryAfterMs !== undefined ? time + error.retryAfterMs : undefined;
  const { repeats, failures } = before !== undefined && isSame(before, error) ? before : { repeats: 0, failures: 0 };
  const more = isAllowed && repeats > 0 ? 0 : 1;
  const expiresAt = time + windowMs;
  return { kind: error.kind, cause: causeOf(error), repeats: repeats + more, failures: failures + more, expiresAt, retryAt };
}

function isSame({ kind, cause }: Streak, error: Failure): boolean {
  return kind === error.kind && cause === causeOf(error);
}

/** Two bugs of one tool are both `internal`; without a code their exceptions distinguish them. */
function causeOf({ code, cause }: Failure): string {
  return code ?? cause ?? '';
}

function refuse(call: GuardedCall, { kind, repeats, failures, retryAt }: Streak, stopAfter: number, time: number): Outcome {
  const waitMs = retryAt === undefined ? undefined : Math.ceil(retryAt - time);
  const advice =
    waitMs === undefined
      ? 'Do not repeat this call: change the arguments, use another tool, or tell the user.'
      : `Do not repeat this call at once: wait ${Math.ceil(waitMs / 1000)} s, or do something else meanwhile.`;
  const stop = repeats >= stopAfter;
  return call.refuse(
    'denied',
    `${call.tool.name} was called with exactly these arguments before and failed ${failures} times in a row (${kind}), so it did not run again.`,
    {
      code: 'repeat_refused',
      advice: stop ? `Stop calling it. ${advice}` : advice,
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      details: { repeats, lastKind: kind, ...(stop && { stop }) },
    },
  );
}

function hinted(outcome: Extract<Outcome, { status: 'error' }>, failures: number): Outcome {
  const { error } = outcome;
  const hint = `This exact call has now failed ${failures} times in a row in the same way. ${advices[error.recovery] ?? 'Do not repeat it unchanged.'}`;
  // The advice of the failure comes first, so that the hint has the last word.
  return Object.freeze({ ...outcome, error: Object.freeze({ ...error, advice: `${adviceFor(error)} ${hint}` }) });
}

const advices: Readonly<Partial<Record<Recovery, string>>> = {
  fix_input: 'The same arguments will fail again: change what the message names.',
  wait: 'Do not repeat it at once: do something else first, or tell the user.',
  verify: 'Find out what became of it before anything else.',
  reauth: 'It cannot work before the credential is renewed: tell the user.',
  ask_user: 'It will be answered the same way again: ask the user.',
  other_tool: 'It will fail again: use another tool or another way.',
  stop: 'It will fail again: go on without it, or tell the user.',
};

/** Names the call; undefined for one whose arguments cannot be compared, or whose caller is not known. */
function keyOf(call: GuardedCall, scope: RepeatBreakerOptions['scope'] = scopeOf): string | undefined {
  const { tool, tenantId, context, received } = call;
  try {
    const own = scope(call);
    if (own === undefined) return undefined;
    // Arguments for a tool that does not exist are as their caller made them, even endless; JSON refuses those.
    const text = tool.description === undefined ? JSON.stringify(received) : canonicalJson(received);
    return fingerprint([tenantId, context.userId, own, tool.name, text]);
  } catch {
    return undefined;
  }
}

/** Callers that name nothing may be strangers to each other; only frameworks, which name each call of a model, are one caller per process. */
function scopeOf({ context: { runId, sessionId, conversationId, userId, tenantId, callId } }: GuardedCall): string | undefined {
  if (runId !== undefined) return `run:${runId}`;
  if (sessionId !== undefined) return `session:${sessionId}`;
  if (conversationId !== undefined) return `conversation:${conversationId}`;
  return userId !== undefined || tenantId !== undefined ? 'credential' : callId !== undefined ? 'process' : undefined;
}
