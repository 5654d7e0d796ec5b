import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultRedactor } from '../../src/outcome/index.ts';
import { type Notation, notations, signsOf } from './notations.ts';

/** Finds a part of six characters of a secret that a notation shows of it after redaction. */
function partLeft({ write }: Notation, secret: string): string | undefined {
  const text = defaultRedactor.text(write(secret)).replaceAll('[redacted]', '\0');
  const around = write('');
  for (let at = 0; at + 6 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 6);
    if (text.includes(part) && !around.includes(part)) return text;
  }
  return undefined;
}

const ordinary = [
  'Hunter2pass99',
  'JLp2xK8vQw3nRt5y',
  'correct-horse-battery-7',
  'aGVsbG8td29ybGQtMTIzNDU2',
  'S3cr3t.With.Dots',
  'p4ss/w0rd+x',
];

test.each(notations)('no part of an ordinary secret is left in $title', (notation) => {
  expect(ordinary.map((secret) => partLeft(notation, secret)).filter((text) => text !== undefined)).toEqual([]);
});

test.each(notations)('no part of any secret is left in $title', (notation) => {
  // It begins and ends like no word of a sentence: nothing tells `password: is 7 …` from a sentence.
  const middle = fc.string({ unit: fc.constantFrom(...signsOf(notation)), minLength: 8, maxLength: 40 });
  fc.assert(
    fc.property(middle, (signs) => {
      expect(partLeft(notation, `Q7${signs}x9`)).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
