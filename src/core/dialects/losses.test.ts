import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyOutcome } from '../../../test/dialects/any-outcome.ts';
import { lostPaths } from '../../edges/conformance/lost-paths.ts';
import type { Outcome } from '../outcome/index.ts';
import { dialects } from './dialects.ts';

const samples = fc.sample(anyOutcome, { numRuns: 1500, seed: 20261115 }).map((outcome) => JSON.parse(JSON.stringify(outcome)) as Outcome);

describe.each(Object.entries(dialects))('%s, written strictly', (_, dialect) => {
  const lost = new Set<string>();
  const unread: unknown[] = [];
  for (const outcome of samples) {
    const decoded = dialect.decode(JSON.parse(JSON.stringify(dialect.encode(outcome, { strict: true }))));
    if (decoded.ok) for (const path of lostPaths(outcome, decoded.outcome)) lost.add(path);
    else unread.push(decoded.failure.message);
  }

  test('can still be read', () => expect(unread).toEqual([]));

  test('loses exactly what its loss table lists', () => {
    expect([...lost].sort()).toEqual(dialect.losses.map(({ path }) => path).sort());
  });

  test('never turns a failure into a success', () => {
    const failures = samples.filter(({ status }) => status === 'error' || status === 'partial');
    const read = failures.map((outcome) => dialect.decode(dialect.encode(outcome, { strict: true })));
    expect(new Set(read.map((decoded) => decoded.ok && decoded.outcome.status))).toEqual(new Set(['error']));
  });
});
