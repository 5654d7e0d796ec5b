import type { Store } from 'toolpact/extend';
import { openStore } from '../../load/open-store.ts';
import type { Given } from '../command.ts';

/** Runs with the store that the settings name, and closes it. */
export async function withStore<TResult>({ settings, terminal }: Given, run: (store: Store) => Promise<TResult>): Promise<TResult> {
  const store = await openStore(settings.store, terminal.cwd);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}
