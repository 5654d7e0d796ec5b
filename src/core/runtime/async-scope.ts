/** The calls to which the running code belongs. */
interface Scope {
  /** The call whose step it belongs to. */
  readonly step?: object;
  /** How many calls it lies in. */
  readonly depth?: number;
}

/** The part of `AsyncLocalStorage` that is used. */
interface Storage {
  readonly getStore: () => Scope | undefined;
  readonly run: <TValue>(scope: Scope, fn: () => TValue) => TValue;
}

let storage: Storage | false | undefined;

/** Finds the host's own way to follow asynchronous code, which Node, Bun and Deno have. Elsewhere a scope ends with the first `await`. */
function findStorage(): Storage | false {
  const host = (globalThis as { process?: { getBuiltinModule?: (id: string) => { AsyncLocalStorage?: new () => Storage } | undefined } })
    .process;
  const Found = host?.getBuiltinModule?.('async_hooks')?.AsyncLocalStorage;
  return Found !== undefined && new Found();
}

/** The scope of synchronous code, where the host has no way to follow asynchronous code. */
let current: Scope | undefined;

/** Gives the scope of the code that runs now. */
export function currentScope(): Scope | undefined {
  return storage ? storage.getStore() : current;
}

/** Runs a function, and all that it starts, in a scope. */
export function runInScope<TValue>(scope: Scope, fn: () => TValue): TValue {
  storage ??= findStorage();
  if (storage) return storage.run(scope, fn);
  const before = current;
  current = scope;
  try {
    return fn();
  } finally {
    current = before;
  }
}
