import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../proofs/fixtures/skip-time.ts';
import { onRestate } from './on-restate.ts';

skipTime();

const ping = defineTool({ name: 'ping', description: 'Answers.', input: z.object({}), run: () => 'pong' });
const use = [onRestate({ ingress: 'http://127.0.0.1:1' })];

test('a toolbox on Restate needs a store, and the error says which line to add', () => {
  expect(() => createToolbox([ping], { use })).toThrow(
    expect.objectContaining({ code: 'missing_store', message: expect.stringContaining('createToolbox(tools, { store: sqliteStore(') }),
  );
  expect(() => createToolbox([ping], { store: memoryStore(), use })).not.toThrow();
});

test('a call whose end Restate never tells is not run again, because nobody knows which of its steps were done', async () => {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: z.object({}),
    effects: 'writes',
    steps: true,
    run: (_, { step }) => step('charge', () => 'paid'),
  });
  // It takes every request and answers none.
  const request: typeof fetch = (_, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(new Error('gone')), { once: true }));
  const silent = [onRestate({ ingress: 'http://127.0.0.1:1', fetch: request })];
  const toolbox = createToolbox([pay], { store: memoryStore(), use: silent, report: () => undefined });
  const invocationId = crypto.randomUUID();
  const late = await toolbox.call('pay', {}, { timeoutMs: 1_000, invocationId });
  expect(late).toMatchObject({ status: 'error', error: { kind: 'timeout', effect: 'unknown' } });
  expect(await toolbox.calls.rerun(invocationId)).toMatchObject({
    error: { kind: 'conflict', message: expect.stringContaining('still runs') },
  });
  expect(await toolbox.calls.wait(invocationId, { timeoutMs: 700_000 })).toMatchObject({ status: 'error', error: { effect: 'unknown' } });
  expect(await toolbox.calls.rerun(invocationId)).toMatchObject({
    error: { kind: 'conflict', message: expect.stringContaining('Nobody knows which steps') },
  });
});
