import { type CallFilter, createToolbox, defineTool, fail } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { skipTime, takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { followCalls, followToolbox } from './follow-calls.ts';

skipTime();

const slow = defineTool({
  name: 'slow',
  description: 'Fails after a while.',
  effects: 'none',
  timeoutMs: 60_000,
  run: async () => {
    await takes(20_000);
    throw fail('timeout', 'Kyoto did not answer.');
  },
});
const quick = defineTool({ name: 'quick', description: 'Answers at once.', effects: 'none', run: () => 'done' });

test.each<[string, CallFilter]>([
  ['a status', { status: ['error'] }],
  ['a kind', { kind: ['timeout'] }],
  ['a text', { text: 'kyoto', status: ['error'] }],
])('a call that ran for long is printed when it ends with %s that is asked for, and no other is', async (_, filter) => {
  const toolbox = createToolbox([slow, quick], { store: memoryStore(), report: () => undefined });
  const stop = new AbortController();
  const printed: string[] = [];
  const source = { calls: toolbox.calls, follow: followToolbox.bind(undefined, toolbox) };
  const following = followCalls(source, filter, async ({ tool, status }) => void printed.push(`${tool} ${status}`), stop.signal);
  await Promise.all([toolbox.call('slow', {}), toolbox.call('quick', {})]);
  await takes(5_000);
  stop.abort();
  await following;
  expect(printed).toEqual(['slow error']);
});
