import { fail } from '../../../core/outcome/index.ts';

/** The calls that run now. */
export interface InFlight {
  /** Whether no more calls are taken. */
  readonly draining: boolean;
  readonly count: number;
  /** Counts a piece of work until it ends, and runs it under a signal that fires when its caller goes away or the server cannot wait any longer. */
  readonly run: <TValue>(caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
  /** The same for somebody who only waits: taking no more calls ends the waiting at once. */
  readonly wait: <TValue>(caller: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
  /** Counts a piece of work until the function given back is called, for those who have a signal of their own. */
  readonly enter: () => () => void;
  /** Makes a controller of one's own stop with the server; the function given back undoes that. */
  readonly hold: (controller: AbortController) => () => void;
  /** Takes no more calls, waits until those that run have ended, and stops them when the time is over. Resolves when all have ended. */
  readonly drain: (drainMs: number) => Promise<void>;
}

/** For so long calls that were stopped may take to answer; after that they are left behind. */
const lastMs = 5_000;

/** Counts calls that run. */
export function createInFlight(): InFlight {
  const controllers = new Set<AbortController>();
  const waiters = new Set<AbortController>();
  let count = 0;
  let draining = false;
  let stopped = false;
  let wake: (() => void) | undefined;
  const leave = (): void => {
    count -= 1;
    if (count === 0) wake?.();
  };
  const hold = (controller: AbortController): (() => void) => {
    controllers.add(controller);
    if (stopped) controller.abort(stopReason());
    return () => void controllers.delete(controller);
  };
  const run: InFlight['run'] = async (caller, work) => {
    const controller = new AbortController();
    const release = hold(controller);
    const stop = (): void => controller.abort(caller?.reason);
    if (caller?.aborted === true) stop();
    else caller?.addEventListener('abort', stop, { once: true });
    count += 1;
    try {
      return await work(controller.signal);
    } finally {
      caller?.removeEventListener('abort', stop);
      release();
      leave();
    }
  };
  const idle = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      if (count === 0) return resolve();
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
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
    enter() {
      count += 1;
      let left = false;
      return () => {
        if (!left) leave();
        left = true;
      };
    },
    hold,
    run,
    async wait(caller, work) {
      const controller = new AbortController();
      if (draining) controller.abort();
      waiters.add(controller);
      try {
        return await run(caller === undefined ? controller.signal : AbortSignal.any([caller, controller.signal]), work);
      } finally {
        waiters.delete(controller);
      }
    },
    async drain(drainMs) {
      draining = true;
      for (const waiter of waiters) waiter.abort();
      await idle(drainMs);
      if (count === 0) return;
      stopped = true;
      for (const controller of controllers) controller.abort(stopReason());
      await idle(lastMs);
    },
  };
}

function stopReason(): Error {
  return fail('interrupted', 'The server was shut down before this call had finished.');
}
