import type { Check } from '../define-check.ts';
import { ledgerChecks } from './ledger-checks.ts';
import type { StoreSubject } from './store-check.ts';
import { storeContentChecks } from './store-content-checks.ts';
import { storeRecordChecks } from './store-record-checks.ts';
import { storeScopeChecks } from './store-scope-checks.ts';

/** The promises of every store, one check each. */
export const storeChecks: readonly Check<StoreSubject>[] = [
  ...storeRecordChecks,
  ...storeScopeChecks,
  ...storeContentChecks,
  ...ledgerChecks,
];
