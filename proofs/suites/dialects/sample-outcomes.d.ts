import { type Outcome } from '../../../packages/toolpact/src/outcome/index.ts';
/** Outcomes of every status and kind, with every field there is, and with payloads that look like envelopes. */
export declare const sampleOutcomes: readonly Outcome[];
