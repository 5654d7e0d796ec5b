import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyOutcome, anyOutcomeOf } from '../../../test/dialects/any-outcome.ts';
import type { Outcome } from '../outcome/index.ts';
import { coded } from './coded.ts';
import { dialects } from './dialects.ts';

const subjects = [...Object.values(dialects), coded.shipped].map((dialect) => [dialect.name, dialect] as const);

/** Sends an outcome over a wire and back. Objects of any prototype compare equal, because a wire has none. */
function roundTrip(dialect: (typeof subjects)[number][1], outcome: Outcome): unknown {
  const decoded = dialect.decode(JSON.parse(JSON.stringify(dialect.encode(outcome))));
  return decoded.ok ? decoded.outcome : decoded.failure;
}

describe.each(subjects)('%s', (_, dialect) => {
  test('gives every outcome back as it was', () => {
    const property = fc.property(anyOutcome, (outcome) => {
      const wire: Outcome = JSON.parse(JSON.stringify(outcome));
      const back = roundTrip(dialect, wire);
      if (!isDeepStrictEqual(back, wire)) expect(back).toEqual(wire);
      return isDeepStrictEqual(back, wire);
    });
    fc.assert(property, { numRuns: 1200, seed: 20261115 });
  });

  test.each(Object.keys(anyOutcomeOf) as Outcome['status'][])('writes only JSON and changes nothing of an outcome that is %s', (status) => {
    const property = fc.property(anyOutcomeOf[status], fc.boolean(), (outcome, strict) => {
      const before = JSON.stringify(outcome);
      const envelope = dialect.encode(outcome, { strict });
      return JSON.stringify(outcome) === before && isDeepStrictEqual(JSON.parse(JSON.stringify(envelope)), toPlain(envelope));
    });
    fc.assert(property, { numRuns: 100, seed: 20261115 });
  });
});

/** Gives every object the usual prototype, as a wire does. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
}
