/** Carries a value along with asynchronous code: the part of Node's `AsyncLocalStorage` that is used here. */
export interface AsyncStorage<TValue> {
  readonly getStore: () => TValue | undefined;
  /** Runs a function, and all that it starts, with a value. */
  readonly run: <TResult>(value: TValue, run: () => TResult) => TResult;
}

interface Host {
  readonly process?: {
    readonly getBuiltinModule?: (id: string) => { readonly AsyncLocalStorage?: new <TValue>() => AsyncStorage<TValue> } | undefined;
  };
}

/**
 * Creates a storage that follows asynchronous code. Node, Bun, Deno and workerd have one; undefined in browsers. It is asked for at run time,
 * because an import of `node:async_hooks` would keep everything that imports it out of browsers.
 */
export function createAsyncStorage<TValue>(): AsyncStorage<TValue> | undefined {
  const Storage = (globalThis as Host).process?.getBuiltinModule?.('node:async_hooks')?.AsyncLocalStorage;
  return Storage && new Storage<TValue>();
}
