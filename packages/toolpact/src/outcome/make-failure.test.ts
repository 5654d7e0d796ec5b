import fc from 'fast-check';
import { expect, test } from 'vitest';
import { catalogue, type FailureKind } from './catalogue.ts';
import type { ItemFailure } from './failure.ts';
import { followItems } from './follow-items.ts';
import { type FailureFacts, makeFailure } from './make-failure.ts';

const kinds = fc.constantFrom(...(Object.keys(catalogue) as FailureKind[]));
const facts: fc.Arbitrary<FailureFacts> = fc.record(
  {
    message: fc.constant('It failed.'),
    effect: fc.constantFrom('none', 'applied', 'unknown'),
    retryable: fc.boolean(),
    unsafe: fc.boolean(),
    writes: fc.boolean(),
    withheld: fc.boolean(),
    retryAfterMs: fc.integer({ min: 0, max: 100_000 }),
    debugId: fc.constant('d-1'),
  },
  { requiredKeys: ['message'] },
);
const failures = fc.tuple(kinds, facts).map(([kind, stated]) => ({ kind, stated, failure: makeFailure(kind, stated) }));

test('what may be repeated by itself says to wait, and what is unsafe and unknown is never repeated by itself', () => {
  fc.assert(
    fc.property(failures, ({ stated, failure }) => {
      if (failure.retryable) expect(failure.recovery).toBe('wait');
      if (stated.unsafe && failure.effect === 'unknown') expect(failure.retryable).toBe(false);
    }),
  );
});

test('an unknown effect has to be verified only after kinds that can come late', () => {
  fc.assert(
    fc.property(failures, ({ kind, failure: { effect, recovery } }) => {
      if (effect === 'unknown' && recovery === 'verify') expect(catalogue[kind].refusal).toBe(false);
      if (effect === 'none' && kind !== 'interrupted') expect(recovery).not.toBe('verify');
    }),
  );
});

test('an advice never contradicts its failure', () => {
  fc.assert(
    fc.property(failures, ({ stated, failure: { advice = '', effect, recovery, retryAfterMs } }) => {
      expect(/taken effect/.test(advice)).toBe(recovery === 'verify' || (recovery === 'wait' && effect === 'applied'));
      expect(/again in a moment|\d s before trying again/.test(advice)).toBe(recovery === 'wait');
      if (recovery === 'verify') expect(retryAfterMs).toBeUndefined();
      if (recovery === 'see_message') expect(stated.withheld ?? false).toBe(false);
      expect(/the message/.test(advice)).toBe(recovery === 'see_message');
    }),
  );
});

test('the failure of a batch is no safer to repeat than the worst of its items', () => {
  const batch = fc.array(failures, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(batch, (made) => {
      const items = made.map(({ failure: error }, index): ItemFailure => ({ index, error }));
      const whole = followItems(makeFailure('all_failed', { message: 'All failed.' }), items);
      if (whole.retryable) expect(items.every(({ error }) => error.retryable)).toBe(true);
      if (items.some(({ error }) => error.recovery === 'verify')) expect(whole.recovery).toBe('verify');
      if (items.some(({ error }) => error.effect !== 'none')) expect(whole.effect).not.toBe('none');
    }),
  );
});
