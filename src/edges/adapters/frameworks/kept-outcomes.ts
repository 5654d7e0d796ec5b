import { isObject } from '../../../core/json/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';

const kept = new WeakMap<object, Outcome>();

/** Keeps an outcome beside the answer that a host gets of it, so that a tool that comes back through `fromTools` ends as it did. */
export function keepOutcome<TAnswer extends object>(answer: TAnswer, outcome: Outcome): TAnswer {
  kept.set(answer, outcome);
  return answer;
}

/** Gives the outcome that an answer was written from; undefined for answers of foreign tools. */
export function keptOutcome(answer: unknown): Outcome | undefined {
  return isObject(answer) ? kept.get(answer) : undefined;
}
