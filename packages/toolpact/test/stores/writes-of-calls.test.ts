import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { createToolbox, defineTool, type Effects } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';
import { insideOf } from '../../src/runtime/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const postgres = usePostgres('writes');
/** The writes since the last counted call: writing transactions of SQLite, and writing statements of PostgreSQL. */
let writes: string[] = [];

const { run } = StatementSync.prototype;
beforeAll(() => {
  StatementSync.prototype.run = function (this: StatementSync, ...values) {
    if (this.sourceSQL === 'BEGIN IMMEDIATE') writes.push(this.sourceSQL);
    return run.apply(this, values as never);
  };
});
afterAll(() => {
  StatementSync.prototype.run = run;
});

const stores: Readonly<Record<string, () => Store>> = {
  SQLite: () => sqliteStore({ path: join(postgres.folder, 'writes.db') }),
  PostgreSQL() {
    const pool = new pg.Pool({ connectionString: postgres.connectionString() }).on('error', () => undefined);
    const query = pool.query.bind(pool) as (asked: pg.QueryConfig) => Promise<pg.QueryResult>;
    const counted = (asked: pg.QueryConfig): Promise<pg.QueryResult> => {
      if (/\b(INSERT INTO|UPDATE|DELETE FROM)\b/.test(asked.text)) writes.push(asked.text);
      return query(asked);
    };
    return postgresStore({ pool: Object.assign(pool, { query: counted }) as never });
  },
};

const input = z.object({ order: z.string() });
const stepped = (name: string, effects: Effects) =>
  defineTool({
    name,
    description: 'Takes five steps.',
    input,
    steps: true,
    async run(_, ctx) {
      for (let step = 1; step <= 5; step += 1) await ctx.step(`step ${step}`, () => step, { effects });
      return 'done';
    },
  });
const tools = [
  defineTool({ name: 'plain', description: 'Promises nothing.', input, run: () => 'done' }),
  defineTool({ name: 'keyed', description: 'Has a key.', input, idempotency: { key: ({ order }) => order }, run: () => 'done' }),
  stepped('reading', 'none'),
  stepped('repeatable', 'idempotent'),
  stepped('writing', 'writes'),
] as const;

describe.each(Object.keys(stores))('on %s', (name) => {
  let store: Store;
  beforeAll(() => {
    store = (stores[name] as () => Store)();
  });
  afterAll(() => store.close());

  /** Counts the writes of a call. The one before it has opened the store and given a sign of life, which counts for all calls of a process. */
  async function countWrites(tool: (typeof tools)[number]['name'], list: boolean): Promise<number> {
    const toolbox = createToolbox([...tools], { store, calls: { leaseMs: 3_600_000, list }, report: () => undefined });
    let counted = 0;
    for (const order of ['first', 'second']) {
      writes = [];
      const outcome = await toolbox.call(tool, { order: `${tool} ${list} ${order}` });
      await insideOf(toolbox).idle?.();
      expect(outcome).toMatchObject({ status: 'ok' });
      counted = writes.length;
    }
    return counted;
  }

  test.each([
    ['plain', false, 0],
    ['plain', true, 2],
    ['keyed', false, 2],
    ['keyed', true, 2],
    ['reading', true, 7],
    ['repeatable', true, 7],
    ['writing', true, 12],
  ] as const)('a call of "%s", listed: %s, writes %i times', async (tool, list, count) => {
    expect(await countWrites(tool, list)).toBe(count);
  });
});
