import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runPostgresFleet } from './run-postgres-fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-fleet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// `npm run proof -- fleet` has 50 calls in flight, kills every member, uses the leases that applications have, and has a cluster of Restate, too.
test('killing or restarting servers, or taking PostgreSQL away, loses no call and does nothing twice', async () => {
  const findings = await runPostgresFleet({ folder, calls: 6, pauseMs: 50, leaseMs: 1_500, awayMs: 1_000, kills: 1 });
  expect(findings.broken).toEqual([]);
  expect(findings.calls).toBeGreaterThanOrEqual(18);
}, 240_000);
