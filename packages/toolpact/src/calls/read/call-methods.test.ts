import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  effects: 'none',
  input: z.object({ n: z.number() }),
  run: ({ n }) => n,
});

test('a search through many calls lets other work of the process go on', async () => {
  const toolbox = createToolbox([echo], { store: memoryStore(), report: () => undefined });
  await Promise.all(Array.from({ length: 1_000 }, (_, n) => toolbox.call('echo', { n })));
  let turns = 0;
  let isOver = false;
  const takeTurn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(takeTurn);
  };
  setImmediate(takeTurn);
  expect(await toolbox.calls.list({ text: 'said by nobody' })).toEqual({ calls: [] });
  isOver = true;
  expect(turns).toBeGreaterThan(5);
});
