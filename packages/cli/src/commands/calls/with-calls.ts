import type { GuardedCallsToolbox as ServedToolbox } from '@toolpact/server';
import { createToolbox } from 'toolpact';
import type { Guard, Store } from 'toolpact/extend';
import { CliError } from '../../cli-error.ts';
import { toolSource } from '../../load/tool-source.ts';
import { closeToolbox } from '../../load/wire-toolbox.ts';
import type { Given } from '../command.ts';
import { tenantOf } from './tenant-of.ts';
import { withStore } from './with-store.ts';

/**
 * Runs with what keeps the calls of this project: the toolbox that the named tool files export, with its own guards, store or engine; otherwise
 * the given guards on the store that the settings name. Files are loaded only where they are named: a store can be read without its tools.
 */
export async function withCalls<TMethods extends object, TResult>(
  given: Given,
  { guards, methods }: { readonly guards: (store: Store) => readonly Guard[]; readonly methods: readonly (keyof TMethods & string)[] },
  run: (toolbox: TMethods) => Promise<TResult>,
): Promise<TResult> {
  const loaded = given.settings.setBy.has('tools') ? await toolSource(given, []).load() : undefined;
  const own = loaded?.toolbox;
  if (own === undefined)
    return withStore(given, (store) =>
      run(createToolbox([], { use: guards(store), report: () => undefined }).with(tenantOf(given)) as TMethods),
    );
  const missing = methods.find((name) => own[name as keyof ServedToolbox] === undefined);
  try {
    if (missing !== undefined)
      throw new CliError(`The toolbox of this project cannot do this: no guard of it gives it \`${missing}\`.`, {
        fix: 'Add journal({ store }), approvals({ store }) or onRestate to it.',
      });
    return await run(own.with(tenantOf(given)) as TMethods);
  } finally {
    await closeToolbox(own);
  }
}
