import { type CallContext, noTenant } from '../../contract/index.ts';
import { type FailureKind, fail, makeFailure, type Outcome, refuseOptions, withoutAbsent } from '../../outcome/index.ts';
import type { GuardedTool, GuardedToolbox, Store, StoredRecord } from '../../ports/index.ts';
import { argumentsPlace, readArguments } from '../durable/call-arguments.ts';
import { closeCall, findOpenCall } from '../durable/open-calls.ts';
import { settledOutcome, settlePendingCall } from '../store-access/pending-calls.ts';
import { demand, type JournalEntry, type MadeAgain, readCall } from './journal-records.ts';
import type { OwnerLease } from './owner-lease.ts';
import { diedIn, factsOf, type Resume } from './resume.ts';

/** How a call is run again. */
export interface RerunOptions {
  /** The name of the first step that is done again. @default the first that has not ended */
  readonly from?: string;
}

/** Runs a recorded call again; gives the outcome of the new call, or why there is none. `auth` and `app` come from this context. */
type RerunCall = (invocationId: string, options?: RerunOptions, context?: CallContext) => Promise<Outcome>;

interface RerunParts {
  readonly toolbox: GuardedToolbox;
  readonly store: Store;
  readonly lease: OwnerLease;
  readonly resume: Resume;
  readonly made: Map<string, MadeAgain>;
  readonly expiresAt: () => number;
}

/** A call that may run again. */
interface Ready {
  readonly first: JournalEntry;
  readonly args: unknown;
  readonly timeoutMs?: number;
  /** The steps that the journal has seen. */
  readonly seen: readonly string[];
  /** The version of the mark that says which rerun is the last; 0 where there was none. */
  readonly version: number;
}

