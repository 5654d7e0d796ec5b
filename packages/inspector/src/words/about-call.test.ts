import { expect, test } from 'vitest';
import { aboutCall, progressText } from './about-call.ts';

test.each([
  [{ status: 'ok', preview: 'a: 1', message: 'Added.' }, 'a: 1'],
  [{ status: 'ok', message: 'Added.' }, 'Added.'],
  [{ status: 'error', preview: 'a: 1', message: 'Down.' }, 'Down.'],
  [{ status: 'partial', preview: 'a: 1' }, 'a: 1'],
  [{ status: 'pending', preview: 'a: 1', message: 'pay waits for an approval.' }, 'a: 1'],
  [{ status: 'running' }, ''],
] as const)('%j is about %s', (call, text) => {
  expect(aboutCall(call)).toBe(text);
});

test.each([
  [{ message: 'reading', done: 1, total: 3 }, 'reading, 1 of 3'],
  [{ done: 7 }, '7'],
  [{ done: 0, total: 25 }, '0 of 25'],
  [{ message: 'reading' }, 'reading'],
  [{}, ''],
])('progress %j is shown as %s', (said, text) => {
  expect(progressText(said)).toBe(text);
});
