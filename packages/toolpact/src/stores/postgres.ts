import { hash } from 'node:crypto';
import { refuseOptions, ToolpactError } from '../outcome/index.ts';
import { type CounterState, type PutResult, type RecordKey, type Store, type StoredRecord, untilWritten } from '../ports/index.ts';
import { type StopTimer, systemClock } from '../time/index.ts';
import { createPostgresLedger } from './postgres/calls/postgres-ledger.ts';
import { createCallWatch } from './postgres/calls/watch-calls.ts';
import { createPgPool, type PgPool } from './postgres/pg-pool.ts';
import { createPgSession } from './postgres/pg-session.ts';
import { analyzeGrownTables, namesIn, type PostgresPlace, preparePostgres } from './postgres/postgres-schema.ts';
import { postgresStatements } from './postgres/postgres-statements.ts';
import type { Retention } from './retention.ts';
import { encodeText, encodeValue } from './stored-text.ts';

export type { Store } from '../ports/index.ts';

/** Which database, where in it, and how long things are kept. */
export interface PostgresStoreOptions extends Retention, PostgresPlace {
  /** A pool of the `pg` package, which stays yours to end. Listen to its `error` event, as its documentation asks. */
  readonly pool?: PgPool;
  /** Creates a pool of the store's own; needs the `pg` package. */
  readonly connectionString?: string;
  /** How long a server that cannot be reached is waited for. @default 5,000 */
  readonly reconnectMs?: number;
}

/** How often expired records are deleted even if nothing is written. */
const sweepEveryMs = 60_000;
const sweepEveryWrites = 1000;
const sliceSize = 2000;
/** The longest that a process is kept by connections that end. */
const longestEndMs = 5_000;

/**
 * Keeps records in PostgreSQL, for any number of machines. The tables are made with the first use. The database's clock decides what has expired.
 */
