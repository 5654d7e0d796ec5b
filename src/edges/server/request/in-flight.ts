import { fail } from '../../../core/outcome/index.ts';
import { systemClock } from '../../../core/time/index.ts';
import type { Stoppable } from './client.ts';

/** A piece of work that is counted. One client may have several. */
export interface Work {
  readonly client: Stoppable;
  /** Its place among the work that runs. */
  place: number;
}

/** The calls that run now. */
export interface InFlight {
  /** Whether no more calls are taken. */
  readonly draining: boolean;
  readonly count: number;
  /** Counts a piece of work until it is given to `leave`. It is stopped when the server cannot wait any longer. */
  readonly enter: (work: Work) => void;
  readonly leave: (work: Work) => void;
  /** Counts a piece of work until its promise is settled. */
  readonly run: <TValue>(client: Stoppable, work: () => Promise<TValue>) => Promise<TValue>;
  /** The same for a request that only waits: its signal also fires as soon as no more calls are taken. */
  readonly wait: <TValue>(client: Stoppable, work: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
  /** Takes no more calls, waits until those that run have ended, and stops them when the time is over. Resolves when all have ended. */
  readonly drain: (drainMs: number) => Promise<void>;
}

/** Calls that were stopped may take so long to answer; after that they are left behind. */
const lastMs = 5_000;

/** Counts calls that run. */
export function createInFlight(): InFlight {
  const running: (Work | undefined)[] = [];
  // By hand, for the same reason as the listeners of a client.
  let count = 0;
  const drained = new AbortController();
  let draining = false;
  let stopped = false;
  let wake: (() => void) | undefined;

  const enter = (work: Work): void => {
    work.place = count;
    running[count] = work;
    count += 1;
    if (stopped) work.client.stop(stopReason());
  };
  const leave = (work: Work): void => {
    count -= 1;
    const last = running[count];
    running[count] = undefined;
    if (last !== undefined && last !== work) {
      running[work.place] = last;
      last.place = work.place;
    }
    if (count === 0) wake?.();
  };
  const run: InFlight['run'] = async (client, start) => {
    const work = { client, place: 0 };
    enter(work);
    try {
      return await start();
    } finally {
      leave(work);
    }
  };
  const idle = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (count === 0) return resolve();
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
      return count;
    },
    enter,
    leave,
    run,
    wait: (client, work) => run(client, () => work(AbortSignal.any([client.signal, drained.signal]))),
    async drain(drainMs) {
      draining = true;
      drained.abort();
      await idle(drainMs);
      if (count === 0) return;
      stopped = true;
      for (const work of running.slice(0, count)) work?.client.stop(stopReason());
      await idle(lastMs);
    },
  };
}

function stopReason(): Error {
  return fail('interrupted', 'The server was shut down before this call had finished.');
}
