import { derivedAdvice } from './advice-for.ts';
import { catalogue, type FailureKind, type Recovery } from './catalogue.ts';
import type { Failure } from './failure.ts';

/** What may be stated about a failure; everything else follows from the kind's row. */
export type FailureFacts<TCode extends string = string> = {
  readonly [K in Exclude<keyof Failure, 'recovery' | 'kind' | 'code'>]?: Failure[K] | undefined;
} & {
  readonly code?: TCode | undefined;
  readonly message: string;
  /** Says that repeating could do harm: it took effect, or may have, and nothing makes a second one the same as the first. */
  readonly unsafe?: boolean | undefined;
  /** Says that the message is not the author's own: that text is missing, or kept from this reader. */
  readonly withheld?: boolean | undefined;
};

const optional = ['code', 'retryAfterMs', 'issues', 'upstream', 'errorType', 'attempt', 'cause', 'details', 'debugId'] as const;

/** Builds a frozen failure from its kind and the facts known about it. */
export function makeFailure<TCode extends string = string>(kind: FailureKind, facts: FailureFacts<TCode>): Failure<TCode> {
  const { advice, effect = 'none', retryAfterMs, debugId } = facts;
  // What has taken effect and is not simply made again must be said, whatever else would follow from the kind.
  const unsafe = facts.unsafe || (effect === 'applied' && !(facts.retryable ?? catalogue[kind].retryable));
  const recovery = recoveryOf(kind, { ...facts, unsafe });
  const derived = derivedAdvice({ kind, recovery, effect, retryAfterMs, debugId });
  const failure: { -readonly [K in keyof Failure<TCode>]: Failure<TCode>[K] } = {
    kind,
    message: facts.message,
    // An author's advice does not hide that the call may have taken effect.
    advice: advice === undefined ? derived : unsafe ? `${derived} ${advice}` : advice,
    recovery,
    // A failure that is unsafe to repeat has another recovery than `wait`, so it is never retryable.
    retryable: recovery === 'wait',
    effect,
  };
  for (const name of optional) {
    const fact = facts[name];
    if (fact !== undefined) failure[name] = Object.freeze(fact) as never;
  }
  return Object.freeze(failure);
}

/** Changes what may be done about a failure, and with it what it advises. */
export function withRecovery(failure: Failure, recovery: Recovery): Failure {
  const changed = { ...failure, recovery, retryable: recovery === 'wait' };
  return Object.freeze({ ...changed, advice: derivedAdvice(changed) });
}

/** Gives what to do next. It is never chosen at the throw site, so that it always agrees with `retryable` and the effect. */
export function recoveryOf(kind: FailureKind, facts: Pick<FailureFacts, 'retryable' | 'unsafe' | 'withheld'>): Recovery {
  const { recovery, retryable } = catalogue[kind];
  if (facts.unsafe) return 'verify';
  if (facts.retryable ?? retryable) return 'wait';
  // Nobody is sent to a message that says nothing.
  return recovery === 'wait' || (recovery === 'see_message' && facts.withheld) ? 'stop' : recovery;
}
