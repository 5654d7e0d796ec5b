import { expect, test, vi } from 'vitest';
import { createWaitingCalls } from './waiting-calls.ts';

const never = Number.POSITIVE_INFINITY;
const callOf = (args: unknown = {}) => ({ args, again: vi.fn(async () => ({}) as never) });

test('a call is made once, when it may go on', () => {
  const waiting = createWaitingCalls();
  const call = callOf();
  waiting.keep('a', 'h', call, never);
  waiting.goOn('h');
  waiting.goOn('h');
  waiting.goOn('unknown');
  expect(call.again).toHaveBeenCalledTimes(1);
});

test.each([
  ['many calls', 5_000, {}],
  ['much text', 50, 'x'.repeat(1_000_000)],
])('a tenant with %s takes no room from others', (_, count, args) => {
  const waiting = createWaitingCalls();
  const call = callOf();
  waiting.keep('small', 'h', call, never);
  for (let index = 0; index < count; index += 1) waiting.keep('large', `h${index}`, callOf(args), never);
  const last = callOf();
  waiting.keep('large', 'last', last, never);
  for (const handle of ['h', 'last']) waiting.goOn(handle);
  expect([call.again.mock.calls.length, last.again.mock.calls.length]).toEqual([1, 1]);
});
