import { type CallContext, noTenant } from '../../contract/index.ts';
import { type CallFacts, createEvent, type EventOf } from '../../events/index.ts';
import { type ErrorOutcome, fail, type Outcome, pending, ToolpactError, withWarning } from '../../outcome/index.ts';
import type { GuardedTool, GuardedToolbox, Store } from '../../ports/index.ts';
import { argumentsPlace, readArguments } from '../durable/call-arguments.ts';
import { hasDoubt, placeOfCall } from '../durable/memory-state.ts';
import type { ResumedCall } from '../ledger/resume-run.ts';
import { askStore } from '../store-access/ask-store.ts';
import { settledOutcome } from '../store-access/pending-calls.ts';
import { demand, type EndedCall, type JournalEntry, type MadeAgain, readEnd, readRun, sound, type Written } from './journal-records.ts';
import type { OwnerLease } from './owner-lease.ts';

/** What resuming needs of the journal. */
export interface ResumeParts {
  readonly toolbox: GuardedToolbox;
  readonly store: Store;
  readonly lease: OwnerLease;
  /** Checks whether a process that is gone was asked to stop a call. */
  readonly isCancelled: (tenant: string, key: string) => Promise<boolean>;
  readonly recordEnd: (tenant: string, key: string, ended: EndedCall) => Promise<Written>;
  readonly expiresAt: () => number;
  /** Calls that are made again, by invocation id. */
  readonly made: Map<string, MadeAgain>;
  /** Calls that this process settles at the moment. */
  readonly settling: Set<string>;
  /** Calls of which the tool has found that no step in doubt took effect. */
  readonly cleared: Set<string>;
}

/** What became of a call, and whether that is recorded. */
type Answer = Pick<ResumedCall, 'outcome' | 'how'> & { readonly isRecorded: boolean };

/** How a call ended that another process had begun. */
export interface FollowedCall {
  readonly outcome: Outcome;
  /** False where its end could not be stored: whoever goes on with it next finds its steps, and the same end. */
  readonly isRecorded: boolean;
}

/** Goes on with calls that were cut off. */
export interface Resume {
  readonly run: (runId: string, context?: CallContext) => Promise<ResumedCall[]>;
  /** Goes on with one call, also with one that sleeps or waits; undefined where another process has it, or where it cannot run yet. */
  readonly one: (entry: JournalEntry, tenant: string, context: CallContext) => Promise<FollowedCall | undefined>;
  /** Makes this process the one that settles a call that was cut off, and gives the version of its mark; undefined when another one does. */
  readonly take: (tenant: string, key: string) => Promise<number | undefined>;
  /** Lets others take a call that this process had taken. */
  readonly release: (tenant: string, key: string, version: number) => Promise<unknown>;
  /** Names the process that has taken a call. */
  readonly takenBy: (tenant: string, key: string) => Promise<string | undefined>;
  /** Writes how a call ended that did not end by itself. */
  readonly conclude: (entry: JournalEntry, tenant: string, outcome: Outcome) => Promise<Written>;
}

