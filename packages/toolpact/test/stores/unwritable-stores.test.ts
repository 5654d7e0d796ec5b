import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';

const postgres = usePostgres('unwritable');

/** A store that can be made to take nothing more, and to take it again. */
interface Mended {
  readonly store: Store;
  readonly spoil: () => unknown;
  readonly mend: () => unknown;
}

/** Opens a SQLite file and gives the connection that the store has made. */
function openSqlite(): { readonly store: Store; readonly db: DatabaseSync } {
  const { exec } = DatabaseSync.prototype;
  let db: DatabaseSync | undefined;
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql) {
    db = this;
    return exec.call(this, sql);
  };
  try {
    const store = sqliteStore({ path: join(postgres.folder, `${randomUUID()}.db`) });
    if (db === undefined) throw new Error('the store has made no connection');
    return { store, db };
  } finally {
    DatabaseSync.prototype.exec = exec;
  }
}

const ways: Readonly<Record<string, readonly [opens: () => Mended, says: string]>> = {
  'a SQLite file that is full': [
    () => {
      const { store, db } = openSqlite();
      const pages = () => Number(db.prepare('PRAGMA page_count').get()?.page_count);
      return {
        store,
        // Not a row fits in: the pages that there are are filled first.
        spoil() {
          db.exec('CREATE TABLE filling (text)');
          db.exec(`PRAGMA max_page_count = ${pages() + 4}`);
          const fill = db.prepare('INSERT INTO filling VALUES (?)');
          for (const size of [4_000, 400, 40, 1]) {
            try {
              for (;;) fill.run('x'.repeat(size));
            } catch {
              // It is full for texts of this size.
            }
          }
        },
        mend: () => db.exec('PRAGMA max_page_count = 1000000'),
      };
    },
    'it is full',
  ],
  'a SQLite file that is read-only': [
    () => {
      const { store, db } = openSqlite();
      return { store, spoil: () => db.exec('PRAGMA query_only = ON'), mend: () => db.exec('PRAGMA query_only = OFF') };
    },
    'it may not be written to',
  ],
  'a PostgreSQL that is read-only': [
    () => {
      const pool = new pg.Pool({ connectionString: postgres.connectionString() }).on('error', () => undefined);
      const state = (isReadOnly: boolean) => async () => {
        await pool.query(`ALTER SYSTEM SET default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
        await pool.query('SELECT pg_reload_conf()');
        // Connections read the setting when they begin to wait for the next statement.
        await vi.waitFor(async () =>
          expect((await pool.query('SHOW default_transaction_read_only')).rows).toEqual([
            { default_transaction_read_only: isReadOnly ? 'on' : 'off' },
          ]),
        );
      };
      return {
        store: postgresStore({ pool: pool as never, schema: `unwritable_${randomUUID().slice(0, 8)}` }),
        spoil: state(true),
        mend: state(false),
      };
    },
    'it may not be written to',
  ],
};

const input = z.object({ id: z.string() });
/** Fits into no page of a file that is full. */
const long = 'x'.repeat(20_000);

describe.each(Object.keys(ways))('on %s', (name) => {
  const [open, says] = ways[name] as (typeof ways)[string];

  /** Tools that count what they do; `pay` and `order` wait for a gate in their middle. */
  function createTools(gate: () => Promise<void> | undefined) {
    const done: string[] = [];
    const tools = [
      defineTool({
        name: 'pay',
        description: 'Pays.',
        input,
        idempotency: { key: ({ id }) => id },
        async run({ id }) {
          done.push(`pay ${id}`);
          await gate();
          return `paid ${long}`;
        },
      }),
      defineTool({
        name: 'order',
        description: 'Charges and ships.',
        input,
        steps: true,
        // So long a step that cannot be stored is tried again.
        timeoutMs: 5_000,
        async run(_, ctx) {
          await ctx.step('charge', () => done.push('charge'));
          await gate();
          return ctx.step(`ship ${long}`, () => done.push('ship'));
        },
      }),
      defineTool({ name: 'look', description: 'Looks.', input, effects: 'none', run: () => 'seen' }),
    ] as const;
    return { tools, done };
  }

  test('what needs memory does not run, what needs none does, and what runs says truly what it did', async () => {
    const { store, spoil, mend } = open();
    const { promise: opened, resolve: goOn } = Promise.withResolvers<void>();
    let isGated = false;
    const { tools, done } = createTools(() => (isGated ? opened : undefined));
    const toolbox = createToolbox([...tools], { store, calls: { leaseMs: 600 }, report: () => undefined });
    expect(await toolbox.call('pay', { id: 'before' })).toMatchObject({ status: 'ok' });
    isGated = true;
    const paying = toolbox.call('pay', { id: 'under way' }, { invocationId: 'paying' });
    const ordering = toolbox.call('order', { id: 'under way' }, { invocationId: 'ordering' });
    await vi.waitFor(() => expect(done).toEqual(['pay before', 'pay under way', 'charge']));
    await vi.waitFor(async () =>
      expect(await store.calls?.steps({ tenant: '00000000-0000-0000-0000-000000000000', id: 'ordering' })).toMatchObject([
        { isOpen: false },
      ]),
    );

    await spoil();
    const refused = await toolbox.call('pay', { id: `refused ${long}` });
    expect(refused).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', effect: 'none', message: expect.stringContaining(says) },
    });
    expect(await toolbox.call('order', { id: `refused ${long}` })).toMatchObject({
      status: 'error',
      error: { kind: 'not_ready', effect: 'none' },
    });
    expect(await toolbox.call('look', { id: 'anything' })).toMatchObject({ status: 'ok', data: 'seen' });
    goOn();
    expect(await paying).toMatchObject({
      status: 'ok',
      meta: { warnings: [expect.stringMatching(/^not_recorded: the end of this call could not be stored/)] },
    });
    const ordered = await ordering;
    expect(ordered.status).toBe('error');
    // On a slow machine its deadline comes first, and says nothing of the store.
    if (ordered.status === 'error' && ordered.error.kind !== 'timeout')
      expect(ordered.meta.warnings).toEqual([expect.stringMatching(/^not_recorded/)]);
    expect(ordered.status === 'error' && ordered.error.effect).toMatch(/applied|unknown/);
    expect(done).toEqual(['pay before', 'pay under way', 'charge']);

    await mend();
    isGated = false;
    // The end is stored once the store takes it, and whoever asks then reads what its caller was told.
    await vi.waitFor(async () =>
      expect((await toolbox.calls.get('paying'))?.outcome).toMatchObject({ status: 'ok', data: `paid ${long}` }),
    );
    expect(await toolbox.call('pay', { id: 'under way' })).toMatchObject({ status: 'ok', meta: { replayed: true } });
    expect(await toolbox.call('pay', { id: `refused ${long}` })).toMatchObject({ status: 'ok' });
    expect(done).toEqual(['pay before', 'pay under way', 'charge', `pay refused ${long}`]);
    await store.close();
  });

  test('what is stored can be read: a call that has ended, and the list', async () => {
    const { store, spoil, mend } = open();
    const { tools, done } = createTools(() => undefined);
    const toolbox = createToolbox([...tools], { store, report: () => undefined });
    await toolbox.call('pay', { id: 'before' }, { invocationId: 'before' });
    await spoil();
    expect((await toolbox.calls.get('before'))?.outcome).toMatchObject({ status: 'ok', data: `paid ${long}` });
    expect((await toolbox.calls.list()).calls).toMatchObject([{ tool: 'pay', status: 'ok' }]);
    expect(await toolbox.calls.wait('before')).toMatchObject({ status: 'ok', data: `paid ${long}` });
    expect(done).toEqual(['pay before']);
    await mend();
    await store.close();
  });
});
