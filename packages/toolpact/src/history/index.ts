export { type HealOptions, healHistory } from './heal-history.ts';
export type { Repair } from './repair.ts';
export { type CutOptions, safeCuts } from './safe-cuts.ts';
