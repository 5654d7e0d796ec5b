import { fingerprint } from '../calls/index.ts';
import { waitForResult } from '../contract/index.ts';
import { canonicalJson } from '../json/index.ts';
import { adviceFor, assertPositive, type FailureKind, type Outcome, type Recovery, refuseOption, refuseOptions } from '../outcome/index.ts';
import type { Guard, GuardedCall } from '../ports/index.ts';
import { defineGuard } from '../runtime/index.ts';
import { createBoundedMap } from '../time/index.ts';

/** When repeating the same failing call is answered with a hint, refused, and taken as a reason to stop. */
export interface RepeatBreakerOptions {
  /** From this failure in a row on the advice says how often the call has failed. @default 2 */
  readonly hintAfter?: number;
  /** After how many failures in a row the same call is refused without running. @default 3 */
  readonly refuseAfter?: number;
  /** From this time in a row on, refusals counted, a refusal carries `details.stop`. @default 5 */
  readonly stopAfter?: number;
  /** How long after its last failure a call may run again. @default 600_000 */
  readonly windowMs?: number;
  /**
   * Names the run that a call belongs to; a call without one is not counted.
   * @default its run, session, conversation, agent and client together, if it has any but the agent
   */
  readonly scope?: (call: GuardedCall) => string | undefined;
  /** How many runs, and how many different failing calls, are remembered. @default 10_000 */
  readonly maxEntries?: number;
  readonly now?: () => number;
}

/** A call that keeps failing in one way, while nothing else happens in its run. */
interface Streak {
  /** The stretch of its run in which it fails. Once something may have changed, another stretch begins and the streak is over. */
  readonly stretch: Stretch;
  readonly kind: FailureKind;
  /** Equal for failures that count as the same. */
  readonly fingerprint: string;
  /** Failures and refusals. */
  readonly repeats: number;
  readonly failures: number;
  readonly failedAt: number;
  /** When trying again is fine: the failure said so itself, or it is one that passes. */
  readonly retryAt: number | undefined;
}

/** The part of a run in which no call changed anything. Only its identity counts. */
type Stretch = Readonly<Record<never, never>>;

/** Who repeats what. */
interface RepeatedCall {
  readonly run: string;
  readonly call: string;
}

/** So long a failure that passes by itself counts when it does not say how long it takes. */
const defaultPauseMs = 10_000;

/**
 * Ends the endless repetition of one failing call: first a hint in the failure's advice, then a refusal (`denied`, code `repeat_refused`)
 * without running, then `details.stop`, which adapters turn into their framework's stop. A repetition is the same tool with the same arguments,
 * failing with the same kind, code and message, in the same run, while no other call of that run may have changed anything: a tool that writes and
 * succeeded, or failed with an effect, ends all streaks of its run but its own. Calls made at the same time count once. It counts per process,
 * because a run lives in one; a shared count would cost a store write per failure.
 */
export function repeatBreaker(options: RepeatBreakerOptions = {}): Guard {
  refuseOptions<RepeatBreakerOptions>('repeatBreaker', options, {
    hintAfter: true,
    refuseAfter: true,
    stopAfter: true,
    windowMs: true,
    scope: 'a function',
    maxEntries: true,
    now: 'a function',
  });
  const { hintAfter = 2, refuseAfter = 3, stopAfter = 5, windowMs = 600_000, maxEntries = 10_000, scope, now = Date.now } = options;
  assertPositive('repeatBreaker', { hintAfter, refuseAfter, stopAfter, windowMs, maxEntries });
  if (stopAfter < refuseAfter) refuseOption('repeatBreaker', 'stopAfter', 'at least refuseAfter');
  const runOf = scope ?? createRunOf();
  // Streaks expire by their own time, so these maps are bounded by their number of entries alone.
  const stretches = createBoundedMap<Stretch>({ maxEntries, now });
  const streaks = createBoundedMap<Streak>({ maxEntries, now });
  const never = Number.POSITIVE_INFINITY;

  function stretchOf(run: string): Stretch {
    const stretch = stretches.get(run) ?? {};
    stretches.set(run, stretch, never);
    return stretch;
  }

  /** Returns the streak of a call, if it fails in this stretch and not too long ago. A streak from the future was counted before the clock was set back. */
  function streakOf(call: string, stretch: Stretch, time: number): Streak | undefined {
    const streak = streaks.get(call);
    if (streak?.stretch !== stretch) return undefined;
    const age = time - streak.failedAt;
    return age >= 0 && age < windowMs ? streak : undefined;
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const repeated = identify(call, runOf);
    if (repeated === undefined) return next();
    const { run, call: key } = repeated;
    const stretch = stretchOf(run);
    const time = now();
    const before = streakOf(key, stretch, time);
    const mayTryAgain = before?.retryAt !== undefined && time >= before.retryAt;
    if (before !== undefined && before.failures >= refuseAfter && !mayTryAgain) {
      const streak = { ...before, repeats: before.repeats + 1 };
      streaks.set(key, streak, never);
      return refuse(call, streak, { stopAfter, time });
    }
    // Other calls of the run may meanwhile have changed what this call would return now.
    const isUndisturbed = (): boolean => stretches.get(run) === stretch;
    // The end for the caller is what counts: it may be its deadline, while this guard still waits.
    call.onEnd((outcome) => {
      const streak = isUndisturbed() ? nextStreak(before, outcome, { stretch, mayTryAgain, time: now() }) : undefined;
      if (mayHaveChanged(call, outcome)) {
        const after: Stretch = {};
        stretches.set(run, after, never);
        if (streak !== undefined) streaks.set(key, { ...streak, stretch: after }, never);
      } else if (streak !== undefined) {
        const known = streakOf(key, stretch, streak.failedAt);
        const isBehind = known !== undefined && known.fingerprint === streak.fingerprint && known.repeats > streak.repeats;
        if (!isBehind) streaks.set(key, streak, never);
      } else if (outcome.status !== 'error') streaks.delete(key);
    });
    const outcome = await next();
    if (mayTryAgain || !isUndisturbed()) return outcome;
    const streak = nextStreak(before, outcome, { stretch, mayTryAgain, time });
    return outcome.status !== 'error' || streak === undefined || streak.failures < hintAfter ? outcome : addHint(outcome, streak.failures);
  }

  return defineGuard({ name: 'repeat-breaker', once: true, phase: 'repeat', around });
}

