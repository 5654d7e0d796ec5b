import type { Effect } from '../outcome/index.ts';
import type { Call } from './call.ts';

/** States what may have happened outside: nothing before the run, and nobody knows what during the run of a tool that writes, unless it says so. */
export function effectOf(call: Call): { effect: Effect; unsafe: boolean; attempt: number | undefined; debugId: string } {
  const { effects, marksEffect } = call.plan;
  const effect = call.ran && effects !== 'none' ? (call.mark ?? (marksEffect && call.attempts > 0 ? 'none' : 'unknown')) : 'none';
  const unsafe = effects === 'writes' && (effect === 'applied' || (effect === 'unknown' && call.guarded?.key === undefined));
  return { effect, unsafe, attempt: call.attempts > 1 ? call.attempts : undefined, debugId: call.invocationId };
}
