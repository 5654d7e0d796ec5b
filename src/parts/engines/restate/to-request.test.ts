import { expect, test } from 'vitest';
import type { GuardedCall } from '../../../core/runtime/index.ts';
import { keyOf } from './to-request.ts';

const call = (key?: () => unknown, context = {}) =>
  ({ tool: { name: 'pay', ...(key && { idempotency: { key } }) }, context }) as unknown as GuardedCall;

test.each([
  ['a text', 'A-1', 'A-1'],
  ['a number', 7, '7'],
  ['an object', { invoice: 'A-1', amount: 5 }, '{"amount":5,"invoice":"A-1"}'],
  ['the same object with its fields in another order', { amount: 5, invoice: 'A-1' }, '{"amount":5,"invoice":"A-1"}'],
  ['nothing', undefined, ''],
  ['no number', Number.NaN, ''],
  ['an instance of a class', new Map([['invoice', 'A-1']]), ''],
])('the key of a call whose tool gives %s', (_, given, key) => {
  expect(keyOf(call(() => given))).toBe(key);
});

test('a key that is made later does not count, and its failure does not end the process', () => {
  expect(keyOf(call(() => Promise.reject(new Error('too late'))))).toBe('');
});

test('without a function of the tool the key is that of the caller, if there is one', () => {
  expect([keyOf(call(undefined, { idempotencyKey: 'K-1' })), keyOf(call())]).toEqual(['K-1', undefined]);
});
