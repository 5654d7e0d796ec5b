import type { StepEnd } from '../ports/index.ts';
import { beginStep } from './begin-step.ts';
import type { Call } from './call.ts';
import type { StepRun } from './steps.ts';

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
