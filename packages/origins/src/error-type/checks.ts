import type { AnswerCheck } from '@toolpact/testing';
import { toolErrorType } from './tool-error-type.ts';

/** Checks of this contract, in addition to those for all tools: for the `checks` of `checkTools`. */
export const checks: readonly AnswerCheck[] = [
  {
    id: 'contract/error-type',
    group: 'output',
    level: 'must',
    requirement: 'Every failure has an `error.type`: 400 for refused arguments, `timeout` for a deadline.',
    why: 'Telemetry groups failures by it.',
    fix: 'Throw a ToolExecutionError with an errorType that is short and plain, or leave it to the classification.',
    problemOf(outcome) {
      if (outcome.status !== 'error' || outcome.error.kind === 'denied' || outcome.error.kind === 'cancelled') return undefined;
      const type = toolErrorType(outcome.error);
      if (type === undefined) return 'a failure has no error.type';
      const { kind, errorType } = outcome.error;
      if (errorType !== undefined && errorType !== type) return `the stated type "${errorType}" cannot be a label`;
      return kind === 'timeout' && errorType === undefined && type !== 'timeout' ? `a deadline has the type ${type}` : undefined;
    },
  },
];
