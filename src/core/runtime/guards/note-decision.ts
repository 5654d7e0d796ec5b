import type { Guard, GuardDecision } from '../../ports/index.ts';
import type { Call } from '../call.ts';

/** Begins to note what a guard does; gives what completes the note. */
export function noteDecision(
  { startedAt }: Call,
  { name, phase }: Guard,
  decisions: GuardDecision[],
): (did: NonNullable<GuardDecision['did']>) => void {
  const begunAt = performance.now();
  const at = decisions.push({ guard: name, phase, atMs: begunAt - startedAt, tookMs: 0 }) - 1;
  return (did) => {
    const noted = decisions[at];
    if (noted !== undefined) decisions[at] = { ...noted, did, ...(noted.did === undefined && { tookMs: performance.now() - begunAt }) };
  };
}
