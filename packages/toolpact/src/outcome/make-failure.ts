import { derivedAdvice } from './advice-for.ts';
import { catalogue, type FailureKind, type Recovery } from './catalogue.ts';
import type { Failure } from './failure.ts';

/** Facts that a caller may state about a failure; everything else follows from the kind's row. */
export type FailureFacts<TCode extends string = string> = {
  readonly [K in Exclude<keyof Failure, 'recovery' | 'kind' | 'code'>]?: Failure[K] | undefined;
} & {
  readonly code?: TCode | undefined;
  readonly message: string;
  /** Says that repeating could do harm: it took effect, or may have, and nothing makes a second one the same as the first. */
  readonly unsafe?: boolean | undefined;
  /** Says that the tool declares that it writes, or has begun a step that counts; a tool that says nothing may well only read. */
  readonly writes?: boolean | undefined;
  /** Says that the message is not the author's own: that text is missing, or kept from this reader. */
  readonly withheld?: boolean | undefined;
};

const optional = ['code', 'retryAfterMs', 'issues', 'upstream', 'errorType', 'attempt', 'cause', 'details', 'debugId'] as const;

/** Builds a frozen failure from its kind and the facts known about it. */
export function makeFailure<TCode extends string = string>(kind: FailureKind, facts: FailureFacts<TCode>): Failure<TCode> {
  const { advice, effect = 'none', debugId } = facts;
  const recovery = recoveryOf(kind, facts);
  // Who has to look first is not told when to come back.
  const retryAfterMs = recovery === 'verify' ? undefined : facts.retryAfterMs;
  const derived = derivedAdvice({ kind, recovery, effect, retryAfterMs, debugId });
  const failure: { -readonly [K in keyof Failure<TCode>]: Failure<TCode>[K] } = {
    kind,
    message: facts.message,
    // An author's advice does not hide that the call may have taken effect.
    advice: advice === undefined ? derived : mustVerify(kind, facts) ? `${derived} ${advice}` : advice,
    recovery,
    // A refusal in words alone may say how long to wait; whether nothing happened is not sure enough to repeat it unasked.
    retryable: recovery === 'wait' && !(facts.unsafe && effect === 'unknown'),
    effect,
  };
  for (const name of optional) {
    const fact = name === 'retryAfterMs' ? retryAfterMs : facts[name];
    if (fact !== undefined) failure[name] = Object.freeze(fact) as never;
  }
  return Object.freeze(failure);
}

type RecoveryFacts = Pick<FailureFacts, 'retryable' | 'effect' | 'unsafe' | 'writes' | 'withheld'>;

/** Returns what to do next. It is never chosen at the throw site, so that it always agrees with `retryable` and the effect. */
export function recoveryOf(kind: FailureKind, facts: RecoveryFacts): Recovery {
  const { recovery } = catalogue[kind];
  if (mustVerify(kind, facts)) return 'verify';
  if (mayPass(kind, facts)) return 'wait';
  // Nobody is sent to a message that says nothing.
  return recovery === 'wait' || (recovery === 'see_message' && facts.withheld) ? 'stop' : recovery;
}

/**
 * Checks whether the outside world has to be looked at before the call is repeated. After an effect that no memory keeps from happening
 * twice always; where the effect is not known, only after kinds that can come late. What failed in its author's own words is mostly a
 * refusal too, unless the tool says that it writes.
 */
function mustVerify(kind: FailureKind, facts: RecoveryFacts): boolean {
  if (facts.effect === 'applied') return facts.unsafe === true || !mayPass(kind, facts);
  if (facts.effect !== 'unknown') return false;
  return kind === 'failed' ? facts.writes === true : facts.unsafe === true && !catalogue[kind].refusal;
}

function mayPass(kind: FailureKind, { retryable = catalogue[kind].retryable }: RecoveryFacts): boolean {
  return retryable;
}
