import { expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import type { Ledger } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';

test('a call of which the store gives no outcome that can be read is not run again: it may have succeeded', async () => {
  const inner = memoryStore();
  const ledger = inner.calls as Ledger;
  let isBroken = false;
  const calls: Ledger = {
    ...ledger,
    async get(tenant, handle) {
      const call = await ledger.get(tenant, handle);
      return call && isBroken ? { ...call, outcome: 5 as never } : call;
    },
  };
  let charged = 0;
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    steps: true,
    run: (_input, { step }) =>
      step('charge', () => {
        charged += 1;
      }),
  });
  const toolbox = createToolbox([pay], { store: { ...inner, calls }, report: () => undefined });
  const { meta } = await toolbox.call('pay', {});
  isBroken = true;
  expect(await toolbox.calls.rerun(meta.invocationId ?? '')).toMatchObject({ error: { kind: 'not_ready' } });
  expect(charged).toBe(1);
});
