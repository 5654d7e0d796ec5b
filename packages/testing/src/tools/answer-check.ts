import type { Outcome } from 'toolpact';
import { expectArgument, type OptionNames, refuseOptions } from 'toolpact/internal';
import { defineToolCheck, type ToolCheck, type ToolCheckDefinition } from './tool-check.ts';
import { answered, notRun } from './tool-input-checks.ts';
import { clip } from './tool-outcome.ts';
import type { ToolTrial } from './tool-trial.ts';

/** What the author of a check of answers writes. */
export interface AnswerCheckDefinition extends Omit<ToolCheckDefinition, 'run' | 'group'> {
  /** Says what is wrong with an answer, if anything is. */
  readonly problemOf: (outcome: Outcome, trial: ToolTrial) => string | undefined;
}

const options: OptionNames<AnswerCheckDefinition> = {
  id: true,
  requirement: true,
  level: true,
  why: true,
  fix: true,
  example: true,
  problemOf: true,
};

/** Defines a check that looks at every answer of a tool, whatever the arguments were. */
export function defineAnswerCheck(definition: AnswerCheckDefinition): ToolCheck {
  refuseOptions(`the check "${definition?.id}"`, definition, options);
  expectArgument(
    typeof definition?.problemOf === 'function',
    'defineAnswerCheck takes an object with `id`, `requirement` and the function `problemOf`',
  );
  const { problemOf, ...about } = definition;
  return defineToolCheck({
    ...about,
    group: 'output',
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