export function postgresStore(server: string | PostgresStoreOptions): Store {
  const options: PostgresStoreOptions = typeof server === 'string' ? { connectionString: server } : server;
  refuseOptions<PostgresStoreOptions>('postgresStore', options, {
    pool: true,
    connectionString: true,
    reconnectMs: true,
    retentionMs: 'a number above 0',
    schema: true,
    prefix: true,
  });
  const { connectionString, reconnectMs = 5000, retentionMs } = options ?? {};
  if ((options?.pool === undefined) === (connectionString === undefined))
    throw new ToolpactError('invalid_option', 'postgresStore needs the URL of a server, or a pool.');
  const names = namesIn(options);
  const sql = postgresStatements(names);
  let own: Promise<PgPool> | undefined;
  const getPool = async (): Promise<PgPool> => {
    if (options.pool) return options.pool;
    own ??= createPgPool(connectionString ?? '');
    return own;
  };
  const session = createPgSession(getPool, reconnectMs);

  let ready: Promise<void> | undefined;
  let isReady = false;
  let isClosed = false;
  let closing: Promise<void> | undefined;
  let writes = 0;
  let stopSweeping: StopTimer | undefined;
  const underWay = new Set<Promise<unknown>>();

  /** Runs something as soon as the tables are there. Counts as under way until it is settled, so that closing can wait for it. */
  const enter = <T>(run: () => Promise<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new Error('The store is closed.'));
    // Not as the store is made: edge workers forbid timers while a module loads.
    stopSweeping ??= systemClock.every(sweepEveryMs, () => void (ready && sweepQuietly()), { background: true });
    // Forget a failed start, so that the next call tries again: the server may be there by then.
    ready ??= preparePostgres(session, names).then(
      () => {
        isReady = true;
      },
      (error: unknown) => {
        ready = undefined;
        throw error;
      },
    );
    // Do not wait where they are there: each step of a call waits for its writes.
    const result = isReady ? run() : ready.then(run);
    underWay.add(result);
    const done = () => underWay.delete(result);
    result.then(done, done);
    return result;
  };
  const countWrite = (): void => {
    writes += 1;
    if (writes % sweepEveryWrites === 0) sweepQuietly();
  };
  const write = <T>(run: () => Promise<T>): Promise<T> => {
    countWrite();
    return enter(run);
  };

  const watch = createCallWatch(names, () =>
    enter(async () => {
      const pool = await getPool();
      // A pool of one connection would have none left.
      return pool.options?.max === 1 ? undefined : pool;
    }),
  );
  const ledger = createPostgresLedger({
    session,
    names,
    channel: watch.channel,
    enter: write,
    watch: watch.watch,
    retentionMs,
  });

  const sweepSlice = async () => {
    // Plans that are slow are no reason to keep what has expired.
    await analyzeGrownTables(session, names).catch(() => undefined);
    const records = await session.query(sql.sweepRecords(sliceSize));
    const counters = await session.query(sql.sweepCounters(sliceSize));
    const calls = await ledger.sweep(sliceSize);
    return {
      records: records.length + calls,
      most: Math.max(records.length, counters.length, calls),
    };
  };
  let isSweeping = false;
  // A sweep that fails now is made up for by the next one. One at a time: where they take long, they would leave calls no connection.
  const sweepQuietly = (): void => {
    if (isSweeping) return;
    isSweeping = true;
    const done = () => {
      isSweeping = false;
    };
    enter(sweepSlice).then(done, done);
  };

  const find = async (at: RecordKey): Promise<StoredRecord | undefined> => {
    const [row] = await session.query<{ readonly version: number; readonly value: string; readonly left_ms: number | null }>(
      sql.select(idOf(at)),
      true,
    );
    if (row === undefined) return undefined;
    const { version, value, left_ms: leftMs } = row;
    return { ...at, value: JSON.parse(value), ...(leftMs !== null && { leftMs }), version };
  };

  const close = async (): Promise<void> => {
    await untilWritten(store);
    isClosed = true;
    stopSweeping?.();
    watch.close();
    await Promise.allSettled(underWay);
    const pool = await own?.catch(() => undefined);
    // Idle connections keep no process. One that waits for their end, and for nothing else, would be over before it.
    const stopStaying = systemClock.after(longestEndMs, () => undefined);
    await pool?.end();
    stopStaying();
  };

  const store: Store = {
    name: 'postgres',
    durable: true,
    calls: ledger.calls,
    trouble: session.trouble,
    opening: () => (isReady || session.trouble() !== undefined ? undefined : ready),
    get: ({ space, tenant, key }) => enter(() => find({ space, tenant, key })),
    async put({ space, tenant, key, value, keepMs = Number.POSITIVE_INFINITY }, expect) {
      const at = { space, tenant, key };
      const [id, text] = [idOf(at), encodeValue(value)];
      const names = [encodeText(space), encodeText(tenant), encodeText(key)];
      return write(async (): Promise<PutResult> => {
        const wanted = keepMs === Number.POSITIVE_INFINITY ? null : keepMs;
        const retention = retentionMs ?? null;
        for (;;) {
          const query =
            expect === undefined || expect === 0
              ? sql[expect === 0 ? 'create' : 'replace'](id, ...names, text, wanted, retention)
              : sql.update(id, text, wanted, retention, expect);
          const [written] = await session.query<{ readonly version: number }>(query);
          if (written !== undefined) return { ok: true, version: written.version };
          const current = await find(at);
          // The obstacle to a new record may be gone meanwhile.
          if (current !== undefined || expect !== 0) return { ok: false, current };
        }
      });
    },
    remove: (at, expect) => write(async () => (await session.query(sql.remove(idOf(at), expect ?? null))).length > 0),
    add: (at, amount, windowMs) => {
      const id = idOf(at);
      return write(async (): Promise<CounterState> => {
        const [row] = await session.query<{ count: number; left_ms: number }>(sql.add(id, amount, windowMs));
        return { count: row?.count ?? 0, leftMs: row?.left_ms ?? 0 };
      });
    },
    sweep: () =>
      enter(async () => {
        let total = 0;
        for (;;) {
          const { records, most } = await sweepSlice();
          total += records;
          if (most < sliceSize) return total;
        }
      }),
    close() {
      closing ??= close();
      return closing;
    },
  };
  return store;
}

/** A name of fixed size: an index cannot hold long keys. */
function idOf({ space, tenant, key }: RecordKey): string {
  return `\\x${hash('sha256', JSON.stringify([space, tenant, key]))}`;
}
