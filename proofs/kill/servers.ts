import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../fixtures/start-postgres.ts';
import { startRestate } from '../fixtures/start-restate.ts';
import type { KillHost } from './host.ts';
import type { LifeFacts } from './life.ts';

type Addresses = Pick<LifeFacts, 'postgres' | 'restate'>;

/** The servers that the runs of one host need; they are not killed. */
export interface Servers {
  /** Creates a database for a run. */
  readonly forCell: () => Promise<Addresses>;
  readonly close: () => Promise<void>;
}

const none: Addresses = { postgres: '', restate: { ingress: '', admin: '' } };

/** Starts what a host needs. */
export async function startServers(needs: KillHost['needs']): Promise<Servers> {
  if (needs === 'postgres') return startDatabases();
  if (needs === 'restate') return startWorkflowServer();
  return { forCell: async () => none, close: async () => undefined };
}

async function startDatabases(): Promise<Servers> {
  const server = await startPostgres();
  const { default: pg } = (await import('pg')) as unknown as { default: { Client: new (options: object) => Client } };
  let count = 0;
  return {
    async forCell() {
      count += 1;
      const client = new pg.Client({ connectionString: server.connectionString });
      await client.connect();
      await client.query(`CREATE DATABASE cell_${count}`);
      await client.end();
      return { ...none, postgres: server.connectionString.replace(/\/postgres$/, `/cell_${count}`) };
    },
    close: () => server.remove(),
  };
}

async function startWorkflowServer(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-kill-restate-'));
  const from = fileURLToPath(new URL('../peers/', import.meta.url));
  const { ingress, admin, stop } = await startRestate({ folder, from });
  return {
    forCell: async () => ({ ...none, restate: { ingress, admin } }),
    async close() {
      await stop('crash');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Client {
  readonly connect: () => Promise<void>;
  readonly query: (text: string) => Promise<unknown>;
  readonly end: () => Promise<void>;
}
