import { hash } from 'node:crypto';
import { type StopTimer, systemClock } from '../../time/index.ts';
import type { PgPool } from './pg-pool.ts';
import type { PostgresNames } from './postgres-schema.ts';

/** Signals between the processes of a store. A signal is only a hint to look: it may get lost. */
export interface PgSignals {
  /** The channel on which statements tell which call they have changed. */
  readonly callChannel: string;
  /** Hears what is told of calls, once this resolves; undefined where something may have been missed. */
  readonly hearCalls: (listener: (told: string | undefined) => void) => Promise<() => void>;
  /** Gives the connection back. */
  readonly close: () => void;
}

/** How long a connection without listeners is kept: the next call needs it again. */
const lingerMs = 5_000;
const reconnectMs = 1_000;

/** Creates signals over LISTEN and NOTIFY. One connection of the pool hears for all, while any listens; it keeps no process alive. */
export function createPgSignals(getPool: () => Promise<PgPool>, { meta }: PostgresNames): PgSignals {
  // A channel is for all stores of one database; its name may have 63 bytes.
  const callChannel = `toolpact_${hash('sha256', meta).slice(0, 32)}_calls`;
  const listeners = new Set<(told: string | undefined) => void>();
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
    client.on('notification', ({ channel, payload = '' }) => {
      if (channel === callChannel) for (const hear of listeners) hear(payload);
    });
    try {
      await client.query({ text: `LISTEN ${callChannel}` });
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

  /** Reports that signals were lost: those sent without a connection are gone, so all look again once there is one. */
  function lose(): void {
    listening = undefined;
    if (isClosed || listeners.size === 0) return;
    begin().then(
      () => {
        for (const hear of listeners) hear(undefined);
      },
      () => systemClock.after(reconnectMs, lose, { background: true }),
    );
  }

  function linger(): void {
    if (listeners.size > 0) return;
    stopLinger?.();
    stopLinger = systemClock.after(lingerMs, end, { background: true });
  }

  function end(): void {
    const giveBack = listening;
    listening = undefined;
    giveBack?.then((give) => give()).catch(() => undefined);
  }

  return {
    callChannel,
    async hearCalls(listener) {
      listeners.add(listener);
      stopLinger?.();
      const stop = (): void => {
        listeners.delete(listener);
        linger();
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
