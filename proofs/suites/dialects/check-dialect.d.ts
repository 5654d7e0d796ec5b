import { type Finding } from '../../../packages/testing/src/define-check.ts';
import type { Dialect } from '../../../packages/toolpact/src/dialects/index.ts';
/** Judges a dialect, one of ours or of anyone else: whether every outcome survives it, what it refuses, and whether its loss table is honest. */
export declare function checkDialect(dialect: Dialect): Promise<readonly Finding[]>;
