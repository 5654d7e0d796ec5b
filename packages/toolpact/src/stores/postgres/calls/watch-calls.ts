import { hash } from 'node:crypto';
import type { Ledger } from '../../../ports/index.ts';
import { type StopTimer, systemClock } from '../../../time/index.ts';
import { isLongName, readBoundedName } from '../bounded-name.ts';
import type { PgPool } from '../pg-pool.ts';
import type { PostgresNames } from '../postgres-schema.ts';

/** Hears of changes of calls, and stops when its store is closed. */
export interface CallWatch {
  /** The channel on which statements tell which call they have changed. */
  readonly channel: string;
  readonly watch: Ledger['watch'];
  readonly close: () => void;
}

/** How often those who watch are told to look although nothing was heard: where no connection stands for that, and where one does, over which something may get lost. */
const lookEveryMs = { unheard: 1_000, heard: 5_000 };
/** How long a connection without listeners is kept: the next call needs it again. */
const lingerMs = 5_000;

/**
 * Creates the watch of a store over LISTEN and NOTIFY. Whoever watches shares one connection of the pool, which is made in the background and keeps
 * no process alive; where there is none, all look now and then. `getPool` gives no pool where it has no connection to spare.
 */
export function createCallWatch({ meta }: PostgresNames, getPool: () => Promise<PgPool | undefined>): CallWatch {
  type Listener = Parameters<Ledger['watch']>[0];
  // A channel is for all stores of one database; its name may have 63 bytes.
  const channel = `toolpact_${hash('sha256', meta).slice(0, 32)}_calls`;
  const listeners = new Set<{ readonly tell: Listener }>();
  let connection: Promise<(() => void) | undefined> | undefined;
  let isHeard = false;
  let isClosed = false;
  let stopTimer: StopTimer | undefined;
  let stopLinger: StopTimer | undefined;

  const tell = (...told: Parameters<Listener>): void => {
    for (const listener of listeners) {
      try {
        listener.tell(...told);
      } catch {
        // Whoever hears badly must not keep others from hearing.
      }
    }
  };
  /** Returns the function that gives the connection back. One that has listened must not go back into the pool. */
  const listen = async (onLost: () => void): Promise<(() => void) | undefined> => {
    const pool = await getPool();
    if (pool === undefined) return undefined;
    const client = await pool.connect();
    let isOpen = true;
    const giveBack = (): void => {
      if (isOpen) client.release(true);
      isOpen = false;
    };
    client.on('error', () => {
      if (isOpen) onLost();
      giveBack();
    });
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (from === channel) tell(toPlace(payload));
    });
    try {
      await client.query({ text: `LISTEN ${channel}` });
    } catch (error) {
      giveBack();
      throw error;
    }
    client.unref?.();
    return giveBack;
  };
  /** Creates the connection. One that cannot be made, or is lost, is made again with the next look. */
  const hear = (): void => {
    if (isClosed || connection !== undefined) return;
    const forget = (): void => {
      if (connection !== own) return;
      connection = undefined;
      isHeard = false;
    };
    const own = listen(forget).then(
      (giveBack) => {
        isHeard = giveBack !== undefined && connection === own;
        // Changes before the connection stood were not heard.
        tell(undefined);
        return giveBack;
      },
      () => {
        forget();
        return undefined;
      },
    );
    connection = own;
  };
  const hangUp = (): void => {
    void connection?.then((giveBack) => giveBack?.());
    connection = undefined;
    isHeard = false;
  };
  const begin = (): void => {
    stopLinger?.();
    hear();
    let silentMs = 0;
    stopTimer = systemClock.every(
      lookEveryMs.unheard,
      () => {
        hear();
        silentMs += lookEveryMs.unheard;
        if (isHeard && silentMs < lookEveryMs.heard) return;
        silentMs = 0;
        tell(undefined);
      },
      { background: true },
    );
  };
  const end = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    stopLinger = systemClock.after(lingerMs, hangUp, { background: true });
  };
  return {
    channel,
    watch(listener) {
      const own = { tell: listener };
      listeners.add(own);
      if (stopTimer === undefined) begin();
      return () => {
        if (listeners.delete(own) && listeners.size === 0) end();
      };
    },
    close() {
      isClosed = true;
      listeners.clear();
      stopTimer?.();
      stopLinger?.();
      hangUp();
    },
  };
}

/** Reads which call a statement has told of; undefined where only its hash is there. */
function toPlace(told: string): { readonly tenant: string; readonly id: string } | undefined {
  const [tenant = '', id = ''] = JSON.parse(told) as readonly string[];
  return isLongName(tenant) || isLongName(id) ? undefined : { tenant: readBoundedName(tenant, null), id: readBoundedName(id, null) };
}