/** Makes the `rerun` of a toolbox. */
export function createRerun({ toolbox, store, lease, resume, made, expiresAt }: RerunParts): RerunCall {
  return async (invocationId, options = {}, context = {}) => {
    refuseOptions<RerunOptions>('rerun', options, { from: true });
    const tenant = context.tenantId ?? toolbox.context.tenantId ?? noTenant;
    const endLease = lease.begin();
    try {
      await lease.signed();
      const ready = await prepare(tenant, String(invocationId), context);
      return 'status' in ready ? ready : await run(tenant, ready, options, context);
    } catch (error) {
      return refusal('not_ready', `The call was not run again: ${(error as Error).message}`);
    } finally {
      endLease();
    }
  };

  /** Finds out whether a call may run again. */
  async function prepare(tenant: string, id: string, context: CallContext): Promise<Ready | Outcome> {
    const asked = await readCall(store, tenant, id);
    const first = asked && (await firstOf(tenant, asked));
    if (asked === undefined || first === undefined) return refusal('not_found', `There is no recorded call ${id}.`);
    const { tool: name } = first.start.event;
    const tool = toolbox.find(name);
    if (tool === undefined) return refusal('unknown_tool', `${name}, which was called, is not among the tools here.`);
    if (!tool.steps) return refusal('unsupported', `${name} has no steps to run again from.`, { tool: name, advice: 'Make a new call.' });
    const mark = await demand(() => store.get(markOf(tenant, first.key)));
    const last = await lastOf(tenant, first, mark);
    const outcome = last && (await endOf(tenant, last, tool, context));
    if (last === undefined || outcome === undefined) return refusal('conflict', `The call ${last?.key ?? id} still runs.`, { tool: name });
    // One that waits for its own approval has not begun: it asks for that again, or runs with it.
    if (outcome.status === 'pending' && outcome.pending.reason !== 'approval')
      return refusal('conflict', `The call ${last.key} has not ended: it sleeps or waits.`, { tool: name });
    if (last === first && isDenied(outcome))
      return refusal('denied', `The call ${last.key} was denied and did not run, so it is not run again.`, {
        tool: name,
        advice: 'Make a new call, which asks again.',
      });
    if (outcome.status === 'ok' || outcome.status === 'partial')
      return refusal('conflict', `The call ${last.key} has succeeded; there is nothing to run again.`, {
        tool: name,
        advice: 'Read its outcome.',
      });
    const kept = readArguments(await demand(() => store.get(argumentsPlace(tenant, first.key))));
    if (kept === undefined && !first.start.isWhole)
      return refusal('not_found', `The arguments of the call ${first.key} are not kept.`, { tool: name, advice: 'Make a new call.' });
    const seen = [asked, first, last].flatMap(({ end }) => end?.trace?.steps.map(({ step }) => step) ?? []);
    const { args = first.start.event.input, timeoutMs } = kept ?? {};
    return { first, args, ...(timeoutMs !== undefined && { timeoutMs }), seen, version: mark?.version ?? 0 };
  }

  async function run(tenant: string, ready: Ready, { from }: RerunOptions, context: CallContext): Promise<Outcome> {
    const { first, args, timeoutMs, seen, version } = ready;
    const { event, idempotencyKey } = first.start;
    const by = crypto.randomUUID();
    const value = { v: 1, by, owner: lease.owner };
    // Of several reruns at once, one writes the mark.
    const marked = await demand(() => store.put({ ...markOf(tenant, first.key), value, expiresAt: expiresAt() }, version));
    if (!marked.ok) return refusal('conflict', `The call ${first.key} is run again already.`, { tool: event.tool });
    made.set(by, { origin: first.key, rerun: { by, from, seen } });
    const { tool, userId, agentName, runId, sessionId, conversationId, ids } = factsOf(event);
    const { idempotencyKey: _, ...caller } = { ...toolbox.context, ...context };
    // User and agent are those of the rerun; run, session and conversation stay those of the first call.
    const own = withoutAbsent<CallContext>({ timeoutMs, userId, agentName, ...withoutAbsent<CallContext>(caller) });
    const kept = withoutAbsent<CallContext>({ runId, sessionId, conversationId, ids, idempotencyKey, tenantId: tenant, invocationId: by });
    return toolbox.answer({ name: tool, args }, { ...own, ...kept }).finally(() => made.delete(by));
  }

  /** Finds the first of the calls that share their steps. */
  async function firstOf(tenant: string, entry: JournalEntry): Promise<JournalEntry | undefined> {
    const before = entry.start.repeats ?? entry.start.rerunOf;
    const found = before === undefined ? undefined : await readCall(store, tenant, before);
    return before === undefined ? entry : found && firstOf(tenant, found);
  }

  /** Finds the last of the calls that share their steps: only its end counts. Undefined where it has just been begun. */
  async function lastOf(tenant: string, first: JournalEntry, mark: StoredRecord | undefined): Promise<JournalEntry | undefined> {
    const { by, owner } = (mark?.value ?? {}) as { readonly by?: string; readonly owner?: string };
    if (by === undefined || owner === undefined) return first;
    const last = await readCall(store, tenant, by);
    if (last !== undefined) return last;
    const isBegun = owner === lease.owner ? made.has(by) : await lease.isAlive(owner);
    return isBegun ? undefined : first;
  }

  /** Gives how a call ended; undefined while it runs. One whose process is gone ends now: as interrupted. */
  async function endOf(tenant: string, entry: JournalEntry, tool: GuardedTool, context: CallContext): Promise<Outcome | undefined> {
    const { key, start, end } = entry;
    if (end !== undefined) {
      const outcome = await settledOutcome(store, tenant, end.event.outcome);
      // A call that runs on an engine ends there.
      return (outcome.status === 'pending' && (await toolbox.inner.findPending?.(outcome.pending.handle))?.outcome) || outcome;
    }
    if ((await lease.isAlive(start.owner)) || (await resume.take(tenant, key)) === undefined) return undefined;
    const ended = (await readCall(store, tenant, key))?.end?.event.outcome;
    if (ended !== undefined) return settledOutcome(store, tenant, ended);
    const failure = fail('interrupted', diedIn(tool.name), { effect: tool.effects === 'none' ? 'none' : 'unknown' });
    const outcome = await toolbox.toOutcome(tool.name, start.event.input, failure, { ...context, invocationId: key });
    const written = await resume.conclude(entry, tenant, outcome);
    if (written.is === 'hidden') throw new Error(`its end could not be recorded: ${written.why}`);
    const open = await demand(() => findOpenCall(store, tenant, key));
    if (open?.handle !== undefined) await settlePendingCall(store, tenant, open.handle, outcome);
    await demand(() => closeCall(store, tenant, key));
    return outcome;
  }
}

/** Recognises a call that a person or a policy kept from running. A tool that runs may also say that something was denied to it. */
function isDenied(outcome: Outcome): boolean {
  return outcome.status === 'error' && outcome.error.kind === 'denied' && outcome.meta.attempts === 0;
}

/** Names the mark that says which call was the last to run the steps of a call again. */
function markOf(tenant: string, key: string) {
  return { space: 'call-rerun', tenant, key };
}

function refusal(kind: FailureKind, message: string, { tool, advice }: { readonly tool?: string; readonly advice?: string } = {}): Outcome {
  const meta = Object.freeze({ ...(tool !== undefined && { tool }), tookMs: 0.001, attempts: 0 });
  return Object.freeze({ status: 'error', error: makeFailure(kind, { message, ...(advice !== undefined && { advice }) }), meta });
}
