import { expect, test, vi } from 'vitest';
import type { ToolpactEvent } from '../../events/index.ts';
import { createToolbox, defineTool } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from '../journal/journal.ts';
import { createWorker } from './create-worker.ts';

const noted = defineTool({ name: 'note', description: 'Notes.', effects: 'none', run: () => 'noted' });

test('a store that cannot be looked through is a problem of the toolbox and a line on the console, and the worker goes on', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const gone = new Error('the disk is gone');
  const store = { ...memoryStore(), list: () => Promise.reject(gone) };
  const toolbox = createToolbox([noted], { use: [journal({ store })], report: () => undefined });
  const heard = Promise.withResolvers<ToolpactEvent>();
  toolbox.subscribe(heard.resolve);
  const worker = createWorker(toolbox);
  expect(await heard.promise).toMatchObject({ type: 'problem', where: 'a worker', message: 'the disk is gone' });
  expect(printed.mock.calls).toEqual([['toolpact: a worker failed. the disk is gone']]);
  await expect(worker.look()).rejects.toBe(gone);
  await worker.stop();
  printed.mockRestore();
});

test('a context that is no function is refused', () => {
  const toolbox = createToolbox([noted], { use: [journal({ store: memoryStore() })], report: () => undefined });
  expect(() => createWorker(toolbox, { context: 'print' as never })).toThrow('createWorker: context must be a function');
});
