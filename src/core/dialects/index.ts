// What the other rings may use: all that is public, and what only they and authors of dialects need.
export { selectNumber } from './coded/select-number.ts';
export type { DecodeOptions, Loss } from './dialect.ts';
export * from './public.ts';
export { decodeOutcome } from './reading/decode-outcome.ts';
