import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { postgresStore } from '../../src/parts/stores/postgres.ts';
import { checkReruns } from '../rerun-cases.ts';
import { checkRunningCalls } from '../running-calls-cases.ts';
import { type Postgres, startPostgres } from '../start-postgres.ts';

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.address, max: 8 }).on('error', () => {});
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

const schema = `s_${randomUUID()}`;
checkReruns('PostgreSQL', () => postgresStore({ pool, schema }));
checkRunningCalls('PostgreSQL', () => postgresStore({ pool, schema: `s_${randomUUID()}` }));
