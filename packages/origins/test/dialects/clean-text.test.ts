import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import type { Dialect } from 'toolpact/extend';
import { describe, expect, test } from 'vitest';
import { dirtyCalls, uncleanIn } from '../../../../proofs/fixtures/dirty-outcomes.ts';

describe('text that no provider takes never leaves in an envelope', () => {
  test.each(dirtyCalls)('%s', async (_, call) => {
    const outcome = await call();
    for (const dialect of [flat, coded, value, status] as Dialect[]) {
      expect([dialect.name, uncleanIn(dialect.encode(outcome))]).toEqual([dialect.name, []]);
    }
  });
});
