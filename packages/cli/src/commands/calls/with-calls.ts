import { type CallFilter, createToolbox, type StoreMethods } from 'toolpact';
import { defaultRedactor } from 'toolpact/internal';
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
  const ownToolbox = loaded?.toolbox;
  if (ownToolbox === undefined)
    return withStore(given, (store) => {
      const methods = createToolbox(loaded?.tools ?? [], { store, report: () => undefined }).with(tenantOf(given));
      return sayWhereNothingWas(given, methods, run);
    });
  try {
    const { calls, approvals } = ownToolbox.with(tenantOf(given));
    if (calls === undefined || approvals === undefined)
      throw new CliError('The toolbox of this project has no store, so it does not record calls.', {
        fix: 'Give it one: createToolbox(tools, { store }).',
      });
    return await run({ calls, approvals });
  } finally {
    await closeToolbox(ownToolbox);
  }
}

/** Says which store was looked into, where nothing was found there: the calls of a program may be in a store of its own. */
async function sayWhereNothingWas<TResult>(
  { settings, terminal }: Given,
  { calls, approvals }: StoreMethods,
  run: (toolbox: StoreMethods) => Promise<TResult>,
): Promise<TResult> {
  let isMissed = false;
  const noted = async <TFound>(found: Promise<TFound>, isNothing: (found: TFound) => boolean): Promise<TFound> => {
    isMissed = isNothing(await found);
    return found;
  };
  try {
    return await run({
      calls: {
        ...calls,
        get: (id) => noted(calls.get(id), (call) => call === undefined),
        list: (filter) => noted(calls.list(filter), (page) => page.calls.length === 0 && isWithoutFilter(filter)),
        wait: (id, options) => noted(calls.wait(id, options), ({ status, meta }) => status === 'error' && meta.tool === undefined),
      },
      approvals: {
        ...approvals,
        decide: (...given) => noted(approvals.decide(...given), (decided) => !decided.ok && decided.why === 'unknown'),
        list: (page) => noted(approvals.list(page), (waiting) => waiting.length === 0),
      },
    });
  } finally {
    if (isMissed)
      terminal.say(
        `Looked in the store ${defaultRedactor.text(settings.store)}. For another one, use --store, or --tools with the file of your toolbox.\n`,
      );
  }
}

/** Other filters say by themselves why nothing fits. */
function isWithoutFilter(filter: CallFilter = {}): boolean {
  return Object.values(filter).every((value) => value === undefined);
}
