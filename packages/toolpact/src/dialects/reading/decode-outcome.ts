import type { Outcome } from '../../outcome/index.ts';
import type { Decoded, DecodeOptions } from '../dialect.ts';
import { createDecode } from './create-decode.ts';
import { readOutcome } from './read-outcome.ts';

/** Reads an outcome that was sent as it is, in no dialect. Checks every field and never throws, like the `decode` of a dialect. */
export const decodeOutcome: (json: unknown, options?: DecodeOptions) => Decoded = createDecode<Outcome>({
  name: 'outcome',
  native: (json) => readOutcome(json, []),
  agrees: () => true,
  foreign: (outcome) => outcome,
  // An outcome has fields for all it says, so no block belongs to it.
  block: () => undefined,
});
