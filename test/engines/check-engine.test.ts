import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkEngine } from '../../src/edges/conformance/index.ts';
import { createToolbox } from '../../src/index.ts';
import { onRestate, restateEndpoint } from '../../src/parts/engines/index.ts';
import { defer, idempotency, journal } from '../../src/parts/guards/index.ts';
import { type Postgres, startPostgres } from '../start-postgres.ts';
import { openStore } from '../stores/open-store.ts';
import { serveWorker, startTestRestate, type TestRestate } from './with-restate.ts';

let restate: TestRestate;
let postgres: Postgres;
beforeAll(async () => {
  [restate, postgres] = await Promise.all([startTestRestate(), startPostgres()]);
});
afterAll(() => Promise.all([restate.remove(), postgres.remove()]));

test('Restate keeps every promise of an engine', async () => {
  const findings = await checkEngine(async (tools) => {
    const toolbox = createToolbox(tools, { use: [onRestate({ ingress: restate.ingress })], report: () => undefined });
    const worker = await serveWorker(restateEndpoint(toolbox, { log: () => undefined }));
    await restate.register(worker.uri);
    return { toolbox, close: worker.close };
  });
  expect(findings).toEqual([]);
});

test('the guards on PostgreSQL keep every promise of an engine', async () => {
  const store = openStore({ connectionString: postgres.connectionString, schema: 'engine' });
  const findings = await checkEngine((tools) => ({
    toolbox: createToolbox(tools, { use: [journal({ store }), idempotency({ store }), defer({ store })], report: () => undefined }),
    close: () => store.close(),
  }));
  expect(findings).toEqual([]);
});
