import type { Store } from 'toolpact/extend';
import { expectArgument, refuseOptions, sleep } from 'toolpact/internal';
import { type Finding, runChecks } from '../define-check.ts';
import { storeChecks } from './store-checks.ts';

/** How time passes for the store that is judged. */
export interface CheckStoreOptions {
  /** The time by which records of the store expire. @default Date.now */
  readonly now?: () => number;
  /** Lets time pass; only ever some tens of milliseconds. @default waits */
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * Judges a store, one of ours or of anyone else. `createStore` opens it; opened again after it was closed, a durable store must still have
 * its records. Everything is written for tenants whose names begin with `check-store`, so a shared database may be used.
 */
export function checkStore(createStore: () => Store | Promise<Store>, options: CheckStoreOptions = {}): Promise<readonly Finding[]> {
  refuseOptions<CheckStoreOptions>('checkStore', options, { now: true, wait: true });
  expectArgument(typeof createStore === 'function', 'checkStore takes a function that makes a store');
  const { now = Date.now, wait = sleep } = options;
  return runChecks(storeChecks, { createStore: async () => createStore(), now, wait });
}
