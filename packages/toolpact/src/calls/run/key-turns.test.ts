import { expect, test } from 'vitest';
import { createToolbox, defineTool, fail } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';

test('of eight processes that want the same key again and again, none waits for ever', async () => {
  const store = memoryStore();
  const runs = Array.from({ length: 8 }, () => 0);
  const isOver = () => runs.every((count) => count >= 3) || runs.some((count) => count >= 5000);
  const processes = runs.map((_, process) => {
    const book = defineTool({
      name: 'book',
      description: 'Books.',
      idempotency: { key: () => 'seat 1' },
      run: async (): Promise<string> => {
        runs[process] = (runs[process] ?? 0) + 1;
        await new Promise((resolve) => setImmediate(resolve));
        throw fail('unreachable', 'Not now.', { effect: 'none' });
      },
    });
    return createToolbox([book], { store, report: () => undefined });
  });
  await Promise.all(
    processes.map(async (box) => {
      while (!isOver()) await box.call('book', {});
    }),
  );
  expect(runs.every((count) => count >= 3)).toBe(true);
});
