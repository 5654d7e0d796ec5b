import type { Finding } from '@toolpact/testing';
import { expectArgument } from 'toolpact/internal';
import { runChecks } from '../../../packages/testing/src/define-check.ts';
import { adapterChecks } from './adapter-checks.ts';
import type { AdapterSubject } from './adapter-subject.ts';

/** Judges an adapter, one of ours or of anyone else: whether flag, text, code and call id of every kind of outcome arrive, in both directions. */
export function checkAdapter(adapter: AdapterSubject): Promise<readonly Finding[]> {
  expectArgument(typeof adapter?.run === 'function', 'checkAdapter takes an object with the function `run`');
  return runChecks(adapterChecks, adapter);
}
