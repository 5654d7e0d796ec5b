import { hash } from 'node:crypto';
import { type JsonValue, refuseOptions, ToolpactError } from '../outcome/index.ts';
import {
  type CounterState,
  type IndexPage,
  type PutResult,
  type RecordDraft,
  type RecordKey,
  type Store,
  type StoredRecord,
  untilWritten,
} from '../ports/index.ts';
import { type StopTimer, systemClock } from '../time/index.ts';
import { type FoundRow, toIndexPage, toSpan } from './found-rows.ts';
import { createPostgresLedger } from './postgres/calls/postgres-ledger.ts';
import { createCallWatch } from './postgres/calls/watch-calls.ts';
import { createGetBatches } from './postgres/get-batches.ts';
import { createLogBatches } from './postgres/log-batches.ts';
import { createPgPool, type PgPool } from './postgres/pg-pool.ts';
import { createPgSession } from './postgres/pg-session.ts';
import { createPgSignals } from './postgres/pg-signals.ts';
import { namesIn, type PostgresPlace, preparePostgres } from './postgres/postgres-schema.ts';
import { postgresStatements } from './postgres/postgres-statements.ts';
import { createPutBatches, type PostgresPut } from './postgres/put-batches.ts';
import { createRemoveBatches } from './postgres/remove-batches.ts';
import { createServerClock } from './postgres/server-clock.ts';
import type { Retention } from './retention.ts';
import { toRecordLimit, toRowLimit } from './row-limits.ts';
import { type StoredRow, toRecord } from './stored-row.ts';
import { decodeText, encodeText, encodeValue } from './stored-text.ts';

export type { Store } from '../ports/index.ts';

/** Which database, where in it, and how long things are kept. */
export interface PostgresStoreOptions extends Retention, PostgresPlace {
  /** A pool of the `pg` package, which stays yours to end. Listen to its `error` event, as its documentation asks. */
  readonly pool?: PgPool;
  /** Makes a pool of the store's own; needs the `pg` package. */
  readonly connectionString?: string;
  /** How long a server that cannot be reached is waited for. @default 5,000 */
  readonly reconnectMs?: number;
  /** How often expired records are deleted even if nothing is written. @default 60,000 */
  readonly sweepEveryMs?: number;
  /** The clock of this process, by which moments are given and got; the database's own decides what has expired. @default Date.now */
  readonly now?: () => number;
}

const sweepEveryWrites = 1000;
const sliceSize = 2000;

