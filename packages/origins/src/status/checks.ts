import type { AnswerCheck } from '@toolpact/testing';
import { status } from './status.ts';
import { ToolErrorType } from './tool-error-type.ts';

const types: ReadonlySet<string> = new Set(Object.values(ToolErrorType));

/** Checks of this contract, in addition to those for all tools: for the `checks` of `checkTools`. */
export const checks: readonly AnswerCheck[] = [
  {
    id: 'contract/status-input',
    group: 'output',
    level: 'must',
    requirement: 'Every answer repeats its input.',
    why: 'The envelope has `input` in both arms; graphs read it from there.',
    fix: 'Leave echoInput on.',
    problemOf: ({ input }) => (input === undefined ? 'an answer has no input' : undefined),
  },
  {
    id: 'contract/status-arms',
    group: 'output',
    level: 'must',
    requirement: 'Every answer is one of the two arms, with one of the six types where it failed.',
    why: 'Parsers tell the arms apart by `status`, and branch on the type.',
    fix: 'Fail with a kind of the catalogue.',
    problemOf(outcome) {
      const written = status.encode(outcome, { strict: true });
      if (!Number.isSafeInteger(written.meta.took_ms) || written.meta.took_ms < 0) return 'took_ms is not a whole number of milliseconds';
      return written.status === 'ok' || types.has(written.error.type) ? undefined : `the type ${written.error.type} is not documented`;
    },
  },
];
