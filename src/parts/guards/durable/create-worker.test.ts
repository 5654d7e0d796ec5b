import { expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from '../journal/journal.ts';
import { createWorker } from './create-worker.ts';

const noted = defineTool({ name: 'note', description: 'Notes.', effects: 'none', run: () => 'noted' });

test('a store that cannot be looked through is reported, and the worker goes on', async () => {
  const gone = new Error('the disk is gone');
  const store = { ...memoryStore(), list: () => Promise.reject(gone) };
  const toolbox = createToolbox([noted], { use: [journal({ store })], report: () => undefined });
  const heard = Promise.withResolvers<unknown>();
  const worker = createWorker(toolbox, { onProblem: heard.resolve });
  expect(await heard.promise).toBe(gone);
  await expect(worker.look()).rejects.toBe(gone);
  await worker.stop();
});

test.each(['onProblem', 'context'])('%s that is no function is refused', (option) => {
  const toolbox = createToolbox([noted], { use: [journal({ store: memoryStore() })], report: () => undefined });
  expect(() => createWorker(toolbox, { [option]: 'print' })).toThrow(`createWorker: ${option} must be a function`);
});
