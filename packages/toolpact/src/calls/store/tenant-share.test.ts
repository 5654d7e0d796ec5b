import { expect, test } from 'vitest';
import { createToolbox, defineTool } from '../../index.ts';
import { memoryStore } from '../../stores/memory.ts';

const note = defineTool({
  name: 'note',
  description: 'Notes a text.',
  run: () => 'noted',
});

test.each(['\ud800', 'a\0b'])('an id with %j costs as much of the share of a tenant as any other text', async (odd) => {
  const toolbox = createToolbox([note], { store: memoryStore(), calls: { maxCharsPerHour: 20_000 }, report: () => undefined });
  const call = (idempotencyKey: string) => toolbox.call('note', {}, { idempotencyKey, tenantId: 't' });
  expect([(await call(odd)).status, (await call('plain')).status]).toEqual(['ok', 'ok']);
});

test('a tenant that has stored its share is told so, and others go on', async () => {
  const toolbox = createToolbox([note], { store: memoryStore(), calls: { maxCharsPerHour: 3_000 }, report: () => undefined });
  const call = (idempotencyKey: string, tenantId: string) => toolbox.call('note', {}, { idempotencyKey, tenantId });
  const seen = [];
  for (const key of ['1', '2', '3', '4']) seen.push((await call(key, 'full')).status);
  expect(seen).toEqual(['ok', 'ok', 'error', 'error']);
  expect(await call('5', 'full')).toMatchObject({ error: { kind: 'rate_limited', effect: 'none' } });
  expect((await call('1', 'other')).status).toBe('ok');
});

test('a caller that names no tenant shares its store with nobody, and may fill it', async () => {
  const toolbox = createToolbox([note], { store: memoryStore(), calls: { maxCharsPerHour: 3_000 }, report: () => undefined });
  for (const idempotencyKey of ['1', '2', '3', '4', '5'])
    expect(await toolbox.call('note', {}, { idempotencyKey })).toMatchObject({ status: 'ok' });
});

test('a call that is answered from the store costs nothing of the share', async () => {
  const toolbox = createToolbox([note], { store: memoryStore(), calls: { maxCharsPerHour: 3_000, list: false }, report: () => undefined });
  for (let times = 0; times < 20; times += 1)
    expect(await toolbox.call('note', {}, { idempotencyKey: 'same', tenantId: 't' })).toMatchObject({ status: 'ok' });
});
