import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Postgres, startPostgres } from './start-postgres.ts';

/** Gives the tests of a file one PostgreSQL and a folder for SQLite files, and removes both after them. */
export function usePostgres(name: string): { readonly folder: string; readonly connectionString: () => string } {
  const folder = mkdtempSync(join(tmpdir(), `toolpact-${name}-`));
  let server: Postgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, connectionString: () => server.connectionString };
}
