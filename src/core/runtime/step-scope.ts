/** What is needed of `AsyncLocalStorage`. */
interface AsyncScope {
  readonly getStore: () => unknown;
  readonly run: <TValue>(store: unknown, fn: () => TValue) => TValue;
}

let scope: AsyncScope | false | undefined;

/**
 * Finds the host's own way to follow asynchronous code, which Node, Bun and Deno have. Elsewhere a step that begins inside another one after
 * an `await` is taken for one beside it.
 */
function findScope(): AsyncScope | false {
  const host = (globalThis as { process?: { getBuiltinModule?: (id: string) => { AsyncLocalStorage?: new () => AsyncScope } | undefined } })
    .process;
  try {
    const Storage = host?.getBuiltinModule?.('async_hooks')?.AsyncLocalStorage;
    return Storage !== undefined && new Storage();
  } catch {
    return false;
  }
}

/** Runs the function of a step so that a step begun inside it, also after an `await`, is recognised. */
export function runInsideStep<TValue>(call: object, fn: () => TValue): TValue {
  scope ??= findScope();
  return scope === false ? fn() : scope.run(call, fn);
}

/** Tells whether the running code belongs to a step of this call. */
export function isInsideStep(call: object): boolean {
  return scope !== undefined && scope !== false && scope.getStore() === call;
}
