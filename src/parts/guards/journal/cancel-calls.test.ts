import { expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../../core/runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { journal } from './journal.ts';

const report = () => undefined;
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is stopped.',
  effects: 'writes',
  run: (_, { signal }) => new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});

test.each([
  ['the same process', true],
  ['another process that shares the store', false],
])('a call is stopped from %s: its signal fires, and its effect is not known', async (_, isSame) => {
  const store = memoryStore();
  const box = createToolbox([wait], { use: [journal({ store })], report });
  const other = isSame ? box : createToolbox([], { use: [journal({ store })], report });
  const call = box.call('wait', {}, { invocationId: 'i1' });
  await expect.poll(() => other.findCall('i1')).toMatchObject({ status: 'running' });
  expect(await other.cancel('i1')).toBe(true);
  expect(await call).toMatchObject({ status: 'error', error: { kind: 'cancelled', effect: 'unknown' } });
  expect(await other.findCall('i1')).toMatchObject({ status: 'error', kind: 'cancelled' });
  expect(await other.cancel('i1')).toBe(false);
});

test('a call of another tenant, or none, is not stopped', async () => {
  const store = memoryStore();
  const box = createToolbox([wait], { use: [journal({ store })], report });
  const stop = new AbortController();
  const call = box.call('wait', {}, { invocationId: 'i1', tenantId: 'a', signal: stop.signal });
  await expect.poll(() => box.with({ tenantId: 'a' }).findCall('i1')).toMatchObject({ status: 'running' });
  expect(await box.with({ tenantId: 'b' }).cancel('i1')).toBe(false);
  expect(await box.cancel('nothing')).toBe(false);
  stop.abort();
  await call;
});
