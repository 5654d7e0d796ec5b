import { expect, test } from 'vitest';
import { bounds, runLoad } from './run-load.ts';

// `npm run proof -- load` holds it for ten minutes.
test('a server under hostile load survives, stays within its bounds, and keeps answering others (3 s)', async () => {
  const report = await runLoad(3);
  expect(report.exit).toBe(null);
  expect(report.politeFailures).toEqual([]);
  expect(report.politeCalls).toBeGreaterThan(0);
  expect(report.hostileActs).toBeGreaterThan(50);
  expect(report.heapAfter).toBeLessThanOrEqual(bounds.heapAfter);
  expect(report.disk).toBeLessThanOrEqual(bounds.disk);
}, 180_000);
