import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { type Postgres, startPostgres } from '../fixtures/start-postgres.ts';
import { bundleProgram } from './bundle-program.ts';
import { places, runStepCrashes } from './run-step-crashes.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-steps-'));
let server: Postgres;
let program: string;
beforeAll(async () => {
  [server, program] = await Promise.all([startPostgres(), bundleProgram(folder, new URL('step-worker.ts', import.meta.url))]);
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

const stores: readonly (readonly [name: string, address: () => StoreAddress])[] = [
  ['sqlite', () => ({ path: join(folder, 'steps.db') })],
  ['postgres', () => ({ connectionString: server.connectionString, schema: 'steps' })],
];

// `npm run proof -- steps` kills 200 orders on each store.
test.concurrent.each(stores)(
  'orders that are killed at 22 moments around five steps on %s end, and do nothing twice',
  async (name, address) => {
    expect(places).toHaveLength(22);
    expect(await runStepCrashes({ name, program, store: address(), folder, kills: 1 })).toEqual([]);
  },
  540_000,
);
