// All that is public, and what only the other folders need.

export { describeMedia, isTakenMedia, type TakenMedia } from './providers/provider-content.ts';
export * from './public.ts';
export { decodeOutcome } from './reading/decode-outcome.ts';
