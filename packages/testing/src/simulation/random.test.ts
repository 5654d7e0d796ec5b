import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

test('a seed gives the same numbers again, another seed gives others', () => {
  const draw = (seed: number): number[] => {
    const random = createRandom(seed);
    return Array.from({ length: 50 }, () => random.next());
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test('a fork does not depend on what was drawn before', () => {
  const [one, other] = [createRandom(7), createRandom(7)];
  other.next();
  expect(one.fork('wire').next()).toBe(other.fork('wire').next());
  expect(one.fork('wire').next()).not.toBe(one.fork('clock').next());
});

test('numbers are spread evenly, and weights count', () => {
  const random = createRandom('spread');
  const counts = { often: 0, seldom: 0 };
  let sum = 0;
  for (let drawn = 0; drawn < 10_000; drawn += 1) {
    sum += random.below(10);
    counts[random.weighted({ often: 9, seldom: 1 })] += 1;
  }
  expect(sum / 10_000).toBeCloseTo(4.5, 0);
  expect(counts.often / counts.seldom).toBeGreaterThan(7);
  expect(counts.often / counts.seldom).toBeLessThan(12);
});
