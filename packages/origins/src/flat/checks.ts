import type { AnswerCheck } from '@toolpact/testing';
import { namedField } from '../named-field.ts';
import { flat } from './flat.ts';

/** Checks of this contract, in addition to those for all tools: for the `checks` of `checkTools`. */
export const checks: readonly AnswerCheck[] = [
  {
    id: 'contract/flat-defaults',
    group: 'output',
    level: 'must',
    requirement: 'A failed call has the fields of a successful one, with empty defaults.',
    why: 'A reader of the dictionary takes `results` from it without looking at `success` first.',
    fix: 'Declare the default: onFailure: { results: [] }.',
    problemOf(outcome, { tool }) {
      const { required = [] } = tool.outputSchema ?? {};
      if (outcome.status !== 'error' || !Array.isArray(required)) return undefined;
      const written = flat.encode(outcome, { strict: true });
      const lacking = required.filter((name) => !Object.hasOwn(written, String(name)));
      return lacking.length === 0 ? undefined : `a failure lacks ${lacking.join(', ')}`;
    },
  },
  {
    id: 'contract/flat-names',
    group: 'output',
    level: 'must',
    requirement: 'No field of the result is named `success` or `error`.',
    why: 'The dictionary has these names itself, so the field is lost.',
    fix: 'Give the field another name.',
    problemOf: (outcome) => namedField(outcome, ['success', 'error']),
  },
];
