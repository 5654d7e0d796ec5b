import { memoryStore } from 'toolpact/stores/memory';
import { expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import { closeInTime } from './open-store.ts';

skipTime();

test('a command ends although its store never closes', async () => {
  const store = closeInTime({ ...memoryStore(), close: () => new Promise(() => undefined) });
  const startedAt = Date.now();
  await store.close();
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(5_000);
});
