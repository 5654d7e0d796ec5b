import { expect, test } from 'vitest';
import { defineTool } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { createToolbox } from '../../toolbox/index.ts';
import { journal } from './journal.ts';

test('what a call has done so far can be read while it runs, and only by its tenant', async () => {
  const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ship = defineTool({
    name: 'ship',
    description: 'Ships.',
    effects: 'writes',
    steps: true,
    async run(_input, { step, progress }) {
      await step('pack', () => 1);
      progress({ message: 'on the road', done: 1, total: 2 });
      await step('drive', async () => {
        reached.resolve();
        await gate.promise;
      });
      return 'shipped';
    },
  });
  const box = createToolbox([ship], { use: [journal({ store: memoryStore() })], report: () => undefined });
  const ended = box.call('ship', {}, { invocationId: 'one', tenantId: 'acme' });
  await reached.promise;
  const running = await box.with({ tenantId: 'acme' }).findCall('one');
  expect(running).toMatchObject({ status: 'running', trace: { attempts: [], progress: [{ message: 'on the road' }] } });
  expect(running?.trace?.steps.map(({ step, status }) => [step, status])).toEqual([
    ['pack', 'ok'],
    ['drive', undefined],
  ]);
  expect(running?.trace?.soFarMs).toBeGreaterThan(0);
  expect(await box.with({ tenantId: 'other' }).findCall('one')).toBeUndefined();
  gate.resolve();
  await ended;
  const done = await box.with({ tenantId: 'acme' }).findCall('one');
  expect(done).toMatchObject({ status: 'ok', trace: { attempts: [{ status: 'ok' }] } });
  expect(done?.trace).not.toHaveProperty('soFarMs');
});
