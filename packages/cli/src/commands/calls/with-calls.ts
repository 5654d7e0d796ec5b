import { type CallFilter, createToolbox, type ListedCall, type StoreMethods } from 'toolpact';
import { defaultRedactor } from 'toolpact/internal';
import { CliError } from '../../cli-error.ts';
import { toolSource } from '../../load/tool-source.ts';
import { closeToolbox } from '../../load/wire-toolbox.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf, foundIn } from './client-of.ts';
import { followToolbox } from './follow-calls.ts';
import { tenantOf } from './tenant-of.ts';
import { withStore } from './with-store.ts';

/** The calls of a store or of a server. */
export interface CallSource {
  readonly calls: Pick<StoreMethods['calls'], 'get' | 'list' | 'wait' | 'cancel'>;
  readonly approvals: Pick<StoreMethods['approvals'], 'list' | 'decide' | 'grants'>;
  /** Returns all calls as they begin and end, those that did since a time first. */
  readonly follow: (since: number | undefined, signal: AbortSignal) => AsyncIterable<ListedCall>;
}

/**
 * Runs with what remembers calls: the server that `--url` names; else the store of the toolbox that the named tool files export; otherwise the store that the
 * settings name, with the tools of these files. Files are loaded only where they are named: a store can be read without its tools.
 */
export async function withCalls<TResult>(given: Given, run: (source: CallSource) => Promise<TResult>): Promise<TResult> {
  const client = clientOf(given);
  if (client !== undefined) return run(callsOf(client));
  const loaded = given.settings.setBy.has('tools') ? await toolSource(given, []).load() : undefined;
  const ownToolbox = loaded?.toolbox;
  if (ownToolbox === undefined)
    return withStore(given, (store) => {
      const toolbox = createToolbox(loaded?.tools ?? [], { store, report: () => undefined }).with(tenantOf(given));
      return sayWhereNothingWas(given, { ...toolbox, follow: followToolbox.bind(undefined, toolbox) }, run);
    });
  try {
    const toolbox = ownToolbox.with(tenantOf(given));
    const { calls, approvals } = toolbox;
    if (calls === undefined || approvals === undefined)
      throw new CliError('The toolbox of this project has no store, so it does not record calls.', {
        fix: 'Give it one: createToolbox(tools, { store }).',
      });
    return await run({ calls, approvals, follow: followToolbox.bind(undefined, toolbox) });
  } finally {
    await closeToolbox(ownToolbox);
  }
}

/** Asks a server like a store; what it refuses ends the command. It knows from the credential who decides. */
function callsOf(client: NonNullable<ReturnType<typeof clientOf>>): CallSource {
  return {
    calls: {
      get: async (id) => foundIn(await client.findCall(id)),
      list: async (filter) => dataOf(await client.calls(filter)),
      wait: client.wait,
      cancel: async (id) => foundIn(await client.cancel(id)) !== undefined,
    },
    approvals: {
      list: async (filter) => dataOf(await client.listApprovals(filter)),
      decide: async (handle, verdict, { by: _, roles: __, ...facts } = {}) => ({
        ok: true,
        approval: dataOf(await client.decide(handle, verdict, facts)),
      }),
      grants: {
        list: async (page) => dataOf(await client.listGrants(page)),
        revoke: async (id) => foundIn(await client.revokeGrant(id)),
      },
    },
    async *follow(since, signal) {
      // Asked first: who watches waits for a server that does not answer.
      dataOf(await client.calls({ limit: 1 }, { signal }));
      for await (const news of client.watchCalls({ since }, { signal })) {
        const data = dataOf(news);
        if (data.is === 'call') yield data.call;
      }
    },
  };
}

/** Says which store was looked into, where nothing was found there: the calls of a program may be in a store of its own. */
async function sayWhereNothingWas<TResult>(
  { settings, terminal }: Given,
  { calls, approvals, follow }: CallSource,
  run: (source: CallSource) => Promise<TResult>,
): Promise<TResult> {
  let isMissed = false;
  const noted = async <TFound>(found: Promise<TFound>, isNothing: (found: TFound) => boolean): Promise<TFound> => {
    isMissed = isNothing(await found);
    return found;
  };
  try {
    return await run({
      follow,
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
