import type { AnswerCheck } from '@toolpact/testing';
import { value } from './value.ts';

/** Checks of this contract, in addition to those for all tools: for the `checks` of `checkTools`. */
export const checks: readonly AnswerCheck[] = [
  {
    id: 'contract/value-documented',
    group: 'output',
    level: 'must',
    requirement: 'The result is documented, and every success has it.',
    why: 'Reducers rely on the type of `value`.',
    fix: 'State the output schema of the tool.',
    problemOf(outcome, { output }) {
      if (output === undefined) return 'no result is documented';
      return outcome.status !== 'ok' || output.fits(outcome.data) !== false ? undefined : 'a success has another result';
    },
  },
  {
    id: 'contract/value-message',
    group: 'output',
    level: 'must',
    requirement: 'Every result has a message for people, and a failure has no value unless the tool attached one.',
    why: 'The model reads the message to change its plan, and must not take a default for a result.',
    fix: 'Say what happened in the text of the failure.',
    problemOf(outcome) {
      const result = value.encode(outcome, { strict: true });
      if (result.message.trim() === '') return 'the message is empty';
      const attached = outcome.status === 'error' && outcome.data === undefined && result.value !== null;
      return attached ? 'a failure has a value that the tool did not attach' : undefined;
    },
  },
];
