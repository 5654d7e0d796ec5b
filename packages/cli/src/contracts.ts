import { checks as coded } from '@toolpact/origins/coded';
import { checks as errorType } from '@toolpact/origins/error-type';
import { checks as flat } from '@toolpact/origins/flat';
import { checks as status } from '@toolpact/origins/status';
import { checks as value } from '@toolpact/origins/value';
import type { AnswerCheck } from '@toolpact/testing';

/** Names one of the five contracts of origin, as `--contract` takes it. */
export type ContractName = 'flat' | 'coded' | 'value' | 'status' | 'error-type';

/** The checks of each contract of origin. */
export const contractChecks: Readonly<Record<ContractName, readonly AnswerCheck[]>> = {
  flat,
  coded,
  value,
  status,
  'error-type': errorType,
};
