import { expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { fromTools } from './from-tools.ts';

type NeedsApproval = boolean | ((input: { amount: number }) => unknown);

function payWith(needsApproval: NeedsApproval) {
  const paid: number[] = [];
  const execute = ({ amount }: { amount: number }) => paid.push(amount);
  return {
    paid,
    tools: fromTools({ pay: { description: 'Pays.', inputSchema: z.object({ amount: z.number() }), needsApproval, execute } }),
  };
}

test.each<[string, NeedsApproval]>([
  ['always', true],
  ['for this input', ({ amount }) => amount > 10],
  ['perhaps, which it finds out later', () => Promise.resolve(false)],
  ['perhaps, and fails to find out', () => Promise.reject(new Error('no rules'))],
])('a tool that needs an approval %s does not run without one', async (_, needsApproval) => {
  const { paid, tools } = payWith(needsApproval);
  const toolbox = createToolbox(tools, { store: memoryStore(), report: () => undefined });
  expect(await toolbox.answer({ name: 'pay', args: { amount: 50 } })).toMatchObject({ status: 'pending', pending: { reason: 'approval' } });
  expect(paid).toEqual([]);
});

test('a tool that needs none for an input runs', async () => {
  const { paid, tools } = payWith(({ amount }) => amount > 10);
  const toolbox = createToolbox(tools, { store: memoryStore(), report: () => undefined });
  expect(await toolbox.answer({ name: 'pay', args: { amount: 5 } })).toMatchObject({ status: 'ok' });
  expect(paid).toEqual([5]);
});

test('a tool that needs an approval is not taken by a toolbox without a store', () => {
  expect(() => createToolbox(payWith(true).tools)).toThrow('declares approval, which needs a store');
});
