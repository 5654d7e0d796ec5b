import { expect, test } from 'vitest';
import { limitProgress } from './limit-progress.ts';

test('a hundred may come at once, then twenty a second; the rest is left out', () => {
  let time = 0;
  const heard: (number | undefined)[] = [];
  const tell = limitProgress(
    ({ done }: { readonly done: number }) => heard.push(done),
    () => time,
  );
  for (let done = 0; done < 1_000; done += 1) tell({ done });
  expect(heard).toEqual(Array.from({ length: 100 }, (_, index) => index));
  time = 1_000;
  for (let done = 2_000; done < 3_000; done += 1) tell({ done });
  expect(heard.slice(100)).toEqual(Array.from({ length: 20 }, (_, index) => 2_000 + index));
  time = 500;
  tell({ done: 4_000 });
  expect(heard).toHaveLength(120);
});
