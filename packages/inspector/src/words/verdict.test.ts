import { expect, test } from 'vitest';
import { type Judged, verdict } from './verdict.ts';

test.each<[Judged, string]>([
  [{ status: 'running' }, 'Running.'],
  [{ status: 'running', lost: true }, 'Its process died.'],
  [{ status: 'pending', waitsFor: 'approval' }, 'Waiting for approval. It has not run.'],
  [{ status: 'pending' }, 'Waiting.'],
  [{ status: 'ok' }, 'Succeeded.'],
  [{ status: 'ok', cacheHit: true }, 'Succeeded. From the cache.'],
  [{ status: 'ok', replayOf: 'a' }, 'Succeeded. Replayed from an earlier call with the same key.'],
  [{ status: 'partial' }, 'Some items failed.'],
  [{ status: 'partial', failedItems: 2, items: 7 }, '2 of 7 items failed.'],
  [
    { status: 'error', kind: 'rate_limited', effect: 'none', retryable: true, recovery: 'wait', retryAfterMs: 8000 },
    'Rate limited. Nothing was changed. It is safe to try again after 8 s.',
  ],
  [
    { status: 'error', kind: 'timeout', effect: 'unknown', retryable: false, recovery: 'verify' },
    'Timed out. It may have taken effect. Check before repeating it.',
  ],
  [
    { status: 'error', kind: 'internal', effect: 'applied', retryable: false, recovery: 'stop' },
    'Bug in the tool. It had taken effect before it failed. Trying again will not help.',
  ],
])('%j reads: %s', (call, sentence) => {
  expect(verdict(call)).toBe(sentence);
});

test('a kind that this page does not know is shown as it is', () => {
  expect(verdict({ status: 'error', kind: 'melted' as never, recovery: 'stop' })).toBe('melted. Trying again will not help.');
});
