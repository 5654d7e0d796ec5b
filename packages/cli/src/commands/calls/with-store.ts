import type { Store } from 'toolpact/extend';
import { isMissingFile, openStore } from '../../load/open-store.ts';
import type { Given } from '../command.ts';

/** Runs with the store that the settings name, and closes it. */
export async function withStore<TResult>({ settings, terminal, flags }: Given, run: (store: Store) => Promise<TResult>): Promise<TResult> {
  // A command that only looks makes no file; what follows calls waits for those to come.
  const isMissing = flags.get('follow') !== true && isMissingFile(settings.store, terminal.cwd);
  const store = await openStore(isMissing ? 'memory' : settings.store, terminal.cwd);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}
