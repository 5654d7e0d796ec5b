import type { Ledger, Store } from 'toolpact/extend';

/** A store that counts what is asked of its calls. */
export interface CountedLedger {
  readonly store: Store;
  readonly counts: Map<string, number>;
}

/** Counts what is asked of the calls of a store, by operation. */
export function countLedger(store: Store): CountedLedger {
  const counts = new Map<string, number>();
  const { watch, ...asks } = store.calls as Ledger;
  const counted = Object.entries(asks).map(([name, ask]) => [
    name,
    (...given: never[]) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return (ask as (...given: never[]) => unknown)(...given);
    },
  ]);
  return { store: { ...store, calls: { ...Object.fromEntries(counted), watch } as Ledger }, counts };
}
