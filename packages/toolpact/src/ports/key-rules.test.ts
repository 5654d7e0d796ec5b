import { expect, test } from 'vitest';
import type { GuardedCall } from './guarded-call.ts';
import { freesKey, keyOf } from './key-rules.ts';

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

test.each([
  ['a failure before anything happened', { effects: 'writes', steps: false }, { effect: 'none', retryable: false }, true],
  ['a failure of a tool that may be repeated', { effects: 'idempotent', steps: false }, { effect: 'unknown', retryable: false }, true],
  ['an unknown effect', { effects: 'writes', steps: true }, { effect: 'unknown', retryable: false }, false],
  ['steps that are remembered', { effects: 'writes', steps: true }, { effect: 'applied', retryable: true }, true],
  ['steps whose failure will not pass', { effects: 'writes', steps: true }, { effect: 'applied', retryable: false }, false],
  ['an effect that no step remembers', { effects: 'writes', steps: false }, { effect: 'applied', retryable: true }, false],
] as const)('whether a key is free after %s', (_, tool, failure, isFree) => {
  expect(freesKey(tool, failure as never)).toBe(isFree);
});
