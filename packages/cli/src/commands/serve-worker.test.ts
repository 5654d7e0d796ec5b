import type { ToolpactEvent } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import type { Ledger } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test, vi } from 'vitest';
import { startServeWorker } from './serve-worker.ts';

const paid = defineTool({ name: 'pay', description: 'Pays.', steps: true, run: (_, ctx) => ctx.step('charge', () => 'paid') });

test('a problem of the worker is left to the log, which writes every problem event, and not printed a second time', async () => {
  const printed = vi.spyOn(console, 'error').mockReturnValue(undefined);
  const inner = memoryStore();
  const takeDue = () => Promise.reject(new Error('the disk is gone'));
  const store = { ...inner, durable: true, calls: { ...(inner.calls as Ledger), takeDue } };
  const toolbox = createToolbox([paid], { store, report: () => undefined });
  const heard = Promise.withResolvers<ToolpactEvent>();
  toolbox.subscribe(heard.resolve);
  const log = { call: () => {}, denied: () => {}, problem: () => {}, note: () => {} };
  const worker = startServeWorker(toolbox, log);
  expect(await heard.promise).toMatchObject({
    type: 'problem',
    where: 'a worker',
    message: expect.stringContaining('The calls cannot be read'),
  });
  expect(printed.mock.calls).toEqual([]);
  await worker?.stop();
  printed.mockRestore();
});
