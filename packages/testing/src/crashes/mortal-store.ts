import type { Store } from 'toolpact/extend';

/** A store as one process sees it, until that process dies. */
export interface MortalStore {
  readonly store: Store;
  /** From now on nothing that this process asks for is done or answered. */
  readonly die: () => void;
}

type Method = (...given: never[]) => unknown;

/** Gives a process its own view of a store that outlives it. */
export function mortalStore(store: Store): MortalStore {
  let isDead = false;
  const mortal =
    (run: Method): Method =>
    async (...given) =>
      isDead ? new Promise(() => undefined) : run(...given);
  const mortalAll = (methods: object): object =>
    Object.fromEntries(Object.entries(methods).map(([name, run]) => [name, name === 'watch' ? run : mortal(run as Method)]));
  const { get, put, remove, add } = store;
  return {
    store: {
      ...store,
      ...(mortalAll({ get, put, remove, add }) as Pick<Store, 'get' | 'put' | 'remove' | 'add'>),
      ...(store.calls !== undefined && { calls: mortalAll(store.calls) as NonNullable<Store['calls']> }),
    },
    die() {
      isDead = true;
    },
  };
}
