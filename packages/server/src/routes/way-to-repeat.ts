import type { RecordedCall } from 'toolpact';

/** How a call may be made again: whole, or from the first of its steps that has not ended. */
export type WayToRepeat = { readonly way: 'whole' | 'steps' } | { readonly refused: string };

/** Decides how a call may be made again so that no effect can happen twice; where there is no such way, says why. */
export function wayToRepeat(call: RecordedCall, effects: string): WayToRepeat {
  const { status, tool, kind, effect, isWhole, trace } = call;
  if (status === 'running' || status === 'pending') return { refused: `The call has not ended: it is ${status}.` };
  if (kind === 'denied') return { refused: 'Denied. Running it again would ask the same person again.' };
  if (status !== 'ok' && (trace?.steps.length ?? 0) > 0) return { way: 'steps' };
  const isHarmless = effects === 'none' || effects === 'idempotent' || (status === 'error' && effect === 'none');
  if (!isHarmless) {
    return {
      refused:
        status === 'error'
          ? `${tool} writes, and the effect of this call is ${effect}: it may have changed something.`
          : `${tool} writes, and this call succeeded: it would happen twice.`,
    };
  }
  if (!isWhole) return { refused: 'The stored arguments are not those of the call: secrets in them are hidden, or they were cut.' };
  return { way: 'whole' };
}
