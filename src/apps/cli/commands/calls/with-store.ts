import { catalogue, type FailureKind, isFailureKind } from '../../../../core/outcome/index.ts';
import type { Store } from '../../../../core/runtime/index.ts';
import { createClient } from '../../../../edges/client/index.ts';
import { usageError } from '../../cli-error.ts';
import { openStore } from '../../load/open-store.ts';
import { didYouMean } from '../../settings/did-you-mean.ts';
import { flagOf } from '../../settings/settings.ts';
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

/** Makes the client of the server that `--url` names; undefined without the flag. */
export function clientOf({ flags, settings, terminal }: Given): ReturnType<typeof createClient> | undefined {
  const url = flags.get('url') as string | undefined;
  if (url === undefined) return undefined;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw usageError(`--url must be an address such as http://127.0.0.1:8787, not ${JSON.stringify(url)}.`);
  const idle = [...settings.setBy].find(([, source]) => source === 'flag')?.[0];
  if (idle !== undefined) throw usageError(`--${flagOf(idle)} has no meaning with --url: the server decides that.`);
  const { TOOLPACT_API_KEY: token = '' } = terminal.env;
  return createClient(url, { retry: false, ...(token !== '' && { token }) });
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