/**
 * Keeps records in PostgreSQL, for any number of machines. The tables are made and brought up to date with the first use. The database's
 * clock decides what has expired. Of records that several processes write at the same moment, one with a higher `seq` may be listed first.
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  refuseOptions<PostgresStoreOptions>('postgresStore', options, {
    pool: true,
    connectionString: true,
    reconnectMs: true,
    sweepEveryMs: true,
    now: 'a function',
    retentionMs: 'more than 0',
    schema: true,
    prefix: true,
  });
  const { connectionString, reconnectMs = 5000, sweepEveryMs = 60_000, retentionMs, now = Date.now } = options ?? {};
  if ((options?.pool === undefined) === (connectionString === undefined))
    throw new ToolpactError('invalid_option', 'postgresStore needs a pool or a connectionString.');
  const names = namesIn(options);
  const sql = postgresStatements(names);
  let own: Promise<PgPool> | undefined;
  const getPool = async (): Promise<PgPool> => {
    if (options.pool) return options.pool;
    own ??= createPgPool(connectionString ?? '');
    return own;
  };
  const session = createPgSession(getPool, reconnectMs);
  const clock = createServerClock(session, now);
  const signals = createPgSignals(getPool, session, names);
  const getInBatch = createGetBatches(session, sql);
  const putInBatch = createPutBatches(session, sql, retentionMs);
  const removeInBatch = createRemoveBatches(session, sql);
  const logInBatch = createLogBatches(session, sql, retentionMs);

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
  const whenReady = <T>(run: (offset: number) => Promise<T>): Promise<T> =>
    enter(() => {
      const offset = clock.offset();
      return offset === undefined ? clock.withOffset(run) : run(offset);
    });
  const countWrite = (): void => {
    writes += 1;
    if (writes % sweepEveryWrites === 0) sweepQuietly();
  };
  const write = <T>(run: (offset: number) => Promise<T>): Promise<T> => {
    countWrite();
    return whenReady(run);
  };

  const watch = createCallWatch(() =>
    enter(async () => {
      const { options: own } = await getPool();
      // A pool of one connection would have none left.
      return own?.max === 1 ? undefined : signals.hearCalls;
    }),
  );
  const ledger = createPostgresLedger({
    session,
    names,
    channel: signals.callChannel,
    enter(run) {
      countWrite();
      return enter(run);
    },
    watch: watch.watch,
    retentionMs,
  });

  const sweepSlice = async () => {
    const records = await session.query(sql.sweepRecords(sliceSize));
    const entries = await session.query(sql.sweepLogs(sliceSize));
    const counters = await session.query(sql.sweepCounters(sliceSize));
    const calls = await ledger.sweep(sliceSize);
    return {
      records: records.length + entries.length + calls,
      most: Math.max(records.length, entries.length, counters.length, calls),
    };
  };
  // A sweep that fails now is made up for by the next one.
  const sweepQuietly = (): void => void whenReady(sweepSlice).catch(() => undefined);

  const close = async (): Promise<void> => {
    await untilWritten(store);
    isClosed = true;
    stopSweeping?.();
    watch.close();
    signals.close();
    await Promise.allSettled(underWay);
    const pool = await own?.catch(() => undefined);
    await pool?.end();
  };

  const store: Store = {
    name: 'postgres',
    durable: true,
    calls: ledger.calls,
    trouble: session.trouble,
    opening: () => (isReady || session.trouble() !== undefined ? undefined : ready),
    get: (at) => {
      const [{ space, tenant }, id] = [at, idOf(at)];
      return whenReady(async (offset): Promise<StoredRecord | undefined> => {
        const row = await getInBatch(id);
        return row && toOwnTime(toRecord({ space, tenant }, row), offset);
      });
    },
    async put(draft, expect) {
      const { space, tenant, key, group, expiresAt = null } = draft;
      const put = {
        at: { space, tenant },
        scopeId: () => toBytea(digest(space, tenant)),
        expect,
        id: idOf(draft),
        group_id: group === undefined ? null : toBytea(digest(space, tenant, group)),
        space: encodeText(space),
        tenant: encodeText(tenant),
        key: encodeText(key),
        grp: group === undefined ? null : encodeText(group),
        value: encodeValue(draft.value),
        index: toIndex(draft),
      };
      return write(async (offset): Promise<PutResult> => {
        const expires_at = expiresAt === null || expiresAt === Number.POSITIVE_INFINITY ? null : expiresAt + offset;
        const result = await putInBatch({ ...put, expires_at });
        return result.ok || result.current === undefined ? result : { ok: false, current: toOwnTime(result.current, offset) };
      });
    },
    remove: (at, expect) => {
      const id = idOf(at);
      return write(() => removeInBatch({ id, expect }));
    },
    list: ({ space, tenant, group, after = 0, limit }) =>
      whenReady(async (offset) => {
        const query =
          group === undefined
            ? sql.list(toBytea(digest(space, tenant)), after, toRecordLimit(limit))
            : sql.listGroup(toBytea(digest(space, tenant, group)), after, toRecordLimit(limit));
        const rows = await session.query<StoredRow>(query, true);
        return rows.map((row) => toOwnTime(toRecord({ space, tenant }, row), offset));
      }),
    find: (query) =>
      whenReady(async (): Promise<IndexPage> => {
        const { space, tenant, label, keys } = query;
        if (keys !== undefined) {
          const ids = keys.map((key) => toBytea(idOf({ space, tenant, key })));
          return toIndexPage(await session.query<FoundRow>(sql.findKeys(ids), true), Number.POSITIVE_INFINITY, decodeText);
        }
        const [{ since, before }, limit] = [toSpan(query), toRowLimit(query.limit)];
        const scope = toBytea(digest(space, tenant));
        const found = sql.find(scope, termOf(space, tenant, label), since, before.at, before.seq, limit);
        return toIndexPage(await session.query<FoundRow>(found, true), limit, decodeText);
      }),
    add: (at, amount, windowMs) => {
      const id = toBytea(idOf(at));
      return write(async (offset): Promise<CounterState> => {
        const [row] = await session.query<{ count: number; ends_at: number }>(sql.add(id, amount, windowMs));
        return { count: row?.count ?? 0, endsAt: (row?.ends_at ?? 0) - offset };
      });
    },
    logs: {
      async write({ tenant, log, name, value, expiresAt }) {
        const entry = { log: logId(tenant, log), name: toName(name), value: encodeValue(value) };
        return write((offset) => logInBatch({ ...entry, expires_at: expiresAt + offset }));
      },
      read: ({ tenant, log }) =>
        whenReady(async () => {
          const rows = await session.query<Pick<StoredRow, 'value'>>(sql.readLog(logId(tenant, log)), true);
          return rows.map(({ value }) => JSON.parse(value) as JsonValue);
        }),
    },
    signals: { send: (name) => write(() => signals.send(name)), hear: (name, listener) => whenReady(() => signals.hear(name, listener)) },
    sweep: () =>
      whenReady(async () => {
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

/** Gives a record with its moments by the clock of this process. */
function toOwnTime(record: StoredRecord, offset: number): StoredRecord {
  return offset === 0 || record.expiresAt === undefined ? record : { ...record, expiresAt: record.expiresAt - offset };
}

/** A name of fixed size: an index cannot hold long keys. */
function idOf({ space, tenant, key }: RecordKey): string {
  return digest(space, tenant, key);
}

function digest(...words: string[]): string {
  return hash('sha256', JSON.stringify(words));
}

/** Names all records of a space and tenant that have a label; none for all that are indexed. */
function termOf(space: string, tenant: string, label: string | undefined): string {
  return digest(space, tenant, ...(label === undefined ? [] : ['label', label])).slice(0, 32);
}

function logId(tenant: string, log: string): string {
  return digest('log', tenant, log).slice(0, 32);
}

/** A name that an index can hold. Text that was encoded has no tab, so that no other name is taken for a long one. */
function toName(name: string): string {
  return name.length > 200 ? `\t${digest(name)}` : encodeText(name);
}

function toIndex({ space, tenant, index }: RecordDraft): PostgresPut['index'] {
  if (index === undefined) return undefined;
  const terms = new Set([undefined, ...index.labels].map((label) => termOf(space, tenant, label)));
  return { at: index.at, terms: `{${[...terms].join(',')}}`, row: encodeValue(index.row) };
}

function toBytea(hex: string): string {
  return `\\x${hex}`;
}
