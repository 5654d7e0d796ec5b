import { createToolbox, type StoreMethods } from 'toolpact';
import { CliError } from '../../cli-error.ts';
import { toolSource } from '../../load/tool-source.ts';
import { closeToolbox } from '../../load/wire-toolbox.ts';
import type { Given } from '../command.ts';
import { tenantOf } from './tenant-of.ts';
import { withStore } from './with-store.ts';

/**
 * Runs with what remembers the calls of this project: the store of the toolbox that the named tool files export; otherwise the store that the
 * settings name, with the tools of these files. Files are loaded only where they are named: a store can be read without its tools.
 */
export async function withCalls<TResult>(given: Given, run: (toolbox: StoreMethods) => Promise<TResult>): Promise<TResult> {
  const loaded = given.settings.setBy.has('tools') ? await toolSource(given, []).load() : undefined;
  const own = loaded?.toolbox;
  if (own === undefined)
    return withStore(given, (store) => run(createToolbox(loaded?.tools ?? [], { store, report: () => undefined }).with(tenantOf(given))));
  try {
    const { calls, approvals } = own.with(tenantOf(given));
    if (calls === undefined || approvals === undefined)
      throw new CliError('The toolbox of this project remembers no calls: it has no store.', {
        fix: 'Give it one: createToolbox(tools, { store }).',
      });
    return await run({ calls, approvals });
  } finally {
    await closeToolbox(own);
  }
}
