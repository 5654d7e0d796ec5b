import { classify, type Effect, isOutcome, ToolFailure } from '../../outcome/index.ts';
import type { CallMemory, StepEnd } from '../../ports/index.ts';
import type { Call } from '../call.ts';
import { readingOf } from '../outcomes/reading-of.ts';
import { type RememberStep, worseEffect } from '../steps.ts';

/** Makes what a call runs its steps through, where it has a memory. Only applications with guards load it. */
export function rememberSteps(call: Call, { step }: CallMemory): RememberStep {
  const { plan, settings } = call;
  const toFailure = (thrown: unknown, effect: Effect) =>
    classify(thrown, { ...readingOf(call), redactor: settings.redactor, effect, during: 'run' });
  return async (id, attempt, { effects = 'writes' }, execute) => {
    // An id is the occurrence of a step and its name.
    const name = id.slice(id.indexOf(':') + 1);
    const maxChars = plan.maxResultChars ?? settings.maxResultChars;
    const end = await step({ id, name, attempt, effects, maxChars, toFailure }, () => runOnce(execute));
    if ('thrown' in end) throw end.thrown;
    return end.value;
  };
}

async function runOnce(execute: () => unknown): Promise<StepEnd> {
  try {
    const value = await execute();
    const effect = failedEffect(value);
    return { value, failed: effect !== undefined, effect: effect ?? 'applied' };
  } catch (thrown) {
    return { thrown, failed: true, effect: statedBy(thrown) };
  }
}

function statedBy(thrown: unknown): Effect {
  return (ToolFailure.isInstance(thrown) ? thrown.options.effect : undefined) ?? 'unknown';
}

/** Gives the effect of a result that is a failure; undefined for a result that counts as returned. */
function failedEffect(result: unknown): Effect | undefined {
  if (result instanceof Error || ToolFailure.isInstance(result)) return statedBy(result);
  if (!isOutcome(result)) return undefined;
  if (result.status === 'error') return worseEffect(result.error.effect, 'none');
  return result.status === 'pending' ? 'unknown' : undefined;
}
