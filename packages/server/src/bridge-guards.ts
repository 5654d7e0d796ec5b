import type { AnyTool, Approval, CallContext, Outcome, RecordedCall, StoreMethods, Toolbox } from 'toolpact';
import type { ApprovalMethods, DeferMethods, JournalMethods, PendingCallState, SpillMethods } from 'toolpact/guards';
import type { ServedToolbox } from './server-options.ts';

/** A toolbox whose guards remember its calls, each some of them. */
export interface GuardedCallsToolbox
  extends Pick<Toolbox<readonly AnyTool[]>, 'tools' | 'resources' | 'resolveName' | 'answer' | 'batch' | 'list' | 'emit' | 'subscribe'>,
    Partial<JournalMethods & ApprovalMethods & DeferMethods & SpillMethods> {
  call(name: string, args: unknown, context?: CallContext<never>): Promise<Outcome>;
  readonly with: (context: CallContext<never>) => GuardedCallsToolbox;
}

/** Shows a toolbox whose guards remember calls as one with a store, until none is left. */
export function bridgeGuards(toolbox: ServedToolbox | GuardedCallsToolbox): ServedToolbox {
  if (!isGuarded(toolbox)) return toolbox;
  const { decide, findApproval, listApprovals, findPending } = toolbox;
  const remembers = [decide, findPending, toolbox.calls, toolbox.wait].some((method) => method !== undefined);
  if (!remembers) return toolbox as object as ServedToolbox;
  const { calls: _, ...rest } = toolbox;
  const approvals: StoreMethods['approvals'] = {
    async decide(handle, verdict, { by, reason, input, grant } = {}) {
      if (input !== undefined) return { ok: false, why: 'invalid', issues: [notEditable] };
      if (grant !== undefined) return { ok: false, why: 'invalid', issues: [notGranted] };
      const facts = { ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
      return (await decide?.(handle, verdict, facts)) ?? { ok: false, why: 'unknown' };
    },
    async decideAll(handles, verdict, facts) {
      const all = [];
      for (const handle of new Set(handles)) all.push({ handle, decided: await approvals.decide(handle, verdict, facts) });
      return all;
    },
    get: async (handle) => findApproval?.(handle),
    list: async (page) => (await listApprovals?.(page)) ?? [],
    grants: { list: async () => [], revoke: async () => undefined },
  };
  return {
    ...rest,
    calls: toCalls(toolbox),
    approvals,
    with: (context) => bridgeGuards(toolbox.with(context)),
    ...(toolbox.keepOutcome && { [keepKey]: toolbox.keepOutcome }),
  } as ServedToolbox;
}

const notEditable = { path: [], problem: 'rule' as const, message: 'the engine of this call takes its arguments as they are' };

const notGranted = { path: ['grant'], problem: 'rule' as const, message: 'the engine of this call keeps no standing grants' };

/** Under which a bridged toolbox keeps what gives an outcome a handle. */
export const keepKey = Symbol('keep');

function isGuarded(toolbox: ServedToolbox | GuardedCallsToolbox): toolbox is GuardedCallsToolbox {
  return (toolbox as Partial<StoreMethods>).approvals === undefined && typeof toolbox.calls !== 'object';
}

function toCalls(toolbox: GuardedCallsToolbox): StoreMethods['calls'] {
  const { calls, findCall, findPending, findApproval, watchPending, wait, settle, rerun, resume, cancel, withdraw, noteCancelled } =
    toolbox;
  const noStore = async (): Promise<Outcome> => {
    throw new Error('No guard of this toolbox does that.');
  };

  async function get(id: string): Promise<RecordedCall | undefined> {
    const pending = await findPending?.(id);
    const found = await findCall?.(pending?.invocationId ?? id);
    const approval = await findApproval?.(pending?.pending.handle ?? id);
    const call = found ?? (pending && toRecorded(pending)) ?? (approval && toAsked(approval));
    if (call === undefined) return undefined;
    return { ...call, ...(pending && ofPending(pending)), ...(approval && { approval }) };
  }

  return {
    get,
    list: async (filter) => (await calls?.(filter as never)) ?? { calls: [] },
    async *watch(id, options) {
      const pending = await findPending?.(id);
      for await (const _ of watchPending?.(pending?.pending.handle ?? id, options) ?? []) {
        const call = await get(id);
        if (call !== undefined) yield call;
      }
    },
    wait: wait ?? noStore,
    settle: settle ?? noStore,
    rerun: rerun ?? noStore,
    resume: resume ?? (async () => []),
    async cancel(id) {
      const call = await get(id);
      const { handle = id, reason } = call?.pending ?? {};
      if (reason === 'approval') return (await withdraw?.(handle)) === true;
      const isNoted = (await noteCancelled?.(handle)) === true;
      return (await cancel?.(call?.id ?? id)) === true || isNoted;
    },
  };
}

function ofPending({ pending, outcome, questions, cancelledAt, expiresAt, userId, since }: PendingCallState): Partial<RecordedCall> {
  return {
    handle: pending.handle,
    begunAt: new Date(since).toISOString(),
    ...(userId !== undefined && { userId }),
    ...(outcome === undefined ? { pending } : { outcome }),
    ...(questions && { questions }),
    ...(cancelledAt !== undefined && { isCancelled: true }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

function toRecorded({ tool, invocationId, pending, since, outcome }: PendingCallState): RecordedCall {
  return {
    id: invocationId,
    tool,
    status: outcome?.status ?? 'pending',
    handle: pending.handle,
    begunAt: new Date(since).toISOString(),
    attempts: 0,
    tenantId: '',
    traceId: '',
    input: null,
    isWhole: false,
  };
}

function toAsked({ tool, invocationId, handle, requestedAt, input }: Approval): RecordedCall {
  const pending = { handle, reason: 'approval' } as const;
  const call = toRecorded({ tool, invocationId, pending, since: requestedAt } as PendingCallState);
  return { ...call, pending, input };
}
