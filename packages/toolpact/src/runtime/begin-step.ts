import { classify } from '../classify/index.ts';
import { defaultRetry, type RetryRule, retryOptions, type StepOptions } from '../contract/index.ts';
import { fail, refuseOptions, withoutAbsent } from '../outcome/index.ts';
import type { StepEnd } from '../ports/index.ts';
import { retryPauseMs, sleep, withTimeLimit } from '../time/index.ts';
import type { Call } from './call.ts';
import type { BegunStep, StepRun, StepTry } from './steps.ts';

/** Remembers returned steps over the attempts of a call, as long as the process lives. */
export function toLocalRun(call: Call): StepRun {
  const ends = new Map<string, StepEnd>();
  return {
    async step(step, execute) {
      const end = ends.get(step.id) ?? (await beginStep(call, step, execute));
      if (!end.failed) ends.set(step.id, end);
      return end;
    },
  };
}

/** Begins a step of a guarded call, if the guards let it, and runs it as its options say. */
export async function beginStep(
  call: Call,
  { name, effects, options }: BegunStep,
  execute: Parameters<StepRun['step']>[1],
): Promise<StepEnd> {
  const { retry, timeoutMs } = options;
  if (retry !== undefined) refuseOptions(`the retry of the step "${name}"`, retry, retryOptions);
  if (effects !== 'none') for (const check of call.guarded?.fences ?? []) await check(name);
  if (retry === undefined && timeoutMs === undefined) return execute();
  return execute((tryOnce) => tryStep(call, name, options, tryOnce));
}

/** Runs a step as often as its rule allows, each time within the time that it states. */
async function tryStep(call: Call, name: string, options: StepOptions, tryOnce: StepTry): Promise<StepEnd> {
  const { retry, effects = 'writes', timeoutMs } = options;
  const rule = { ...defaultRetry, ...withoutAbsent<RetryRule>(retry ?? {}) };
  for (let tries = 1; ; tries += 1) {
    const end = await (timeoutMs === undefined ? tryOnce() : tryWithin(call, name, timeoutMs, tryOnce));
    if (!('thrown' in end) || retry === undefined || tries >= rule.attempts || (effects === 'writes' && end.effect !== 'none')) return end;
    const { retryable, retryAfterMs } = classify(end.thrown, { during: 'run' });
    const pauseMs = retryAfterMs ?? retryPauseMs(rule, tries);
    if (!retryable || call.outcome !== undefined || pauseMs > call.remainingMs) return end;
    await sleep(pauseMs, call.signal);
    if (call.signal.aborted) return end;
  }
}

function tryWithin(call: Call, name: string, ms: number, tryOnce: StepTry): Promise<StepEnd> {
  const late = new AbortController();
  const onLate = (): StepEnd => {
    const thrown = fail('timeout', `The step "${name}" did not finish within ${ms} ms.`);
    late.abort(thrown);
    return { thrown, failed: true, effect: 'unknown' };
  };
  return withTimeLimit(tryOnce(AbortSignal.any([call.signal, late.signal])), { ms, onLate });
}
