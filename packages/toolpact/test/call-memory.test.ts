import { getHeapSpaceStatistics } from 'node:v8';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../src/index.ts';

// In a file of its own: other tests of the same process would change what is measured.
test('a call that listens to the signal of its caller leaves nothing behind among the old objects', async () => {
  const wait = defineTool({ name: 'wait', description: 'Waits.', input: z.object({}), effects: 'none', run: async () => 1 });
  // The platform's own signals leave something behind for each listener.
  const signal = { aborted: false, addEventListener: () => undefined, removeEventListener: () => undefined } as unknown as AbortSignal;
  const make = async (calls: number): Promise<void> => {
    for (let made = 0; made < calls; made += 1) await wait.call({}, { signal });
  };
  const oldBytes = (): number => getHeapSpaceStatistics().find((space) => space.space_name === 'old_space')?.space_used_size ?? 0;
  await make(2_000);
  const perCall: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const before = oldBytes();
    await make(10_000);
    perCall.push((oldBytes() - before) / 10_000);
  }
  // A function made per call and assigned to a property of it would leave more than a hundred bytes per call until the next full collection.
  // The median, because what the test runner itself has loaded becomes old in one of the rounds, and a full collection may fall into another.
  expect(perCall.toSorted((a, b) => a - b)[2]).toBeLessThan(50);
});
