import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { createScheduler } from './scheduler.ts';

test('things happen in the order of their time, and what is due at once in an order of the seed', async () => {
  const run = async (seed: number): Promise<string> => {
    const scheduler = createScheduler(createRandom(seed));
    const done: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) scheduler.after(5, () => done.push(name));
    scheduler.after(1, () => done.push('first'));
    scheduler.after(9, () => done.push('last'));
    await scheduler.runUntil(10);
    return done.join(' ');
  };
  expect(await run(1)).toBe(await run(1));
  expect(await run(1)).toMatch(/^first .* last$/);
  expect(new Set(await Promise.all([1, 2, 3, 4, 5].map(run))).size).toBeGreaterThan(1);
});

test('everything that only waits for promises runs before the next thing happens', async () => {
  const scheduler = createScheduler(createRandom(1));
  const done: string[] = [];
  const first = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    done.push('the first, at last');
  };
  scheduler.after(1, () => void first());
  scheduler.after(1.001, () => done.push('the second'));
  await scheduler.runUntil(2);
  expect(done).toEqual(['the first, at last', 'the second']);
});

test('what was called off does not happen, and time goes on to where it was sent', async () => {
  const scheduler = createScheduler(createRandom(1));
  const done: string[] = [];
  scheduler.after(1, () => done.push('never')).isOff = true;
  await scheduler.runUntil(50);
  expect([done, scheduler.now(), scheduler.steps()]).toEqual([[], 50, 0]);
});

test('what a happening throws ends the run', async () => {
  const scheduler = createScheduler(createRandom(1));
  scheduler.after(1, () => {
    throw new Error('broken');
  });
  await expect(scheduler.runUntil(2)).rejects.toThrow('broken');
});
