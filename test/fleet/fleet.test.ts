import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runPostgresFleet } from './run-postgres-fleet.ts';
import { runRestateFleet } from './run-restate-fleet.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-fleet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const common = { folder, calls: 12, pauseMs: 100 };
const patienceMs = 240_000;

// Both at the same time: they wait for leases and restarts most of it. `npm run proof -- fleet` has 50 calls in flight, kills every member and uses
// the leases that applications have.
test.concurrent(
  'servers on PostgreSQL that are killed or restarted, and a database that goes away, lose no call and do nothing twice',
  async () => {
    const findings = await runPostgresFleet({ ...common, leaseMs: 1_500, awayMs: 4_000, kills: 1 });
    expect(findings.broken).toEqual([]);
    expect(findings.calls).toBeGreaterThanOrEqual(36);
  },
  patienceMs,
);

test.concurrent(
  'nodes and workers of Restate that are killed or restarted lose no call and do nothing twice',
  async () => {
    // Longer than a worker stands still on a busy machine.
    const findings = await runRestateFleet({ ...common, kills: 1, leaseMs: 15_000 });
    expect(findings.broken).toEqual([]);
    expect(findings.calls).toBeGreaterThanOrEqual(36);
  },
  patienceMs,
);
