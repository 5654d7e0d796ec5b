import { expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import type { Ledger } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

test('a run of many calls is read some at a time, in the order in which they began', async () => {
  const inner = memoryStore();
  const ledger = inner.calls as Ledger;
  let [now, most] = [0, 0];
  const calls: Ledger = {
    ...ledger,
    async get(tenant, handle) {
      now += 1;
      most = Math.max(most, now);
      await new Promise(setImmediate);
      now -= 1;
      return ledger.get(tenant, handle);
    },
  };
  const note = defineTool({ name: 'note', description: 'Notes.', run: () => 'noted' });
  const toolbox = createToolbox([note], { store: { ...inner, calls } });
  for (let id = 0; id < 250; id += 1) await toolbox.call('note', {}, { runId: 'run', callId: `c${id}` });
  await toolbox.calls.list();
  const resumed = await toolbox.calls.resume('run');
  expect(resumed.map(({ callId }) => callId)).toEqual(Array.from({ length: 250 }, (_, id) => `c${id}`));
  expect(most).toBe(100);
});
