import { expect, test } from 'vitest';
import { defaultRedactor, fail, ToolFailure } from '../outcome/index.ts';
import { toException } from './exception.ts';

class Unnamed extends Error {}
class OutOfStock extends ToolFailure {
  override readonly name = 'OutOfStock';
}
class Odd extends Error {
  static override readonly name = {} as never;
}

test.each<[string, unknown, string | undefined]>([
  ['an error', new RangeError('x'), 'RangeError'],
  ['an error of a class without a name', new Unnamed('x'), 'Unnamed'],
  ['an error of a class whose name is no text', new Odd('x'), 'Error'],
  ['an error with a secret for a name', Object.assign(new Error('x'), { name: 'sk-live-abcdefghijklmnop1234' }), '[redacted]'],
  ['a text', 'x', 'string'],
  ['an answer', fail('not_found', 'x'), undefined],
  ['the cause of an answer', fail('not_found', 'x', { cause: new RangeError('x') }), 'RangeError'],
  ['a failure of a class of its own', new OutOfStock('conflict', 'x'), 'OutOfStock'],
  ['nothing', undefined, undefined],
])('%s is described by its type', (_, thrown, type) => {
  expect(toException(thrown, defaultRedactor)?.['exception.type']).toBe(type);
});

test('a long message is cut, and no part of a secret at the cut is left', () => {
  const filler = `password=${'p'.repeat(1000)} ${'x '.repeat(740)}`;
  const message = toException(new Error(`${filler}sk-live-abcdefghijklmnop1234 ${'y'.repeat(3000)}`), defaultRedactor)?.[
    'exception.message'
  ];
  expect(message?.length).toBeLessThanOrEqual(2000);
  expect(message).not.toContain('sk-');
});
