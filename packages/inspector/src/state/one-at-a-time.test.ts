import { expect, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

test('reads that are asked for while one is under way become one more, which begins after it', async () => {
  const ends: (() => void)[] = [];
  const read = oneAtATime(() => new Promise<void>((resolve) => ends.push(resolve)));
  const first = read();
  const [second, third] = [read(), read()];
  expect([ends.length, second === third]).toEqual([1, true]);
  ends[0]?.();
  await first;
  await Promise.resolve();
  expect(ends.length).toBe(2);
  ends[1]?.();
  await Promise.all([second, third]);
  expect(ends.length).toBe(2);
  void read();
  expect(ends.length).toBe(3);
});
