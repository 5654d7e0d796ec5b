import type { Store, StoreLogs } from '../src/core/ports/index.ts';

/** A store as one process sees it. */
export interface MortalStore extends Store {
  /** From now on nothing of what this process asks is done or answered, as if it were dead or stopped. */
  readonly stop: () => void;
  /** What was asked meanwhile is done now, and answered. */
  readonly wake: () => void;
}

/** Makes a process of its own out of those that share a store in one test. */
export function mortalStore(store: Store): MortalStore {
  let stopped: { readonly until: Promise<void>; readonly wake: () => void } | undefined;
  const whileAlive =
    (run: (...given: never[]) => unknown) =>
    async (...given: never[]): Promise<unknown> => {
      await stopped?.until;
      return run(...given);
    };
  const operations = ['get', 'put', 'remove', 'list', 'find', 'add'] as const;
  const own = operations.map((name) => [name, whileAlive(store[name] as never)]);
  const logs = store.logs && Object.fromEntries(Object.entries(store.logs).map(([name, run]) => [name, whileAlive(run as never)]));
  return {
    ...store,
    ...Object.fromEntries(own),
    ...(logs && { logs: logs as unknown as StoreLogs }),
    stop() {
      const { promise, resolve } = Promise.withResolvers<void>();
      stopped = { until: promise, wake: resolve };
    },
    wake() {
      stopped?.wake();
      stopped = undefined;
    },
  };
}
