import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import type { GuardedCall } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from '../journal/journal.ts';
import { createHeldCalls } from './held-calls.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Checks whether an object is gone, some turns of the event loop later at most. */
async function isCollected(ref: WeakRef<object>): Promise<boolean> {
  for (let turn = 0; turn < 50 && ref.deref() !== undefined; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return ref.deref() === undefined;
}

test.each([
  ['waits for an answer', 'wait'],
  ['sleeps', 'sleep'],
] as const)('the arguments of a call that %s are not held in memory, and are there when it goes on', async (_, how) => {
  const inputs: WeakRef<object>[] = [];
  const order = defineTool({
    name: 'order',
    description: 'Orders.',
    input: z.object({ items: z.array(z.string()) }),
    steps: true,
    run: async (input, ctx) => {
      inputs.push(new WeakRef(input.items));
      if (how === 'wait') await ctx.waitFor('ok', z.object({ yes: z.boolean() }));
      else await ctx.sleep(60_000);
      return input.items.length;
    },
  });
  const toolbox = createToolbox([order], { use: [journal({ store: memoryStore() })], report: () => undefined });
  const handle = await (async () => {
    const outcome: Outcome = await toolbox.call('order', { items: ['a', 'b', 'c'] });
    return outcome.status === 'pending' ? outcome.pending.handle : expect.unreachable();
  })();
  expect(await isCollected(inputs[0] as WeakRef<object>)).toBe(true);
  if (how === 'wait') {
    expect(await toolbox.settle(handle, { yes: 1 })).toMatchObject({ error: { kind: 'invalid_input' } });
    expect(await toolbox.settle(handle, { yes: true })).toMatchObject({ status: 'ok', data: 3 });
  }
});

/** A call as far as it is held. */
const callOf = (tenantId: string, runId = 'r'): GuardedCall => ({ tenantId, context: { tenantId, runId } }) as GuardedCall;
const suspension = { handle: 'h', remainingMs: 1, check: async () => undefined, isAnswered: async () => false };

test('no tenant takes the room of the others, by number or by size', () => {
  const held = createHeldCalls(Date.now, async () => undefined);
  for (let n = 0; n < 5_001; n += 1) held.hold(callOf('many'), `k${n}`, suspension);
  expect([held.has('many', 'k4999'), held.has('many', 'k5000')]).toEqual([true, false]);
  const long = 'x'.repeat(4_000_000);
  for (let n = 0; n < 3; n += 1) held.hold(callOf('long', long), `k${n}`, suspension);
  expect([held.has('long', 'k1'), held.has('long', 'k2')]).toEqual([true, false]);
  held.hold(callOf('other'), 'k', suspension);
  expect(held.has('other', 'k')).toBe(true);
  // What has ended makes room.
  held.drop('many', 'k0');
  held.hold(callOf('many'), 'k5000', suspension);
  expect(held.has('many', 'k5000')).toBe(true);
});
