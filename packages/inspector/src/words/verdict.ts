import type { ListedCall } from '../api/api-shapes.ts';
import { kindText } from './outcome-words.ts';
import { toDuration } from './to-duration.ts';

/** The facts behind a verdict; the last two come from the outcome of a recorded call. */
export interface Judged
  extends Pick<ListedCall, 'status' | 'kind' | 'effect' | 'retryable' | 'recovery' | 'replayOf' | 'cacheHit' | 'lost'> {
  readonly retryAfterMs?: number | undefined;
  readonly waitsFor?: string | undefined;
  readonly failedItems?: number | undefined;
  readonly items?: number | undefined;
}

const changed = {
  none: 'Nothing changed outside.',
  applied: 'The outside world was changed before it failed.',
  unknown: 'The outside world may have changed.',
} as const;

const next = {
  fix_input: 'The arguments must change first.',
  wait: 'It is safe to try again.',
  verify: 'Check what happened before it is repeated.',
  reauth: 'A credential must be renewed first.',
  ask_user: 'A person must decide.',
  other_tool: 'Another tool is needed.',
  stop: 'Trying again does not help.',
  see_message: 'Its message says what to do.',
} as const;

const waits: Readonly<Record<string, string>> = {
  approval: 'Waits for a person to approve it. It has not run.',
  input: 'Waits for an answer.',
  running: 'Goes on in the background.',
  host: 'Waits for the program that asked for it.',
};

/** Says in plain sentences how a call stands: what happened, whether the outside world changed, whether to repeat it. */
export function verdict(call: Judged): string {
  if (call.status === 'running') return call.lost ? 'The process that ran it is gone.' : 'Running.';
  if (call.status === 'pending') return waits[call.waitsFor ?? ''] ?? 'Waits.';
  if (call.status === 'ok') return `Worked.${source(call)}`;
  if (call.status === 'partial') {
    const { failedItems, items } = call;
    return failedItems === undefined ? 'Some items failed.' : `${failedItems} of ${items} items failed.`;
  }
  const repeat =
    call.retryable && call.retryAfterMs
      ? `It is safe to try again after ${toDuration(call.retryAfterMs)}.`
      : (next[call.recovery ?? 'stop'] ?? '');
  return [`${kindText(call.kind ?? 'internal')}.`, call.effect && changed[call.effect], repeat].filter(Boolean).join(' ') + source(call);
}

function source({ replayOf, cacheHit }: Judged): string {
  if (replayOf !== undefined) return ' Answered with the outcome of an earlier call with the same key.';
  return cacheHit ? ' Answered from the cache.' : '';
}
