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
  none: 'Nothing was changed.',
  applied: 'It had taken effect before it failed.',
  unknown: 'It may have taken effect.',
} as const;

const next = {
  fix_input: 'Fix the arguments, then try again.',
  wait: 'It is safe to try again.',
  verify: 'Check before repeating it.',
  reauth: 'Renew the credential first.',
  ask_user: 'Ask a person.',
  other_tool: 'Use another tool.',
  stop: 'Trying again will not help.',
  see_message: 'Read its message.',
} as const;

const waits: Readonly<Record<string, string>> = {
  approval: 'Waiting for approval. It has not run.',
  input: 'Waiting for an answer.',
  running: 'Running in the background.',
  host: 'Waiting for the host program.',
};

/** Says in plain sentences how a call stands: what happened, whether the outside world changed, whether to repeat it. */
export function verdict(call: Judged): string {
  if (call.status === 'running') return call.lost ? 'Its process died.' : 'Running.';
  if (call.status === 'pending') return waits[call.waitsFor ?? ''] ?? 'Waiting.';
  if (call.status === 'ok') return `Succeeded.${source(call)}`;
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
  if (replayOf !== undefined) return ' Replayed from an earlier call with the same key.';
  return cacheHit ? ' From the cache.' : '';
}
