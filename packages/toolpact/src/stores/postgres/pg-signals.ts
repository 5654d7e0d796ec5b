import { hash } from 'node:crypto';
import type { StoreSignals } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import type { PgPool } from './pg-pool.ts';
import type { PgSession } from './pg-session.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** Signals of a store, and what gives its connection back. */
export interface PgSignals extends StoreSignals {
  /** The channel on which statements tell which call they have changed. */
  readonly callChannel: string;
  /** Hears what is told of calls, once this resolves; undefined where something may have been missed. */
  readonly hearCalls: (listener: (told: string | undefined) => void) => Promise<() => void>;
  readonly close: () => void;
}

/** How long a connection without listeners is kept: the next call needs it again. */
const lingerMs = 5_000;
const reconnectMs = 1_000;

/** Creates signals over LISTEN and NOTIFY. One connection of the pool hears for all, while any listens; it keeps no process alive. */
export function createPgSignals(getPool: () => Promise<PgPool>, session: PgSession, { meta }: PostgresNames): PgSignals {
  // A channel is for all stores of one database; its name may have 63 bytes.
  const channel = `toolpact_${hash('sha256', meta).slice(0, 32)}`;
  const callChannel = `${channel}_calls`;
  const listeners = new Map<string, Set<() => void>>();
  const callListeners = new Set<(told: string | undefined) => void>();
  let listening: Promise<() => void> | undefined;
  let stopLinger: StopTimer | undefined;
  let isClosed = false;

  /** Gives the function that gives the connection back. One that has listened must not go back into the pool. */
  async function listen(): Promise<() => void> {
    const client = await (await getPool()).connect();
    let isOpen = true;
    const giveBack = (): void => {
      if (isOpen) client.release(true);
      isOpen = false;
    };
    client.on('error', () => {
      if (isOpen) lose();
      giveBack();
    });
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (from === callChannel) for (const hear of callListeners) hear(payload);
      else for (const hear of listeners.get(payload) ?? []) hear();
    });
    try {
      await client.query({ text: `LISTEN ${channel}; LISTEN ${callChannel}` });
    } catch (error) {
      giveBack();
      throw error;
    }
    client.unref?.();
    return giveBack;
  }

  function begin(): Promise<() => void> {
    // A connection that is made now would keep its pool from ending.
    if (isClosed) return Promise.reject(new Error('The store is closed.'));
    listening ??= listen().catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    return listening;
  }

  /** What was sent while there was no connection is lost, so all look again once there is one. */
  function lose(): void {
    listening = undefined;
    if (isClosed || isUnheard()) return;
    begin().then(
      () => {
        for (const own of listeners.values()) for (const hear of own) hear();
        for (const hear of callListeners) hear(undefined);
      },
      () => systemClock.after(reconnectMs, lose, { background: true }),
    );
  }

  function isUnheard(): boolean {
    return listeners.size === 0 && callListeners.size === 0;
  }

  function linger(): void {
    if (!isUnheard()) return;
    stopLinger?.();
    stopLinger = systemClock.after(lingerMs, end, { background: true });
  }

  /** Keeps the connection while something is heard; gives what ends it. */
  async function hearWhile(stop: () => void): Promise<() => void> {
    stopLinger?.();
    const stopAndLinger = (): void => {
      stop();
      linger();
    };
    try {
      await begin();
    } catch (error) {
      stopAndLinger();
      throw error;
    }
    return stopAndLinger;
  }

  function end(): void {
    const giveBack = listening;
    listening = undefined;
    giveBack?.then((give) => give()).catch(() => undefined);
  }

  return {
    async send(name) {
      await session.query({ text: 'SELECT pg_notify($1, $2)', values: [channel, name] });
    },
    hear(name, listener) {
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      return hearWhile(() => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(name);
      });
    },
    callChannel,
    hearCalls(listener) {
      callListeners.add(listener);
      return hearWhile(() => callListeners.delete(listener));
    },
    close() {
      isClosed = true;
      stopLinger?.();
      listeners.clear();
      callListeners.clear();
      end();
    },
  };
}
