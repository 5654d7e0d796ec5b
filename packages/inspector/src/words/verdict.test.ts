import { expect, test } from 'vitest';
import { type Judged, verdict } from './verdict.ts';

test.each<[Judged, string]>([
  [{ status: 'running' }, 'Running.'],
  [{ status: 'running', lost: true }, 'The process that ran it is gone.'],
  [{ status: 'pending', waitsFor: 'approval' }, 'Waits for a person to approve it. It has not run.'],
  [{ status: 'pending' }, 'Waits.'],
  [{ status: 'ok' }, 'Worked.'],
  [{ status: 'ok', cacheHit: true }, 'Worked. Answered from the cache.'],
  [{ status: 'ok', replayOf: 'a' }, 'Worked. Answered with the outcome of an earlier call with the same key.'],
  [{ status: 'partial' }, 'Some items failed.'],
  [{ status: 'partial', failedItems: 2, items: 7 }, '2 of 7 items failed.'],
  [
    { status: 'error', kind: 'rate_limited', effect: 'none', retryable: true, recovery: 'wait', retryAfterMs: 8000 },
    'Rate limited. Nothing changed outside. It is safe to try again after 8 s.',
  ],
  [
    { status: 'error', kind: 'timeout', effect: 'unknown', retryable: false, recovery: 'verify' },
    'Timed out. The outside world may have changed. Check what happened before it is repeated.',
  ],
  [
    { status: 'error', kind: 'internal', effect: 'applied', retryable: false, recovery: 'stop' },
    'Bug in the tool. The outside world was changed before it failed. Trying again does not help.',
  ],
])('%j reads: %s', (call, sentence) => {
  expect(verdict(call)).toBe(sentence);
});

test('a kind that this page does not know is shown as it is', () => {
  expect(verdict({ status: 'error', kind: 'melted' as never, recovery: 'stop' })).toBe('melted. Trying again does not help.');
});