/** Checks whether a call may have changed what other calls of its run give. The end of a call that was waited for counts too: it ran elsewhere. */
function mayHaveChanged({ tool }: GuardedCall, outcome: Outcome): boolean {
  if (outcome.status === 'error' && outcome.error.effect === 'none') return false;
  return isWait(tool.name) ? outcome.status !== 'pending' : tool.effects !== 'none';
}

/** Waiting is never counted: its own answers ask the model to wait again. */
function isWait(tool: string): boolean {
  return tool === waitForResult.name;
}

/** Returns the streak with one more failure; undefined where the call did not fail, or was stopped by its caller. */
function nextStreak(
  before: Streak | undefined,
  outcome: Outcome,
  { stretch, mayTryAgain, time }: { readonly stretch: Stretch; readonly mayTryAgain: boolean; readonly time: number },
): Streak | undefined {
  if (outcome.status !== 'error' || outcome.error.kind === 'cancelled' || isWait(outcome.meta.tool ?? '')) return undefined;
  const { kind, code, message, cause, retryable, retryAfterMs = defaultPauseMs } = outcome.error;
  const print = fingerprint([kind, code, message, cause]);
  const { repeats, failures } = before?.fingerprint === print ? before : { repeats: 0, failures: 0 };
  // Whoever waited as long as the failure asked for has not repeated it blindly.
  const more = mayTryAgain && repeats > 0 ? 0 : 1;
  const retryAt = retryable ? time + retryAfterMs : undefined;
  return { stretch, kind, fingerprint: print, repeats: repeats + more, failures: failures + more, failedAt: time, retryAt };
}

function refuse(
  call: GuardedCall,
  { kind, repeats, failures, retryAt }: Streak,
  { stopAfter, time }: { readonly stopAfter: number; readonly time: number },
): Outcome {
  const waitMs = retryAt === undefined ? undefined : Math.ceil(retryAt - time);
  const advice =
    waitMs === undefined
      ? 'Do not repeat this call unchanged: change the arguments, use another tool, or tell the user.'
      : `Do not repeat this call at once: wait ${Math.ceil(waitMs / 1000)} s, or do something else meanwhile.`;
  const stop = repeats >= stopAfter;
  return call.refuse(
    'denied',
    `${call.tool.name} did not run: exactly this call has failed ${failures} times in a row in the same way (${kind}), and nothing that this run did since could have changed its result.`,
    {
      code: 'repeat_refused',
      advice: stop ? `Stop calling it. ${advice}` : advice,
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
      details: { repeats, lastKind: kind, ...(stop && { stop }) },
    },
  );
}

function addHint(outcome: Extract<Outcome, { status: 'error' }>, failures: number): Outcome {
  const { error } = outcome;
  const hint = `This exact call has now failed ${failures} times in a row in the same way. ${hints[error.recovery] ?? 'Do not repeat it unchanged.'}`;
  // The advice of the failure comes first, so that the hint has the last word.
  return Object.freeze({ ...outcome, error: Object.freeze({ ...error, advice: `${adviceFor(error)} ${hint}` }) });
}

const hints: Readonly<Partial<Record<Recovery, string>>> = {
  fix_input: 'Change what the message names before you call it again.',
  wait: 'Do not repeat it at once: do something else first, or tell the user.',
  verify: 'Find out what happened to it first.',
  reauth: 'It cannot work before the credential is renewed: tell the user.',
  ask_user: 'Ask the user before you call it again.',
  other_tool: 'Use another tool or another way.',
  stop: 'Go on without it, or tell the user.',
};

/** Names a call and its run; undefined for a call whose arguments cannot be compared, or whose run is not known. */
function identify(call: GuardedCall, runOf: (call: GuardedCall) => string | undefined): RepeatedCall | undefined {
  const { tool, tenantId, context, received } = call;
  try {
    const scope = runOf(call);
    if (scope === undefined) return undefined;
    const run = fingerprint([tenantId, context.userId, scope]);
    // Arguments for a tool that does not exist are as their caller made them, even endless; JSON refuses those.
    const text = tool.description === undefined ? JSON.stringify(received) : canonicalJson(received);
    return { run, call: fingerprint([run, tool.name, text]) };
  } catch {
    return undefined;
  }
}

/**
 * Creates the function that names the run of a call. A tenant, a user or an agent's name alone is no run: many agents may share one credential,
 * and one agent may talk to many people at once.
 */
function createRunOf(): (call: GuardedCall) => string | undefined {
  const clientIds = new WeakMap<object, number>();
  let clients = 0;
  const idOf = (client: object | string): number | string => {
    if (typeof client === 'string') return client;
    const id = clientIds.get(client) ?? ++clients;
    clientIds.set(client, id);
    return id;
  };
  return ({ context }) => {
    const { runId, session, sessionId = session?.id, conversationId, agentName, client } = context;
    if ((runId ?? sessionId ?? conversationId ?? client) === undefined) return undefined;
    return canonicalJson([runId, sessionId, conversationId, agentName, client === undefined ? undefined : idOf(client)]);
  };
}
