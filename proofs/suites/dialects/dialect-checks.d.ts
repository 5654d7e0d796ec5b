import { type Check } from '../../../packages/testing/src/define-check.ts';
import type { Dialect } from '../../../packages/toolpact/src/dialects/index.ts';
/** What every dialect must do, one check per promise. */
export declare const dialectChecks: readonly Check<Dialect>[];
