import pg from 'pg';
import { createToolbox, defineTool } from 'toolpact';
import type { Ledger } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { postgresStore } from 'toolpact/stores/postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Postgres, startPostgres } from '../../../proofs/fixtures/start-postgres.ts';
import { checkEngine } from '../../../proofs/suites/engines/check-engine.ts';
import { openStore } from '../../toolpact/test/stores/open-store.ts';
import { warmUp } from '../../toolpact/test/stores/warm-up.ts';
import { onRestate, restateEndpoint } from '../src/index.ts';
import { serveWorker, startTestRestate, type TestRestate } from './with-restate.ts';

let restate: TestRestate;
let postgres: Postgres;
beforeAll(async () => {
  [restate, postgres] = await Promise.all([startTestRestate(), startPostgres()]);
});
afterAll(() => Promise.all([restate.remove(), postgres.remove()]));

test('Restate keeps every promise of an engine', async () => {
  const findings = await checkEngine(async (tools) => {
    const use = [onRestate({ ingress: restate.ingress })];
    const toolbox = createToolbox(tools, { store: memoryStore(), use, report: () => undefined });
    const worker = await serveWorker(restateEndpoint(toolbox, { log: () => undefined }));
    await restate.register(worker.uri);
    return { toolbox, close: worker.close };
  });
  expect(findings).toEqual([]);
});

test('a toolbox with PostgreSQL keeps every promise of an engine', async () => {
  const store = openStore({ connectionString: postgres.connectionString, schema: 'engine' });
  await warmUp(store);
  const findings = await checkEngine((tools) => ({
    toolbox: createToolbox(tools, { store, report: () => undefined }),
    close: () => store.close(),
  }));
  expect(findings).toEqual([]);
});

const long = defineTool({
  name: 'long',
  description: 'Has many steps.',
  input: z.object({ steps: z.number(), atOnce: z.number().default(1) }),
  steps: true,
  timeoutMs: 120_000,
  async run({ steps, atOnce }, ctx) {
    let sum = 0;
    for (let first = 1; first <= steps; first += atOnce) {
      const group = Array.from({ length: Math.min(atOnce, steps - first + 1) }, (_, index) => first + index);
      const ends = await Promise.all(group.map((n) => ctx.step(`step ${n}`, () => n, { effects: n % 2 === 0 ? 'writes' : 'none' })));
      for (const end of ends) sum += end;
    }
    return sum;
  },
});

/** Counts what 100 and 500 steps take. Five times as many steps may take a little more than five times as much: of both, the call itself is a part. */
async function checkLinear(call: (steps: number) => Promise<unknown>, count: () => number): Promise<void> {
  const taken = async (steps: number) => {
    const before = count();
    expect(await call(steps)).toMatchObject({ status: 'ok', data: (steps * (steps + 1)) / 2 });
    return count() - before;
  };
  await taken(1);
  let [few, many] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // Where the machine is busy an engine sends a part of a call again, which only adds to it: the least of some calls is what a call takes.
  for (let tries = 0; tries < 5 && !(many / few > 4 && many / few < 5.5); tries += 1)
    [few, many] = [Math.min(few, await taken(100)), Math.min(many, await taken(500))];
  expect(many / few).toBeGreaterThan(4);
  expect(many / few).toBeLessThan(5.5);
}

test('500 steps on PostgreSQL ask the store five times as often as 100, and store five times as much', async () => {
  const opened = openStore({ connectionString: postgres.connectionString, schema: 'long' });
  await warmUp(opened);
  let [asked, stored] = [0, 0];
  const count = <TPart extends object>(part: TPart, reads: readonly string[]): TPart =>
    new Proxy(part, {
      get(target, name: keyof TPart & string) {
        const found: unknown = target[name];
        if (name === 'calls') return calls;
        if (typeof found !== 'function') return found;
        return (...words: readonly unknown[]) => {
          asked += 1;
          stored += reads.includes(name) ? 0 : JSON.stringify(words).length;
          return (found as (...words: readonly unknown[]) => unknown).apply(target, [...words]);
        };
      },
    });
  const calls = count(opened.calls as Ledger, ['get', 'look', 'list', 'watch', 'heartbeat']);
  const store = count(opened, ['get', 'list']);
  const toolbox = createToolbox([long], { store, report: () => undefined });
  await checkLinear(
    (steps) => toolbox.call('long', { steps }),
    () => asked,
  );
  await checkLinear(
    (steps) => toolbox.call('long', { steps }),
    () => stored,
  );
  await store.close();
});

test('32 calls at once ask PostgreSQL little more often than one: what they write, read and remove goes together', async () => {
  const pool = new pg.Pool({ connectionString: postgres.connectionString });
  let asked = 0;
  const counted = new Proxy(pool, {
    get: (target, name: keyof typeof pool) => {
      if (name === 'query') asked += 1;
      const found: unknown = target[name];
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  const taken = async (calls: number) => {
    asked = 0;
    const store = postgresStore({ pool: counted, schema: 'together' });
    const toolbox = createToolbox([long], { store, report: () => undefined });
    const ended = Array.from({ length: calls }, (_, n) => toolbox.call('long', { steps: 4 }, { idempotencyKey: `${calls} ${n}` }));
    for (const { status } of await Promise.all(ended)) expect(status).toBe('ok');
    // It waits for what is removed after the answer.
    await store.close();
    return asked;
  };
  await taken(2);
  const one = await taken(1);
  expect(await taken(32)).toBeLessThan(2 * one);
  await pool.end();
});

test('500 steps on Restate send five times as many bytes as 100', async () => {
  const use = [onRestate({ ingress: restate.ingress, service: 'long' })];
  const toolbox = createToolbox([long], { store: memoryStore(), use, report: () => undefined });
  const worker = await serveWorker(restateEndpoint(toolbox, { log: () => undefined }));
  await restate.register(worker.uri);
  // Ten side by side send the same, and the test waits for a tenth of the answers.
  await checkLinear((steps) => toolbox.call('long', { steps, atOnce: 10 }), worker.bytes);
  worker.close();
});
