import { type CallContext, noTenant } from '../../core/contract/index.ts';
import { type CallEndEvent, type CallStartEvent, createEvent } from '../../core/events/index.ts';
import { fail, type Outcome, pending } from '../../core/outcome/index.ts';
import type { GuardedTool, GuardedToolbox, Store } from '../../core/runtime/index.ts';
import { fingerprint } from './fingerprint.ts';
import { type JournalEntry, readEnd, readRun } from './journal-records.ts';
import type { OwnerLease } from './owner-lease.ts';

/** A call of a resumed run. */
export interface ResumedCall {
  readonly tool: string;
  readonly invocationId: string;
  readonly callId?: string;
  readonly outcome: Outcome;
  /** Where the outcome comes from: the journal, a process that still runs the call, a repetition, the tool's `reconcile`, or nowhere. */
  readonly how: 'recorded' | 'running' | 'repeated' | 'reconciled' | 'interrupted';
}

/** What resuming needs of the journal. */
export interface ResumeParts {
  readonly toolbox: GuardedToolbox;
  readonly store: Store;
  readonly lease: OwnerLease;
  readonly recordEnd: (tenant: string, key: string, event: CallEndEvent) => Promise<unknown>;
  readonly expiresAt: () => number;
  /** Calls that repeat another one, by invocation id. */
  readonly repeats: Map<string, string>;
}

/** Makes the `resume` of a toolbox. */
export function createResume({ toolbox, store, lease, recordEnd, expiresAt, repeats }: ResumeParts) {
  return async (runId: string, context: CallContext = {}): Promise<ResumedCall[]> => {
    const tenant = context.tenantId ?? toolbox.context.tenantId ?? noTenant;
    const resumed: ResumedCall[] = [];
    const end = await lease.begin();
    try {
      // One after the other: what is repeated may depend on what came before it.
      for (const entry of await readRun(store, tenant, runId)) {
        resumed.push(toResumed(entry.start.event, await resumeCall(entry, tenant, { ...context, ...ownContext(entry) })));
      }
    } finally {
      end();
    }
    return resumed;
  };

  async function resumeCall(entry: JournalEntry, tenant: string, context: CallContext): Promise<Pick<ResumedCall, 'outcome' | 'how'>> {
    const { key, start, end } = entry;
    const { event } = start;
    if (end !== undefined) return { outcome: end.event.outcome, how: 'recorded' };
    const tool = toolbox.find(event.tool);
    if (tool === undefined) return { outcome: await repeat(entry, context), how: 'repeated' };
    if ((await lease.isAlive(start.owner)) || !(await take(tenant, key))) {
      const waiting = pending({ handle: event.invocationId, reason: 'running', pollAfterMs: 1000 });
      return { outcome: await toolbox.conclude(event.tool, {}, waiting, context), how: 'running' };
    }
    // Whoever had taken the call before may have settled it since the journal was read.
    const ended = await store.get({ space: 'call-end', tenant, key });
    const found = ended && readEnd(ended);
    if (found !== undefined) return { outcome: found.event.outcome, how: 'recorded' };
    const answer = await settle(entry, tool, context);
    await recordEnd(tenant, key, endOf(event, answer.outcome));
    return answer;
  }

  /** Decides about a call that was cut off. */
  async function settle(entry: JournalEntry, tool: GuardedTool, context: CallContext): Promise<Pick<ResumedCall, 'outcome' | 'how'>> {
    const { event, print, idempotencyKey } = entry.start;
    const { tool: name, input: args } = event;
    // Arguments that hold a secret are not stored, so nothing can be done with them here.
    const isWhole = fingerprint(args) === print;
    const isKeyed = toolbox.keeps('idempotency') && (tool.idempotency !== undefined || idempotencyKey !== undefined);
    if (isWhole && (tool.effects !== 'writes' || isKeyed)) return { outcome: await repeat(entry, context), how: 'repeated' };
    const found = isWhole ? await toolbox.reconcile(name, args, context) : undefined;
    if (found === 'none') return { outcome: await repeat(entry, context), how: 'repeated' };
    if (found !== undefined) return { outcome: found, how: 'reconciled' };
    const effect = tool.effects === 'none' ? 'none' : 'unknown';
    const message = `${name} was interrupted: the process that ran it died.`;
    return { outcome: await toolbox.conclude(name, args, fail('interrupted', message, { effect }), context), how: 'interrupted' };
  }

  /** Makes a call again, in a way that the journal does not take for another call of the run. */
  async function repeat({ key, start: { event, idempotencyKey } }: JournalEntry, context: CallContext): Promise<Outcome> {
    const invocationId = crypto.randomUUID();
    repeats.set(invocationId, key);
    const call = { name: event.tool, args: event.input, ...(event.callId !== undefined && { callId: event.callId }) };
    const own = { ...context, invocationId, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return toolbox.answer(call, own).finally(() => repeats.delete(invocationId));
  }

  /** Makes this process the one that settles a call; false when another one does. */
  async function take(tenant: string, key: string): Promise<boolean> {
    const at = { space: 'call-taken', tenant, key };
    const record = { ...at, value: { v: 1, owner: lease.owner }, expiresAt: expiresAt() };
    const first = await store.put(record, 0);
    if (first.ok || first.current === undefined) return first.ok;
    const { owner } = (first.current.value ?? {}) as { readonly owner?: unknown };
    if (typeof owner !== 'string' || (await lease.isAlive(owner))) return false;
    return (await store.put(record, first.current.version)).ok;
  }
}

const kept = [
  'callId',
  'sessionId',
  'runId',
  'requestId',
  'tenantId',
  'userId',
  'conversationId',
  'agentName',
  'invocationId',
  'traceId',
] as const;

function ownContext({ start: { event } }: JournalEntry): CallContext {
  return Object.fromEntries(kept.flatMap((key) => (event[key] === undefined ? [] : [[key, event[key]]])));
}

function endOf({ type: _, v, id, at, input, ...facts }: CallStartEvent, outcome: Outcome): CallEndEvent {
  return createEvent({ type: 'call-end', ...facts, outcome });
}

function toResumed({ tool, invocationId, callId }: CallStartEvent, answer: Pick<ResumedCall, 'outcome' | 'how'>): ResumedCall {
  return { tool, invocationId, ...(callId !== undefined && { callId }), ...answer };
}
