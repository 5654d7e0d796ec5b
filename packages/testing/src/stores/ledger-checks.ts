import type { Check } from '../define-check.ts';
import { ledgerBeginChecks } from './ledger-begin-checks.ts';
import { ledgerGrantChecks } from './ledger-grant-checks.ts';
import { ledgerNoticeChecks } from './ledger-notice-checks.ts';
import { ledgerRaceChecks } from './ledger-race-checks.ts';
import { ledgerReadChecks } from './ledger-read-checks.ts';
import { ledgerRunChecks } from './ledger-run-checks.ts';
import { ledgerTakeChecks } from './ledger-take-checks.ts';
import { ledgerWaitChecks } from './ledger-wait-checks.ts';
import type { StoreSubject } from './store-check.ts';

/** The promises of every store that remembers calls, one check each; a store that does not passes. */
export const ledgerChecks: readonly Check<StoreSubject>[] = [
  ...ledgerBeginChecks,
  ...ledgerTakeChecks,
  ...ledgerRunChecks,
  ...ledgerWaitChecks,
  ...ledgerGrantChecks,
  ...ledgerNoticeChecks,
  ...ledgerReadChecks,
  ...ledgerRaceChecks,
];
