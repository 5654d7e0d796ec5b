import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import type { Store } from '../../src/core/ports/index.ts';
import { postgresStore } from '../../src/parts/stores/postgres.ts';
import { checkReruns } from '../rerun-cases.ts';
import { checkRunningCalls } from '../running-calls-cases.ts';
import { type Postgres, startPostgres } from '../start-postgres.ts';

let server: Postgres;
let pool: pg.Pool;
const opened: Store[] = [];

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.address, max: 8 }).on('error', () => {});
});
afterAll(async () => {
  // A store that listens for news keeps a connection of the pool.
  await Promise.all(opened.map((store) => store.close()));
  await pool.end();
  await server.remove();
});

const schema = `s_${randomUUID()}`;
checkReruns('PostgreSQL', () => open(schema));
checkRunningCalls('PostgreSQL', () => open(`s_${randomUUID()}`));

function open(inSchema: string): Store {
  const store = postgresStore({ pool, schema: inSchema });
  opened.push(store);
  return store;
}
