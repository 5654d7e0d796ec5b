import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkStore } from '../../src/edges/conformance/index.ts';
import { postgresStore } from '../../src/parts/stores/postgres.ts';
import { migratePostgres, namesIn, postgresMigrations } from '../../src/parts/stores/postgres-schema.ts';
import { createPgSession } from '../../src/parts/stores/pg-session.ts';
import { type Postgres, startPostgres } from '../start-postgres.ts';

let server: Postgres;
let pool: pg.Pool;

beforeAll(async () => {
  server = await startPostgres();
  pool = new pg.Pool({ ...server.address, max: 8 });
  pool.on('error', () => {});
});
afterAll(async () => {
  await pool.end();
  await server.remove();
});

const newSchema = () => `s_${randomUUID()}`;
const at = (key: string) => ({ space: 'test', tenant: 't', key });
const record = (key: string, rest: object = {}) => ({ ...at(key), value: { v: 1 }, ...rest });
const open = (schema = newSchema()) => postgresStore({ pool, schema });

test('keeps every promise of a store with a pool of the caller', async () => {
  const schema = newSchema();
  expect(await checkStore(() => postgresStore({ pool, schema }))).toEqual([]);
});
