import { hash } from 'node:crypto';
import type { StoreSignals } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import type { PgPool } from './pg-pool.ts';
import type { PgSession } from './pg-session.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** Signals of a store, and what gives its connection back. */
export interface PgSignals extends StoreSignals {
  readonly close: () => void;
}

/** How long a connection without listeners is kept: the next call needs it again. */
const lingerMs = 5_000;
const reconnectMs = 1_000;

/** Creates signals over LISTEN and NOTIFY. One connection of the pool hears for all, while any listens; it keeps no process alive. */
export function createPgSignals(getPool: () => Promise<PgPool>, session: PgSession, { meta }: PostgresNames): PgSignals {
  // A channel is for all stores of one database; its name may have 63 bytes.
  const channel = `toolpact_${hash('sha256', meta).slice(0, 32)}`;
  const listeners = new Map<string, Set<() => void>>();
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
    client.on('notification', ({ payload = '' }) => {
      for (const hear of listeners.get(payload) ?? []) hear();
    });
    try {
      await client.query({ text: `LISTEN ${channel}` });
    } catch (error) {
      giveBack();
      throw error;
    }
    client.unref?.();
    return giveBack;
  }

  function begin(): Promise<() => void> {
    listening ??= listen().catch((error: unknown) => {
      listening = undefined;
      throw error;
    });
    return listening;
  }

  /** What was sent while there was no connection is lost, so all look again once there is one. */
  function lose(): void {
    listening = undefined;
    if (isClosed || listeners.size === 0) return;
    begin().then(
      () => {
        for (const own of listeners.values()) for (const hear of own) hear();
      },
      () => systemClock.after(reconnectMs, lose, { background: true }),
    );
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
    async hear(name, listener) {
      stopLinger?.();
      const own = listeners.get(name) ?? new Set();
      listeners.set(name, own.add(listener));
      const stop = (): void => {
        own.delete(listener);
        if (own.size === 0) listeners.delete(name);
        if (listeners.size > 0) return;
        stopLinger?.();
        stopLinger = systemClock.after(lingerMs, end, { background: true });
      };
      try {
        await begin();
      } catch (error) {
        stop();
        throw error;
      }
      return stop;
    },
    close() {
      isClosed = true;
      stopLinger?.();
      listeners.clear();
      end();
    },
  };
}
