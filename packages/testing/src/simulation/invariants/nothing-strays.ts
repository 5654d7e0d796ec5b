import type { Observations } from '../observations.ts';
import type { Violation } from './violation.ts';

/** Nothing rejects without somebody who takes it, and a call never rejects. */
export function nothingStrays({ strays }: Observations): Violation[] {
  return strays.map((message) => ({ invariant: 'nothingStrays', at: 0, message }));
}
