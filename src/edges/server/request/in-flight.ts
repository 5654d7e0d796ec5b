import { fail } from '../../../core/outcome/index.ts';
import { systemClock } from '../../../core/time/index.ts';

/** What runs for a caller and can be stopped. */
export interface Stoppable {
  readonly signal: AbortSignal;
  readonly stop: (reason: Error) => void;
}

/** The calls that run now. */
export interface InFlight {
  /** Whether no more calls are taken. */
  readonly draining: boolean;
  readonly count: number;
  /** Counts a piece of work until it ends. It is stopped when the server cannot wait any longer. */
  readonly run: <TValue>(caller: Stoppable, work: () => Promise<TValue>) => Promise<TValue>;
  /** The same for a request that only waits: its signal also fires as soon as no more calls are taken. */
  readonly wait: <TValue>(caller: Stoppable, work: (signal: AbortSignal) => Promise<TValue>) => Promise<TValue>;
  /** Takes no more calls, waits until those that run have ended, and stops them when the time is over. Resolves when all have ended. */
  readonly drain: (drainMs: number) => Promise<void>;
}

/** Calls that were stopped may take so long to answer; after that they are left behind. */
const lastMs = 5_000;

/** Counts calls that run. */
export function createInFlight(): InFlight {
  const running = new Set<{ readonly caller: Stoppable }>();
  const drained = new AbortController();
  let stopped = false;
  let wake: (() => void) | undefined;

  const run: InFlight['run'] = (caller, work) => {
    const entry = { caller };
    running.add(entry);
    if (stopped) caller.stop(stopReason());
    const leave = (): void => {
      running.delete(entry);
      if (running.size === 0) wake?.();
    };
    return work().finally(leave);
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
      return drained.signal.aborted;
    },
    get count() {
      return running.size;
    },
    run,
    wait: (caller, work) => run(caller, () => work(AbortSignal.any([caller.signal, drained.signal]))),
    async drain(drainMs) {
      drained.abort();
      await idle(drainMs);
      if (running.size === 0) return;
      stopped = true;
      for (const { caller } of running) caller.stop(stopReason());
      await idle(lastMs);
    },
  };
}

/** Makes something stoppable of a signal that fires when its caller is gone. */
export function toStoppable(signal: AbortSignal | undefined): Stoppable & { readonly release: () => void } {
  const controller = new AbortController();
  const forward = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) forward();
  else signal?.addEventListener('abort', forward, { once: true });
  return {
    signal: controller.signal,
    stop: (reason) => controller.abort(reason),
    release: () => signal?.removeEventListener('abort', forward),
  };
}

function stopReason(): Error {
  return fail('interrupted', 'The server was shut down before this call had finished.');
}
