import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Outcome } from 'toolpact';
import { mcp, openai } from 'toolpact/dialects';
import type { Dialect, EncodeOptions } from 'toolpact/extend';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { dialects } from './all-dialects.ts';
import { anyOutcome, anyOutcomeOf } from './any-outcome.ts';

type Subject = readonly [name: string, encode: (outcome: Outcome, options?: EncodeOptions) => object, decode: Dialect['decode']];
const subjects: readonly Subject[] = [
  ...Object.values(dialects).map((dialect): Subject => [dialect.name, dialect.encode, dialect.decode]),
  ['openai, Responses', (outcome, options) => openai.encode(outcome, { ...options, form: 'responses' }), openai.decode],
  ['mcp, any value structured', (outcome, options) => mcp.encode(outcome, { ...options, structured: 'any' }), mcp.decode],
];

describe.each(subjects)('%s', (_, encode, decode) => {
  test('gives every outcome back as it was', () => {
    const property = fc.property(anyOutcome, (outcome) => {
      const wire: Outcome = JSON.parse(JSON.stringify(outcome));
      const decoded = decode(JSON.parse(JSON.stringify(encode(wire))));
      const back = decoded.ok ? decoded.outcome : decoded.failure;
      if (!isDeepStrictEqual(back, wire)) expect(back).toEqual(wire);
      return isDeepStrictEqual(back, wire);
    });
    fc.assert(property, propertyRuns(1_000));
  });

  test.each(Object.keys(anyOutcomeOf) as Outcome['status'][])('writes only JSON and changes nothing of an outcome that is %s', (status) => {
    const property = fc.property(anyOutcomeOf[status], fc.boolean(), (outcome, strict) => {
      const before = JSON.stringify(outcome);
      const envelope = encode(outcome, { strict });
      return JSON.stringify(outcome) === before && isDeepStrictEqual(JSON.parse(JSON.stringify(envelope)), toPlain(envelope));
    });
    fc.assert(property, propertyRuns(100));
  });
});

/** Gives every object the usual prototype, as a wire does. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]));
}
