import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { type Postgres, startPostgres } from '../fixtures/start-postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { runPauses } from './run-pauses.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-pauses-'));
let server: Postgres;
let program: string;
beforeAll(async () => {
  [server, program] = await Promise.all([startPostgres(), bundleProgram(folder, new URL('pause-worker.ts', import.meta.url))]);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, address: () => StoreAddress])[] = [
  ['sqlite', () => ({ path: join(folder, 'shared.db') })],
  ['postgres', () => ({ connectionString: server.connectionString, schema: 'pauses' })],
];

// `npm run proof -- pauses` makes 500 of them on each store.
test.concurrent.each(stores)(
  'processes that are stopped beyond their lease on %s do nothing twice in steps (6 pauses)',
  async (name, address) => {
    const lanes = [1, 2].map((lane) => runPauses({ name: `${name}-${lane}`, program, store: address(), folder, pauses: 3 }));
    const findings = await Promise.all(lanes);
    expect(findings.flatMap(({ broken }) => broken)).toEqual([]);
    expect(findings.reduce((sum, { pauses }) => sum + pauses, 0)).toBe(6);
  },
  120_000,
);
