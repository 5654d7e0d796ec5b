import { fail } from 'toolpact';
import { systemClock } from 'toolpact/internal';
import type { Client } from './client.ts';

/** The calls that run now. */
export interface InFlight {
  /** Whether no more calls are taken. */
  readonly draining: boolean;
  readonly count: number;
  /** Counts a piece of work until its promise is settled. Its client is stopped when the server cannot wait any longer. */
  readonly run: <TValue>(client: Client, work: () => Promise<TValue>) => Promise<TValue>;
  /** The same for a request that only waits: its signal also fires as soon as no more calls are taken. */
  readonly wait: <TValue>(client: Client, work: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
  /** Takes no more calls, waits until those that run have ended, and stops them when the time is over. Resolves when all have ended. */
  readonly drain: (drainMs: number) => Promise<void>;
}

/** Calls that were stopped may take so long to answer; after that they are left behind. */
const lastMs = 5_000;

/** Counts calls that run. */
export function createInFlight(): InFlight {
  // One client may have several pieces of work, so each is an object of its own.
  const running = new Set<{ readonly client: Client }>();
  const drained = new AbortController();
  let draining = false;
  let stopped = false;
  let wake: (() => void) | undefined;

  const run: InFlight['run'] = async (client, start) => {
    const work = { client };
    running.add(work);
    if (stopped) client.stop(stopReason());
    try {
      return await start();
    } finally {
      running.delete(work);
      if (running.size === 0) wake?.();
    }
  };
  const idle = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (running.size === 0) return resolve();
      const stopTimer = systemClock.after(ms, resolve);
      wake = () => {
        stopTimer();
        resolve();
      };
    });
  return {
    get draining() {
      return draining;
    },
    get count() {
      return running.size;
    },
    run,
    wait: (client, work) => run(client, () => work(AbortSignal.any([client.signal, drained.signal]))),
    async drain(drainMs) {
      draining = true;
      drained.abort();
      await idle(drainMs);
      if (running.size === 0) return;
      stopped = true;
      for (const { client } of running) client.stop(stopReason());
      await idle(lastMs);
    },
  };
}

function stopReason(): Error {
  return fail('interrupted', 'The server was shut down before this call had finished.');
}
