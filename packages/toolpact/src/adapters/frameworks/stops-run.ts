import { isOutcome } from '../../outcome/index.ts';

/** Recognises the answer of a guard that has seen the same call too often and wants the run to end. */
export function stopsRun(outcome: unknown): boolean {
  if (!isOutcome(outcome) || outcome.status !== 'error') return false;
  return outcome.error.code === 'repeat_refused' && outcome.error.details?.stop === true;
}

/** The text in place of the model's when a run is stopped. */
export const stoppedText = 'The run was stopped: the same call was made again and again and failed every time.';
