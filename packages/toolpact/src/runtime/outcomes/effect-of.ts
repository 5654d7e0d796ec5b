import type { Effect } from '../../outcome/index.ts';
import type { Call } from '../call.ts';
import { statedBy, worseEffect } from '../steps.ts';

/** The known effect of a failed call. */
export interface FailureEffect {
  readonly effect: Effect;
  /** The least effect there was, whatever the failure states. */
  readonly leastEffect: Effect | undefined;
  /** Whether a repetition could do harm. */
  readonly unsafe: boolean;
  /** Whether the tool says that it writes, or has begun a step that counts. */
  readonly writes: boolean;
  readonly attempt: number | undefined;
  readonly debugId: string;
}

/**
 * States what may have happened outside. Before the run nothing did. During and after the run of a tool that writes it is unknown, unless
 * the failure itself shows that nothing was done, or the tool declares steps: then its steps decide, and a failure may only state something
 * worse.
 */
export function effectOf(call: Call, thrown?: unknown): FailureEffect {
  const { effects, declaresEffects, steps } = call.plan;
  const byStep = steps && call.attempts > 0;
  const derived = !call.handlerStarted || effects === 'none' ? 'none' : byStep ? (call.steps?.effect() ?? 'none') : 'unknown';
  const stated = statedBy(thrown);
  const effect = byStep ? worseEffect(stated, derived) : derived;
  const isKeyed = call.guarded?.key !== undefined;
  // The next call with the same key finds the steps that were done.
  const isKept = isKeyed && byStep && call.guarded?.memory?.sleep && call.steps?.mayRepeat();
  const isApplied = (byStep ? effect : stated) === 'applied';
  const unsafe = effects === 'writes' && (isApplied ? !isKept : effect === 'unknown' && !isKeyed);
  return {
    effect,
    leastEffect: byStep ? effect : undefined,
    unsafe,
    writes: effects === 'writes' && (declaresEffects || byStep),
    attempt: call.attempts > 1 ? call.attempts : undefined,
    debugId: call.invocationId,
  };
}
