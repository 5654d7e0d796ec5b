import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { checkReruns } from '../../../../proofs/fixtures/rerun-cases.ts';
import { type Postgres, startPostgres } from '../../../../proofs/fixtures/start-postgres.ts';
import type { Store } from '../../src/ports/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';

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
checkReruns('PostgreSQL', () => {
  const store = postgresStore({ pool, schema });
  opened.push(store);
  return store;
});
