import { expect, test } from 'vitest';
import { createBatches } from './batches.ts';

test('an item that takes longer than its batch holds up those with its id, and nobody else', async () => {
  const begun: string[] = [];
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const add = createBatches<string, string>({
    async run(items) {
      begun.push(...items);
      return items.map((item) => (item === 'a1' ? held.then(() => item) : item));
    },
    idOf: (item) => item.charAt(0),
    sizeOf: () => 1,
    mayDivide: () => false,
  });
  const first = add('a1');
  expect(await add('b1')).toBe('b1');
  const second = add('a2');
  expect(await add('c1')).toBe('c1');
  expect(begun).toEqual(['a1', 'b1', 'c1']);
  release();
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2']);
});

test('an item that fails lets the next one with its id begin', async () => {
  const add = createBatches<string, string>({
    run: async ([item = '']) => (item === 'a1' ? Promise.reject(new Error('no')) : [item]),
    idOf: (item) => item.charAt(0),
    sizeOf: () => 1,
    mayDivide: () => false,
  });
  const [first, second] = [add('a1'), add('a2')];
  await expect(first).rejects.toThrow('no');
  expect(await second).toBe('a2');
});
