import type { AnswerCheck } from '@toolpact/testing';
import { namedField } from '../named-field.ts';
import { coded } from './coded.ts';
import { ErrorCode } from './error-codes.ts';

const numbers: ReadonlySet<number> = new Set(Object.values(ErrorCode));

/** Checks of this contract, in addition to those for all tools: for the `checks` of `checkTools`. */
export const checks: readonly AnswerCheck[] = [
  {
    id: 'contract/coded-numbers',
    group: 'output',
    level: 'must',
    requirement: 'Every answer has a documented number, and the four fields and five facts of the envelope.',
    why: 'Clients branch on the number alone.',
    fix: 'Fail with a kind of the catalogue, or with the lower-case name of a number as the code.',
    problemOf(outcome) {
      const { code, message, meta } = coded.encode(outcome, { strict: true });
      if (!numbers.has(code)) return `the number ${code} is not documented`;
      if ((code === 0) !== (message === 'success')) return `the message of ${code} is "${message}"`;
      if (!(meta.execution_time_ms > 0)) return 'execution_time_ms is not above 0';
      return meta.tool === '' || meta.trace_id === '' ? 'tool or trace_id is empty' : undefined;
    },
  },
  {
    id: 'contract/coded-success',
    group: 'output',
    level: 'must',
    requirement: 'No field of the data is named `success`.',
    why: 'The number is the only sign of success; a second one can contradict it.',
    fix: 'Fail where it says false, and leave it out where it says true.',
    problemOf: (outcome) => namedField(outcome, ['success']),
  },
];
