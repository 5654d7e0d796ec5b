/** Runs that others may wait for, by name. */
export interface SingleFlight<TValue> {
  /** Begins a run; gives what ends it for all who wait, with its value, or with undefined when there is none for them. Only the first end counts. */
  readonly start: (key: string) => (value: TValue | undefined) => void;
  /** Waits for a run, at most until the signal fires; undefined when there is none. */
  readonly join: (key: string, signal: AbortSignal) => Promise<TValue | undefined> | undefined;
}

/** Creates a list of runs. It holds only those that have not ended. */
export function createSingleFlight<TValue>(): SingleFlight<TValue> {
  const flights = new Map<string, Set<(value: TValue | undefined) => void>>();
  return {
    start(key) {
      const waiting = new Set<(value: TValue | undefined) => void>();
      flights.set(key, waiting);
      return (value) => {
        if (flights.get(key) !== waiting) return;
        flights.delete(key);
        for (const go of waiting) go(value);
      };
    },
    join(key, signal) {
      const waiting = flights.get(key);
      return (
        waiting &&
        new Promise((resolve) => {
          const leave = (): void => go(undefined);
          const go = (value: TValue | undefined): void => {
            waiting.delete(go);
            signal.removeEventListener('abort', leave);
            resolve(value);
          };
          waiting.add(go);
          if (signal.aborted) leave();
          else signal.addEventListener('abort', leave, { once: true });
        })
      );
    },
  };
}
