import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@toolpact/server/client';
import type { Outcome } from 'toolpact';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { bundleProgram } from '../crash/bundle-program.ts';
import { startPostgres } from '../fixtures/start-postgres.ts';
import { createLoad, type FleetFindings } from './load.ts';
import { startMembers } from './member-fleet.ts';

export interface FleetRunOptions {
  readonly folder: string;
  /** How many calls are in flight when something happens. */
  readonly calls: number;
  /** How long each of the five steps takes. */
  readonly pauseMs: number;
  /** How many members of each kind are killed. @default all */
  readonly kills?: number;
  readonly say?: (line: string) => void;
}

export interface PostgresFleetOptions extends FleetRunOptions {
  /** For so long a silent member is taken to be alive. */
  readonly leaseMs: number;
  /** For so long PostgreSQL is away. */
  readonly awayMs: number;
}

/** Options of a member. */
export interface PostgresMember {
  readonly store: StoreAddress;
  readonly ledger: string;
  readonly leaseMs: number;
}

/**
 * Runs three servers with workers on one PostgreSQL, behind a balancer. Each is killed in turn with calls in flight; PostgreSQL stops for a while and
 * comes back; at last the servers are restarted in order, one after the other, under load. Half of the calls are waited for by their handle.
 */
export async function runPostgresFleet({
  folder,
  calls,
  pauseMs,
  kills = 3,
  leaseMs,
  awayMs,
  say,
}: PostgresFleetOptions): Promise<FleetFindings> {
  const ledger = join(folder, 'postgres.ledger');
  writeFileSync(ledger, '');
  const [postgres, program] = await Promise.all([startPostgres(), bundleProgram(folder, new URL('postgres-member.ts', import.meta.url))]);
  const store = { connectionString: postgres.connectionString, schema: 'fleet' };
  const member: PostgresMember = { store, ledger, leaseMs };
  const servers = await startMembers({ size: 3, program, words: [JSON.stringify(member)] });
  const call = createCall(servers.uri, pauseMs);
  const load = createLoad({ ledger, calls, call, ...(say && { say }) });
  try {
    for (let index = 0; index < kills; index += 1) await load.during(`server ${index + 1} killed`, () => servers.kill(index));
    await load.during('PostgreSQL away', async () => {
      await postgres.stop('crash');
      await delay(awayMs);
      await postgres.start();
    });
    const restartAll = async (): Promise<void> => {
      for (const index of [0, 1, 2]) await servers.restart(index);
    };
    await load.during('rolling restart', restartAll, false);
  } finally {
    servers.close();
    await postgres.remove();
  }
  return load.findings();
}

/** Creates a caller of the fleet as a patient one would be written: with a key, again while it may be, and by its handle if the answer comes later. */
function createCall(url: string, pauseMs: number): (id: string) => Promise<Outcome<unknown>> {
  const client = createClient(url, { timeoutMs: 120_000, retry: { attempts: 1_000, baseMs: 100, maxMs: 1_000 } });
  return async (id) => {
    const isLater = Number(id.split('-').at(-2)) % 2 === 1;
    let outcome = await client.call(isLater ? 'order_later' : 'order', { id, pauseMs }, { idempotencyKey: `key ${id}` });
    while (outcome.status === 'pending') outcome = await client.wait(outcome.pending.handle);
    return outcome;
  };
}
