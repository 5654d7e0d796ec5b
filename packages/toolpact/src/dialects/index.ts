// What the other rings may use: all that is public, and what only they need.

export { selectNumber } from '../../../origins/src/coded/select-number.ts';
export { describeMedia, isTakenMedia, type TakenMedia } from './providers/provider-content.ts';
export * from './public.ts';
export { decodeOutcome } from './reading/decode-outcome.ts';
