import type { ListedTool } from 'toolpact';
import { expect, test } from 'vitest';
import { measureRecall } from './measure.ts';
import { type Ranking, substring, toolpact } from './rankings.ts';

const named = (name: string, description: string): ListedTool => ({
  name,
  providerName: name,
  description,
  effects: 'writes',
  inputSchema: {},
  examples: [],
});
const tools = [
  named('refund_payment', 'Gives money back.'),
  ...Array.from({ length: 6 }, (_, at) => named(`other_${at}`, 'The customer is in the.')),
];

test('gives the tasks whose operation is among the first five', async () => {
  const last: Ranking = (all) => () => all.toReversed().map(({ name }) => name);
  const tasks = { 'reimburse the customer': ['refund_payment'], 'show other_5': ['other_5', 'other_4'] };
  expect(await measureRecall('Shop', tools, tasks, { toolpact, substring, last })).toEqual({
    api: 'Shop',
    tools: 7,
    tasks: 2,
    solved: { toolpact: ['reimburse the customer', 'show other_5'], substring: ['show other_5'], last: ['show other_5'] },
  });
});

test('a task that names an operation that does not exist is a mistake in the tasks', async () => {
  await expect(measureRecall('Shop', tools, { pay: ['pay'] }, { toolpact })).rejects.toThrow('Shop has no operation pay');
});
