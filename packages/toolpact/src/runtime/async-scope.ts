import { type AsyncStorage, createAsyncStorage } from '../time/index.ts';

/** The calls to which the running code belongs. */
interface Scope {
  /** The call whose step it belongs to. */
  readonly step?: object;
  /** How many calls it lies in. */
  readonly depth?: number;
}

const storage: Pick<AsyncStorage<Scope>, 'getStore' | 'run'> = createAsyncStorage<Scope>() ?? createSynchronousStorage();

/** Returns the scope of the code that runs now. */
export function currentScope(): Scope | undefined {
  return storage.getStore();
}

/** Runs a function, and all that it starts, in a scope. In a browser the scope ends with the first `await` of the function. */
export function runInScope<TValue>(scope: Scope, run: () => TValue): TValue {
  return storage.run(scope, run);
}

/** Follows synchronous code, where the host has no way to follow asynchronous code. */
function createSynchronousStorage(): Pick<AsyncStorage<Scope>, 'getStore' | 'run'> {
  let current: Scope | undefined;
  return {
    getStore: () => current,
    run(scope, run) {
      const outer = current;
      current = scope;
      try {
        return run();
      } finally {
        current = outer;
      }
    },
  };
}
