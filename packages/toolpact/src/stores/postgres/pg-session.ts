import { sleep } from '../../time/index.ts';
import type { PgClient, PgPool, PgQuery } from './pg-pool.ts';

/** Talks to a server that may go away and come back. */
export interface PgSession {
  /**
   * Sends one statement. Waits for a server that cannot be reached, because nothing was sent yet. Where the connection breaks later, only
   * what may be repeated is sent again; whether anything else was done is not known, so it is rejected.
   */
  readonly query: <TRow>(query: PgQuery, mayRepeat?: boolean) => Promise<readonly TRow[]>;
  /** Runs several statements on one connection. */
  readonly withClient: <T>(run: (client: PgClient) => Promise<T>) => Promise<T>;
  /** Returns why the server cannot be reached now; undefined where it can. */
  readonly trouble: () => unknown;
}

/** Creates a session over a pool. */
export function createPgSession(getPool: () => Promise<PgPool>, reconnectMs: number): PgSession {
  let trouble: unknown;
  /** Tries until it succeeds, fails in a way that should not be repeated, or the time is up. */
  const persist = async <T>(attempt: (pool: PgPool) => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> => {
    const giveUpAt = performance.now() + reconnectMs;
    for (let waitMs = 10; ; waitMs = Math.min(waitMs * 2, 250)) {
      try {
        const done = await attempt(await getPool());
        trouble = undefined;
        return done;
      } catch (error) {
        // A server that refuses a statement is there.
        trouble = isRefusal(error) ? undefined : error;
        if (!mayRepeat(error) || performance.now() + waitMs > giveUpAt) throw error;
        await sleep(waitMs);
      }
    }
  };

  return {
    trouble: () => trouble,
    async query<TRow>(query: PgQuery, mayRepeat = false) {
      const { rows } = await persist((pool) => pool.query(query), mayRepeat ? mayRead : mayWrite);
      return rows as readonly TRow[];
    },
    async withClient(run) {
      const client = await persist((pool) => pool.connect(), mayRead);
      let isBroken = false;
      // The query that is under way is rejected too; an error event without a listener would end the process.
      client.on('error', ignore);
      try {
        return await run(client);
      } catch (error) {
        isBroken = isConnectionLoss(error);
        throw error;
      } finally {
        client.removeListener('error', ignore);
        client.release(isBroken);
      }
    },
  };
}

/** No connection could be made: nothing was sent. */
const unreached = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOENT|57P03|53300)$/;
const unreachedWords = /timeout exceeded when trying to connect|terminated due to connection timeout/i;
/** The server took the statement back, because another was in its way. */
const undone = /^(40001|40P01)$/;
/** A connection was there and went away. */
const lost = /^(08...|57P0.|ECONNRESET|EPIPE|ETIMEDOUT)$/;
const lostWords = /connection (terminated|ended)|not queryable|read timeout/i;

function mayWrite(error: unknown): boolean {
  return undone.test(codeOf(error)) || unreached.test(codeOf(error)) || unreachedWords.test(messageOf(error));
}

function mayRead(error: unknown): boolean {
  return mayWrite(error) || isConnectionLoss(error);
}

/** Checks whether the connection went away, so that the fate of the statement is not known. */
export function isConnectionLoss(error: unknown): boolean {
  return codeOf(error) === '' ? lostWords.test(messageOf(error)) : lost.test(codeOf(error));
}

/** Checks whether the server has refused a statement for what it says. */
export function isRefusal(error: unknown): boolean {
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(codeOf(error)) && !mayRead(error);
}

/** Checks whether a row was in the way that another transaction has added. */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

function messageOf(error: unknown): string {
  return String((error as { message?: unknown } | null)?.message);
}

function ignore(): void {}
