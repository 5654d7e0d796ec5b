// What the other rings may use: all that is public, and what only they need.

export { describeMedia, isTakenMedia, type TakenMedia } from './providers/provider-content.ts';
export * from './public.ts';
export { decodeOutcome } from './reading/decode-outcome.ts';
