import { expect, test } from 'vitest';
import { measureOverhead } from './measure-overhead.ts';

test('every call through the gateway, and through the proxy by hand, gets its own answer', async () => {
  const { gatewayMs, byHandMs, heapMb } = await measureOverhead({ perRound: 20, rounds: 1, calls: 20 });
  expect([gatewayMs > 0, byHandMs > 0, heapMb.length]).toEqual([true, true, 10]);
});