/** Makes the `resume` of a toolbox. */
export function createResume(parts: ResumeParts): Resume {
  const { toolbox, store, lease, isCancelled, recordEnd, expiresAt, made, settling, cleared } = parts;
  const run = async (runId: string, context: CallContext = {}): Promise<ResumedCall[]> => {
    // Without one a store would list the calls of all runs.
    if (typeof runId !== 'string') throw new ToolpactError('invalid_argument', 'resume needs the id of a run');
    const tenant = context.tenantId ?? toolbox.context.tenantId ?? noTenant;
    const resumed: ResumedCall[] = [];
    const end = lease.begin();
    try {
      await lease.signed().catch(({ message }: Error) => {
        throw new Error(`The run cannot be resumed: ${message}.`);
      });
      // One after the other: what is repeated may depend on what came before it.
      for (const entry of await readRun(store, tenant, runId)) {
        resumed.push(toResumed(entry.start.event, await resumeCall(entry, tenant, { ...context, ...contextOf(entry.start.event) })));
      }
    } finally {
      end();
    }
    return resumed;
  };

  async function one(entry: JournalEntry, tenant: string, context: CallContext): Promise<FollowedCall | undefined> {
    const end = lease.begin();
    try {
      await lease.signed();
      const { how, ...followed } = await resumeCall(entry, tenant, { ...context, ...contextOf(entry.start.event) }, true);
      return how === 'running' ? undefined : followed;
    } finally {
      end();
    }
  }

  async function resumeCall(entry: JournalEntry, tenant: string, context: CallContext, goesOn = false): Promise<Answer> {
    const { key, start, end } = entry;
    const { event } = start;
    if (isOver(end, goesOn)) return recorded(end, tenant);
    const tool = toolbox.find(event.tool);
    // A worker leaves it to those that have the tool.
    if (tool === undefined) return goesOn ? running(event, context) : repeated(entry, context, Promise.resolve(false));
    const id = JSON.stringify([tenant, key]);
    if (settling.has(id)) return running(event, context);
    settling.add(id);
    try {
      // The process of a call that sleeps or waits does not run it.
      const isTheirs = end === undefined && (await lease.isAlive(start.owner));
      const version = isTheirs ? undefined : await take(tenant, key);
      return version === undefined ? await running(event, context) : await settleTaken(entry, tool, tenant, version, context, goesOn);
    } finally {
      settling.delete(id);
    }
  }

  /** What was pending when it was recorded may have been settled since. */
  async function recorded({ event: { outcome } }: NonNullable<JournalEntry['end']>, tenant: string): Promise<Answer> {
    return { outcome: await settledOutcome(store, tenant, outcome), how: 'recorded', isRecorded: true };
  }

  async function running(event: EventOf<'call-start'>, context: CallContext): Promise<Answer> {
    const waiting = pending({ handle: event.invocationId, reason: 'running', pollAfterMs: 1000 });
    return { outcome: await toolbox.toOutcome(event.tool, {}, waiting, context), how: 'running', isRecorded: false };
  }

  async function settleTaken(
    entry: JournalEntry,
    tool: GuardedTool,
    tenant: string,
    version: number,
    context: CallContext,
    goesOn: boolean,
  ): Promise<Answer> {
    const { key } = entry;
    // The process that had taken the call before may have settled it since the journal was read.
    const ended = await demand(() => store.get({ space: 'call-end', tenant, key }));
    const end = ended && sound(readEnd(ended));
    const release = () => releaseTaken(tenant, key, version);
    if (isOver(end, goesOn)) return recorded(end, tenant);
    const { promise: endRecorded, resolve: sayRecorded } = Promise.withResolvers<boolean>();
    try {
      const found = (await isCancelled(tenant, key))
        ? await cancelled(entry, tool, context)
        : await (tool.steps ? settleSteps(entry, tool, tenant, context, endRecorded) : settle(entry, tool, context, endRecorded));
      const refusal = found.how === 'repeated' && isRefused(found.outcome) ? found.outcome.error : undefined;
      if (refusal !== undefined && (!goesOn || refusal.retryable)) await release();
      if (refusal?.retryable && goesOn) return running(entry.start.event, context);
      // That its repetition was refused says nothing about what the call did itself.
      const message = `${tool.name} was interrupted, and could not be repeated: ${refusal?.message}`;
      const answer = refusal === undefined ? found : await interrupted(entry, tool, message, context);
      // Who resumes a run may do so again; a worker that cannot go on is the last who tries.
      if (refusal !== undefined && !goesOn) return notRecorded(answer, 'the next resume of its run decides about it');
      // Another process may have taken this one for dead meanwhile, and goes on with the call, or lets it wait.
      if (!(await isStillTaken(tenant, key, version))) return running(entry.start.event, context);
      const written = await recordEnd(tenant, key, { start: entry.start, event: endOf(entry.start.event, answer.outcome) });
      sayRecorded(written.is === 'written');
      // The call sleeps or waits again: release it, so that it can go on later.
      if (answer.outcome.status === 'pending') await release();
      if (written.is === 'hidden') return notRecorded(answer, written.why);
      return written.is === 'taken' && written.current !== undefined ? recorded(sound(readEnd(written.current)), tenant) : answer;
    } finally {
      sayRecorded(false);
    }
  }

  /** Runs a call with steps from its top: what has ended is remembered, and each step under way decides for itself. */
  async function settleSteps(
    entry: JournalEntry,
    tool: GuardedTool,
    tenant: string,
    context: CallContext,
    endRecorded: Promise<boolean>,
  ): Promise<Answer> {
    const { key, start } = entry;
    const kept = readArguments(await demand(() => store.get(argumentsPlace(tenant, key))));
    if (kept === undefined && !start.isWhole) return settle(entry, tool, context, endRecorded);
    const args = kept?.args ?? start.event.input;
    const own = kept?.timeoutMs === undefined ? context : { timeoutMs: kept.timeoutMs, ...context };
    // With a key, the guard that keeps it asks the tool.
    const isAsked =
      tool.canReconcile && !isKeyed(tool, start) && (await demand(() => hasDoubt(store, placeOfCall(tenant, start.rerunOf ?? key))));
    const found = isAsked ? await toolbox.reconcile(start.event.tool, args, own) : undefined;
    if (found !== undefined && found !== 'none') return { outcome: found, how: 'reconciled', isRecorded: true };
    if (found === 'none') cleared.add(key);
    const answer = await repeated(entry, own, endRecorded, args).finally(() => cleared.delete(key));
    const { outcome } = answer;
    return outcome.status === 'error' && outcome.error.kind === 'interrupted' ? { ...answer, how: 'interrupted' } : answer;
  }

  function isKeyed(tool: GuardedTool, { idempotencyKey }: JournalEntry['start']): boolean {
    return toolbox.provides('idempotency') && (tool.idempotency !== undefined || idempotencyKey !== undefined);
  }

  /** Decides about a call that was cut off. */
  async function settle(entry: JournalEntry, tool: GuardedTool, context: CallContext, endRecorded: Promise<boolean>): Promise<Answer> {
    const { event, isWhole } = entry.start;
    const { tool: name, input: args } = event;
    // Arguments that hold a secret are not stored, so nothing can be done with them here.
    if (isWhole && (tool.effects !== 'writes' || isKeyed(tool, entry.start))) return repeated(entry, context, endRecorded);
    const found = isWhole ? await toolbox.reconcile(name, args, context) : undefined;
    if (found === 'none') return repeated(entry, context, endRecorded);
    if (found !== undefined) return { outcome: found, how: 'reconciled', isRecorded: true };
    return interrupted(entry, tool, diedIn(name), context);
  }

  async function interrupted(
    { start }: JournalEntry,
    { name, effects }: GuardedTool,
    message: string,
    context: CallContext,
  ): Promise<Answer> {
    const failure = fail('interrupted', message, { effect: effects === 'none' ? 'none' : 'unknown' });
    return { outcome: await toolbox.toOutcome(name, start.event.input, failure, context), how: 'interrupted', isRecorded: true };
  }

  /** Ends a call whose process was asked to stop it and is gone: those who asked were told that it ends. */
  async function cancelled({ start }: JournalEntry, { name, effects }: GuardedTool, context: CallContext): Promise<Answer> {
    const message = `${name} was cancelled, and the process that ran it is gone.`;
    const failure = fail('cancelled', message, { effect: effects === 'none' ? 'none' : 'unknown' });
    return { outcome: await toolbox.toOutcome(name, start.event.input, failure, context), how: 'interrupted', isRecorded: true };
  }

  /** Repeats a call. Where a guard finds that it must not run again, it was interrupted and not repeated. */
  async function repeated(
    entry: JournalEntry,
    context: CallContext,
    endRecorded: Promise<boolean>,
    args: unknown = entry.start.event.input,
  ): Promise<Answer> {
    const outcome = await repeat(entry, context, args, endRecorded);
    const didNotRun = outcome.meta.attempts === 0 || outcome.meta.replayed === true;
    const isInterrupted = outcome.status === 'error' && outcome.error.kind === 'interrupted' && didNotRun;
    return { outcome, how: isInterrupted ? 'interrupted' : 'repeated', isRecorded: true };
  }

  /** Makes a call again, in a way that the journal does not take for another call of the run. */
  async function repeat(
    { key, start }: JournalEntry,
    context: CallContext,
    args: unknown,
    endRecorded: Promise<boolean>,
  ): Promise<Outcome> {
    const { event, idempotencyKey } = start;
    const invocationId = crypto.randomUUID();
    const { rerunOf, rerunFrom: from } = start;
    const rerun = rerunOf === undefined ? undefined : { by: key, from, seen: from === undefined ? [] : [from] };
    made.set(invocationId, { origin: rerunOf ?? key, repeats: key, endRecorded, rerun });
    const call = { name: event.tool, args, ...(event.callId !== undefined && { callId: event.callId }) };
    const own = { ...context, invocationId, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return toolbox.answer(call, own).finally(() => made.delete(invocationId));
  }

  /** Checks whether this process still is the one that settles a call. Where the store does not say, it is taken to be. */
  async function isStillTaken(tenant: string, key: string, version: number): Promise<boolean> {
    const answer = await askStore(() => store.get({ space: 'call-taken', tenant, key }));
    if (!answer.ok) return true;
    const { owner } = (answer.value?.value ?? {}) as { readonly owner?: unknown };
    return answer.value?.version === version && owner === lease.owner;
  }

  const releaseTaken: Resume['release'] = (tenant, key, version) =>
    demand(() => store.remove({ space: 'call-taken', tenant, key }, version));

  const takenBy: Resume['takenBy'] = async (tenant, key) => {
    const { owner } = ((await demand(() => store.get({ space: 'call-taken', tenant, key })))?.value ?? {}) as { readonly owner?: string };
    return owner;
  };

  const conclude: Resume['conclude'] = ({ key, start, end }, tenant, outcome) =>
    recordEnd(tenant, key, { start, event: endOf(start.event, outcome), ...(end?.trace && { trace: end.trace }) });

  const settlesAlready = (tenant: string, key: string): boolean => settling.has(JSON.stringify([tenant, key]));
  return {
    run,
    one,
    take: async (tenant, key) => (settlesAlready(tenant, key) ? undefined : take(tenant, key)),
    release: releaseTaken,
    takenBy,
    conclude,
  };

  /** Makes this process the one that settles a call, and gives the version of its mark; undefined when another one does. */
  async function take(tenant: string, key: string): Promise<number | undefined> {
    const record = { space: 'call-taken', tenant, key, value: { v: 1, owner: lease.owner }, expiresAt: expiresAt() };
    const first = await demand(() => store.put(record, 0));
    if (first.ok) return first.version;
    const { current } = first;
    const { v, owner } = (current?.value ?? {}) as { readonly v?: unknown; readonly owner?: unknown };
    if (current === undefined || v !== 1 || typeof owner !== 'string') return undefined;
    // A claim of this very process is left over from a settlement that failed, so it can be taken again.
    if (owner !== lease.owner && (await lease.isAlive(owner))) return undefined;
    const second = await demand(() => store.put(record, current.version));
    return second.ok ? second.version : undefined;
  }
}

/** Checks whether a call has ended. One that only slept or waited goes on where that is asked for. */
function isOver(end: JournalEntry['end'], goesOn: boolean): end is NonNullable<JournalEntry['end']> {
  return end !== undefined && !(goesOn && end.event.outcome.status === 'pending');
}

/** Adds the warning that the end was not stored, so that a later resume may give another answer. */
function notRecorded({ outcome, how }: Answer, why: string): Answer {
  return { outcome: withWarning(outcome, `its end is not recorded: ${why}`), how, isRecorded: false };
}

/** Says of a call that its process died. */
export const diedIn = (tool: string): string => `${tool} was interrupted: the process that ran it died.`;

/** What the event that began a call says of it. */
export function factsOf({ type: _, v, id, at, input, ...facts }: EventOf<'call-start'>): CallFacts {
  return facts;
}

/** What a call was made with; all that its event says but its own names. */
function contextOf(event: EventOf<'call-start'>): CallContext {
  const { call: _, tool, ...context } = factsOf(event);
  return context;
}

function endOf(event: EventOf<'call-start'>, outcome: Outcome): EventOf<'call-end'> {
  return createEvent({ type: 'call-end', ...factsOf(event), outcome });
}

/** Checks whether a repetition ended before it could run: it is a failure, no attempt was made, and it is not the outcome of an earlier call. */
function isRefused(outcome: Outcome): outcome is ErrorOutcome {
  if (outcome.status !== 'error' || outcome.meta.attempts > 0 || outcome.meta.replayed === true) return false;
  return outcome.error.kind !== 'interrupted';
}

function toResumed({ tool, invocationId, callId }: EventOf<'call-start'>, { outcome, how }: Answer): ResumedCall {
  return { tool, invocationId, ...(callId !== undefined && { callId }), outcome, how };
}
