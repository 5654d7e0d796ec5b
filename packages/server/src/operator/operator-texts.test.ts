import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { explainCall } from './operator-texts.ts';

test('says of a call that asked in its middle what was answered, by whom', async () => {
  const ask = defineTool({
    name: 'ask',
    description: 'Asks for a day.',
    steps: true,
    run: async (_, { waitFor }) => (await waitFor('day', z.object({ day: z.string() }), { message: 'Which day?' })).day,
  });
  const toolbox = createToolbox([ask], { store: memoryStore(), report: () => undefined });
  const waiting = await toolbox.call('ask', {});
  const handle = waiting.status === 'pending' ? waiting.pending.handle : '';
  const open = await toolbox.calls.get(handle);
  expect(open && explainCall(open)).toContain('): Which day?');
  await toolbox.calls.settle(handle, { day: 'Monday' }, { by: 'ann' });
  const ended = await toolbox.calls.get(handle);
  expect(ended && explainCall(ended)).toContain('asked: Which day? answered by ann: {"day":"Monday"}');
});
