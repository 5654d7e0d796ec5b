import { describe, expect, test } from 'vitest';
import { dirtyCalls, uncleanIn } from '../../../../proofs/fixtures/dirty-outcomes.ts';
import { type Dialect, dialects } from '../dialects/index.ts';
import { isCleanText } from '../json/index.ts';
import { toModelText } from '../outcome/index.ts';

describe('text that no provider takes never leaves', () => {
  test.each(dirtyCalls)('%s', async (_, call) => {
    const outcome = await call();
    expect(uncleanIn(outcome)).toEqual([]);
    expect(isCleanText(toModelText(outcome))).toBe(true);
    for (const [name, dialect] of Object.entries<Dialect>(dialects)) expect([name, uncleanIn(dialect.encode(outcome))]).toEqual([name, []]);
  });
});
