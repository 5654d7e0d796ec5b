import type { Outcome } from 'toolpact';
import { defineToolCheck, type ToolCheck } from './tool-check.ts';
import { answered, notRun } from './tool-input-checks.ts';
import { clip } from './tool-outcome.ts';
import type { ToolTrial } from './tool-trial.ts';

/** Judges every answer of a tool, whatever the arguments were. Plain data, so that a package can state its own without loading this one. */
export interface AnswerCheck extends Omit<ToolCheck, 'run'> {
  /** Says what is wrong with an answer, if anything is. */
  readonly problemOf: (outcome: Outcome, trial: ToolTrial) => string | undefined;
}

/** Turns a check of answers into one that runs. */
export function toToolCheck({ problemOf, ...about }: AnswerCheck): ToolCheck {
  return defineToolCheck({
    ...about,
    async *run(trial) {
      const exchanges = (await answered(trial, ['example', 'valid', 'boundary', 'invalid', 'hostile'])).filter(
        // A tool that did not run says nothing by its success.
        ({ isFaked, outcome }) => !isFaked || outcome.status === 'error',
      );
      if (exchanges.length === 0) return notRun(trial);
      for (const { input, outcome } of exchanges) {
        const message = problemOf(outcome, trial);
        if (message !== undefined) yield { message, evidence: { input: clip(input.args) } };
      }
      return undefined;
    },
  });
}
