import { type Check } from '../../../packages/testing/src/define-check.ts';
import type { AdapterSubject } from './adapter-subject.ts';
/** What every adapter must do, one check per promise. */
export declare const adapterChecks: readonly Check<AdapterSubject>[];
