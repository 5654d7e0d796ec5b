import type { Finding } from '@toolpact/testing';
import type { Dialect } from 'toolpact/dialects';
import { expectArgument } from 'toolpact/internal';
import { runChecks } from '../../../packages/testing/src/define-check.ts';
import { dialectChecks } from './dialect-checks.ts';

/** Judges a dialect, one of ours or of anyone else: whether every outcome survives it, what it refuses, and whether its loss table is honest. */
export function checkDialect(dialect: Dialect): Promise<readonly Finding[]> {
  expectArgument(typeof dialect?.encode === 'function', 'checkDialect takes a dialect, such as `flat`');
  return runChecks(dialectChecks, dialect);
}
