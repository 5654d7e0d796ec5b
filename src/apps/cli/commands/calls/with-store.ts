import { catalogue, type FailureKind, isFailureKind } from '../../../../core/outcome/index.ts';
import type { Store } from '../../../../core/runtime/index.ts';
import { usageError } from '../../cli-error.ts';
import { openStore } from '../../load/open-store.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
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

/** The tenant that `--tenant` names, as a part of a context. */
export function tenantOf({ flags }: Given): { readonly tenantId?: string } {
  const tenantId = flags.get('tenant') as string | undefined;
  return tenantId === undefined ? {} : { tenantId };
}

/** Reads a kind of failure. */
export function readKind(kind: string): FailureKind {
  if (isFailureKind(kind)) return kind;
  throw usageError(`--kind must be a kind of failure, not ${JSON.stringify(kind)}.${didYouMean(kind, Object.keys(catalogue))}`);
}
