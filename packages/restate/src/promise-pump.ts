import { nextTurn } from 'toolpact/internal';
import type { RestatePromise, RestateSdk } from './restate-sdk.ts';

/** Waits for what Restate keeps, in the order in which Restate has it. */
export interface PromisePump {
  readonly wait: <TValue>(promise: RestatePromise<TValue>) => Promise<TValue>;
  /** The same for what runs here: it can be made to end. */
  readonly waitForRun: <TValue>(promise: RestatePromise<TValue>) => Promise<TValue>;
  /** Forgets what does not run here, and resolves when Restate has the ends of what does. */
  readonly drain: () => Promise<void>;
}

interface Waiter {
  readonly isRun: boolean;
  readonly promise: RestatePromise<Settled>;
  readonly resolve: (value: never) => void;
  readonly reject: (failure: Error) => void;
}

interface Settled {
  readonly id: number;
  readonly value: unknown;
  readonly failure: Error | undefined;
}

/**
 * Makes ordinary promises of Restate's, so that steps may run in parallel with `Promise.all`. Restate replays a call by the order of its
 * journal, and only its own `race` gives ends in that order; so one race is under way at a time, and after each end the code that waited
 * for it goes on until it waits again. A cancellation ends no promise: it is reported, and the steps under way end as they do.
 */
export function createPromisePump({ RestatePromise, CancelledError }: RestateSdk, onCancel: () => void): PromisePump {
  const open = new Map<number, Waiter>();
  let last = 0;
  let isPumping = false;
  let onDrained: (() => void) | undefined;

  async function pump(): Promise<void> {
    for (; open.size > 0; await nextTurn()) {
      try {
        const { id, value, failure } = await RestatePromise.race([...open.values()].map(({ promise }) => promise));
        const waiter = open.get(id);
        open.delete(id);
        if (failure === undefined) waiter?.resolve(value as never);
        else waiter?.reject(failure);
        if (open.size === 0) onDrained?.();
      } catch (thrown) {
        if (!(thrown instanceof CancelledError)) throw thrown;
        onCancel();
      }
    }
    isPumping = false;
  }

  function add<TValue>(promise: RestatePromise<TValue>, isRun: boolean): Promise<TValue> {
    return new Promise((resolve, reject) => {
      last += 1;
      const id = last;
      open.set(id, { isRun, promise: promise.map((value, failure) => ({ id, value, failure })), resolve: resolve as never, reject });
      if (isPumping) return;
      isPumping = true;
      // Steps that begin in the same turn are waited for together.
      void nextTurn().then(pump);
    });
  }

  return {
    wait: (promise) => add(promise, false),
    waitForRun: (promise) => add(promise, true),
    drain: () =>
      new Promise((resolve) => {
        for (const [id, { isRun }] of open) if (!isRun) open.delete(id);
        if (open.size === 0) resolve();
        else onDrained = resolve;
      }),
  };
}
