import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultRedactor } from '../../src/core/outcome/index.ts';
import { notations, signsOf } from './notations.ts';

/** Finds a part of six characters of a secret that a text still shows. */
function partLeft(text: string, secret: string): string | undefined {
  for (let at = 0; at + 6 <= secret.length; at += 1) if (text.includes(secret.slice(at, at + 6))) return secret.slice(at, at + 6);
  return undefined;
}

const ordinary = ['Hunter2pass99', 'JLp2xK8vQw3nRt5y', 'correct-horse-battery-7', 'aGVsbG8td29ybGQtMTIzNDU2', 'S3cr3t.With.Dots', 'p4ss/w0rd+x'];

test.each(notations)('no part of an ordinary secret is left in $title', ({ write }) => {
  expect(ordinary.map((secret) => defaultRedactor.text(write(secret))).filter((text, index) => partLeft(text, ordinary[index] ?? ''))).toEqual([]);
});

test.each(notations)('no part of any secret is left in $title', (notation) => {
  const edge = fc.constantFrom(...'abcXYZ0189');
  const middle = fc.string({ unit: fc.constantFrom(...signsOf(notation)), minLength: 8, maxLength: 40 });
  fc.assert(
    fc.property(edge, middle, fc.constantFrom(...'123789'), (first, rest, last) => {
      const secret = `${first}${rest}${last}`;
      const text = defaultRedactor.text(notation.write(secret));
      expect(partLeft(text.replaceAll('[redacted]', '\0'), secret), text).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
