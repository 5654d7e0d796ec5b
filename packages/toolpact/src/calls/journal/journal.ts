import { noTenant } from '../../contract/index.ts';
import { canonicalJson, measureJson } from '../../json/index.ts';
import { assertPositive, type Outcome, refuseOptions, withWarning } from '../../outcome/index.ts';
import { type Guard, type GuardedCall, type GuardedToolbox, refuseWith, type Store, withSupply } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { type Moment, thisMoment } from '../../time/index.ts';
import { withdrawApproval } from '../approvals/withdraw-approval.ts';
import { argumentsDraft, sizeOfArguments } from '../durable/call-arguments.ts';
import { continuedNote, deferredNote, recordedNote, rerunNote } from '../durable/continued-note.ts';
import { createHeldCalls } from '../durable/held-calls.ts';
import { closeCall, openCall } from '../durable/open-calls.ts';
import { takeAnswers } from '../durable/settle-question.ts';
import { rememberSteps } from '../durable/step-memory.ts';
import { takenOverFailure, takenOverNote } from '../durable/taken-over.ts';
import { settleLost } from '../idempotency/claim-answers.ts';
import { asUnknown } from '../idempotency/settle-claim.ts';
import { createCallTraces } from '../ledger/call-trace.ts';
import { type Ask, askFor, askStore, type StoreAnswer } from '../store-access/ask-store.ts';
import { assertStore, toStorableMs } from '../store-access/assert-options.ts';
import { keepProgress } from '../store-access/call-progress.ts';
import { settlePendingSoon } from '../store-access/pending-calls.ts';
import { tryLater } from '../store-access/try-later.ts';
import { defer } from '../waits/defer.ts';
import type { DeferMethods } from '../waits/pending-methods.ts';
import { createCallList } from './call-list.ts';
import { createCancelCalls } from './cancel-calls.ts';
import { createCancelWaiting } from './cancel-waiting.ts';
import { createEngineEnd } from './engine-end.ts';
import { findRecorded, type JournalMethods } from './journal-methods.ts';
import {
  cutInput,
  type EndedCall,
  type EndWriter,
  type MadeAgain,
  readEnd,
  readRecords,
  readStart,
  type StoredEnd,
  type StoredStart,
  type Written,
  writeEnd,
  writeNew,
} from './journal-records.ts';
import { endIndex, runOf, startIndex, toEnded, toRunning } from './listed-call.ts';
import { createOwnerLease, leaseNote } from './owner-lease.ts';
import { createRerun } from './rerun.ts';
import { createResume, type ResumeParts } from './resume.ts';
import { createRunningCalls, forgetRunning } from './running-calls.ts';
import { createTakeOver, type TakeOver } from './take-over.ts';
import { createTenantShare, sizeOfRecord, smallestRecord } from './tenant-share.ts';

/** Records how a call ended, once: the same promise however often it is asked. Undefined where its start is not recorded. */
type RecordOutcome = (outcome: Outcome) => Promise<RecordedEnd | undefined>;

/** What became of the record of an end: at the first try, and at last. */
interface RecordedEnd {
  readonly first: Written;
  /** Gives whether this process has written it, after tries in the background where the store did not answer at first. */
  readonly isWritten: Promise<boolean>;
}

/** How the journal behaves. */
export interface JournalOptions {
  readonly store: Store;
  /** How long calls are remembered. @default 604_800_000 */
  readonly retentionMs?: number;
  /** How long a silent process counts as alive; until then its calls are not resumed. @default 10_000 */
  readonly leaseMs?: number;
  /** Arguments of more characters than this are stored cut; such a call is not repeated by `resume`. @default 64_000 */
  readonly maxInputChars?: number;
  /** How many characters of calls are recorded per tenant and hour, by all processes of the store; further calls run with a warning. @default 100_000_000 */
  readonly maxCharsPerHour?: number;
  readonly now?: () => number;
}

/**
 * Keeps the events that begin and end each call: the first before anything runs, the second before the caller gets its answer, or as soon
 * as its deadline or its caller has ended it. Stored arguments are redacted. A store that fails costs the record, not the call: the outcome
 * then carries a warning. Only a call with steps is refused, because it needs its record.
 */
export function journal(options: JournalOptions): Guard<JournalMethods> {
  refuseOptions<JournalOptions>('journal', options, {
    store: true,
    retentionMs: true,
    leaseMs: true,
    maxInputChars: true,
    maxCharsPerHour: true,
    now: true,
  });
  assertStore('journal', options);
  const {
    store,
    retentionMs = 604_800_000,
    leaseMs = 10_000,
    maxInputChars = 64_000,
    maxCharsPerHour = 100_000_000,
    now = Date.now,
  } = options;
  assertPositive('journal', { retentionMs, leaseMs, maxInputChars, maxCharsPerHour });
  const lease = createOwnerLease(store, leaseMs);
  const cancels = createCancelCalls(store, lease);
  const share = createTenantShare(store, maxCharsPerHour);
  const running = createRunningCalls(store);
  const traces = createCallTraces();
  const madeAgain = new Map<string, MadeAgain>();
  const settling = new Set<string>();
  const cleared = new Set<string>();
  const expiresAt = (): number => now() + toStorableMs(retentionMs);
  /** Calls that wait in the middle of their tools are read and settled like those that are deferred. */
  const { methods: pendingMethods } = defer({ store });

  async function recordStart(call: GuardedCall, made: MadeAgain | undefined): Promise<Recorded> {
    const event = cutInput(call.events.start(), maxInputChars);
    if (share.isUsed(call.tenantId)) return { why: 'its tenant has used its share of the journal for this hour', isShareUsed: true };
    const { idempotencyKey } = call.context;
    const { repeats, rerun } = made ?? {};
    const rerunFrom = rerun?.from;
    const value: StoredStart = {
      v: 1,
      event,
      owner: lease.owner,
      isWhole: canonicalJson(event.input) === canonicalJson(call.received),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(repeats !== undefined && { repeats }),
      ...(made !== undefined && repeats === undefined && { rerunOf: made.origin, ...(rerunFrom !== undefined && { rerunFrom }) }),
    };
    const ask = askFor(call, store, { isNeeded: call.tool.steps });
    const keepsArguments = call.tool.steps && repeats === undefined;
    share.add(call.tenantId, measureJson(event.input, maxInputChars) + smallestRecord + (keepsArguments ? sizeOfArguments(call) : 0));
    const signed = await ask(lease.signed);
    if (!signed.ok) return { why: signed.why };
    const at = { space: 'call', tenant: call.tenantId, group: runOf(event) };
    // Callers may give one invocation id to several calls; the first is found by it.
    const index = startIndex(event, { v: 1, call: toRunning(value), owner: lease.owner });
    for (const key of [event.invocationId, `${event.invocationId}/${event.call}`]) {
      const args = keepsArguments ? argumentsDraft(call, key, expiresAt()) : undefined;
      const record = { ...at, key, value: value as never, expiresAt: expiresAt(), index };
      // Those who would go on with it look at the list of open calls, so that comes first.
      const [opened, kept, written] = await Promise.all([
        args && ask(() => openCall(store, { tenant: call.tenantId, key, tool: event.tool, owner: lease.owner }, expiresAt())),
        args && ask(() => store.put(args, 0)),
        writeNew(store, record, ask),
      ]);
      if (written.is === 'taken') continue;
      const recorded = { key, start: value, leave: running.begin(record), since: thisMoment() };
      if (written.is === 'hidden') return { recorded, why: written.why };
      const why = whyNot(opened) ?? whyNot(kept);
      return { recorded, ...(why !== undefined && { why }) };
    }
    return { why: 'the store holds a call of the same id' };
  }

  function recordEnd(tenant: string, key: string, ended: EndedCall, by: EndWriter, ask?: Ask): Promise<Written> {
    const { start, event, trace } = ended;
    const { input: _, ...outcome } = event.outcome;
    const value: StoredEnd = { v: 1, event: { ...event, outcome: outcome as Outcome }, ...(trace && { trace }) };
    share.add(tenant, sizeOfRecord(value, maxCharsPerHour));
    const index = endIndex(event.tool, start.event.at, toEnded(toRunning(start), event.outcome, event.at));
    const record = { space: 'call-end', tenant, key, group: runOf(event), value: value as never, expiresAt: expiresAt(), index };
    return writeEnd(store, record, by, ask);
  }

  /** Checks whether another process goes on with a call of this one, or lets it wait. Where the store does not say, it is taken not to. */
  async function isTakenOver(call: GuardedCall, key: string): Promise<boolean> {
    const ask = askFor(call, store);
    const read = (space: string) => ask(() => store.get({ space, tenant: call.tenantId, key }));
    const [taken, ended] = await Promise.all([read('call-taken'), read('call-end')]);
    const end = ended.ok && ended.value ? readEnd(ended.value)?.event.outcome : undefined;
    return end === undefined ? taken.ok && taken.value !== undefined : end.status === 'pending';
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const endLease = lease.begin();
    call.notes.set(leaseNote, lease);
    const made = madeAgain.get(call.invocationId);
    const endWatch = cancels.watch(call, made?.repeats);
    const end = (): void => {
      endWatch();
      endLease();
    };
    const isContinued = made?.repeats !== undefined;
    if (isContinued) call.notes.set(continuedNote, made.origin);
    if (made?.rerun !== undefined) call.notes.set(rerunNote, { ...made.rerun, origin: made.origin });
    const traced = traces.keep(call);
    keepProgress(store, call);
    const starting = recordStart(call, made);
    let recording: Promise<RecordedEnd | undefined> | undefined;
    const record: RecordOutcome = (outcome) => {
      recording ??= starting.then(async ({ recorded }) => {
        if (recorded === undefined) return undefined;
        const { key, start, leave, since } = recorded;
        const ended = { start, event: call.events.end(outcome), trace: traced() };
        const write = async (ask?: Ask): Promise<Written> => {
          // What another process finds counts for more than a failure of one that stood still meanwhile.
          const isOld = outcome.status === 'error' && lease.wasSilentSince(since) && (await isTakenOver(call, key));
          return isOld ? { is: 'taken', current: undefined } : recordEnd(call.tenantId, key, ended, 'first', ask);
        };
        const first = await write(askFor(call, store));
        leave();
        return { first, isWritten: first.is === 'hidden' ? writeLater(write) : Promise.resolve(first.is === 'written') };
      });
      return recording;
    };
    // A call also ends while its tool goes on, or before it runs: at its deadline, or when its caller stops it.
    call.onEnd((outcome) => void record(outcome).finally(end));
    const { why, recorded, isShareUsed } = await starting;
    const recordedKey = made?.repeats ?? recorded?.key;
    if (recordedKey !== undefined) call.notes.set(recordedNote, recordedKey);
    if (recorded !== undefined && !isContinued) letDefer(call, recorded.key, record);
    if (call.tool.steps) rememberCall(call, made, recorded?.key, record);
    // What needs its record and has none would do its steps twice, or sleep and never wake. An engine remembers steps itself.
    const mustBeRecorded = call.tool.steps && !isContinued && !root?.hasEngine;
    const refusal = why === undefined || !mustBeRecorded ? undefined : refuseUnrecorded(call, why, isShareUsed);
    if (why !== undefined && refusal === undefined) call.warn(`not recorded: ${why}`);
    const isOwnDoubt = made?.rerun !== undefined && !isContinued && !isKeyed(call);
    const outcome = refusal ?? cancels.conclude(call, (isOwnDoubt ? await settleLost(call) : undefined) ?? (await next()));
    if (call.outcome !== undefined || (why !== undefined && refusal === undefined)) return outcome;
    const written = (await record(outcome))?.first;
    if (written === undefined || written.is === 'written') return outcome;
    // A worker that finds the start of a call with steps and no end runs it, once this process is taken for dead.
    if (written.is === 'hidden')
      return withWarning(mustBeRecorded ? asUnknown(outcome) : outcome, `its end is not recorded: ${written.why}`);
    call.notes.set(takenOverNote, true);
    // What the other process did is not known here.
    if (outcome.status === 'error') return refuseWith(call, takenOverFailure());
    return withWarning(outcome, 'its end is not recorded: another process had taken this one for dead');
  }

  /** Writes an end that the store did not take at first: one that is back before others take this process for dead still learns it. */
  async function writeLater(write: () => Promise<Written>): Promise<boolean> {
    let written: Written | undefined;
    await tryLater(async () => {
      written = await write();
      return written.is !== 'hidden';
    }, leaseMs / 6);
    return written?.is === 'written';
  }

  /** Lets the guard that defers list the call as open, so that a worker takes it over when this process dies. */
  function letDefer(call: GuardedCall, key: string, record: RecordOutcome): void {
    const open = { tenant: call.tenantId, key, tool: call.tool.name, owner: lease.owner };
    call.notes.set(deferredNote, (handle: string) => {
      const opened = askStore(() => openCall(store, { ...open, handle }, expiresAt()));
      if (!call.tool.steps) call.onEnd((outcome) => void closeOnceRecorded(call, key, record(outcome)));
      return opened;
    });
  }

  /** Takes a call off the list of open ones. Where its end is not recorded it stays there: whoever goes on with it finds out how it ended. */
  async function closeOnceRecorded({ tenantId }: GuardedCall, key: string, recording: ReturnType<RecordOutcome>): Promise<void> {
    const recorded = await recording;
    if (recorded === undefined || (await recorded.isWritten)) await askStore(() => closeCall(store, tenantId, key));
  }

  /** Gives a call with steps its memory, and settles with its end what the memory keeps. */
  function rememberCall(call: GuardedCall, made: MadeAgain | undefined, recordedKey: string | undefined, record: RecordOutcome): void {
    const key = made?.repeats ?? recordedKey ?? call.invocationId;
    const since = thisMoment();
    const memory = rememberSteps({
      store,
      call,
      origin: made?.origin ?? key,
      key,
      owner: lease.owner,
      now,
      expiresAt,
      isRepeat: made !== undefined,
      isCleared: cleared.has(key),
      wasSilent: () => lease.wasSilentSince(since),
      rerun: made?.rerun,
    });
    const settleMemory = (outcome: Outcome): void => {
      const suspended = memory.suspension();
      const suspension = outcome.status === 'pending' ? suspended : undefined;
      // It was stopped as it began to wait.
      if (suspended !== undefined && outcome.status !== 'pending') void settlePendingSoon(store, call.tenantId, suspended.handle, outcome);
      if (outcome.status === 'error') void memory.conclude(true);
      const recording = record(outcome);
      if (suspension !== undefined) void recording.then(() => held.hold(call, key, suspension));
      else if (made?.repeats === undefined) void closeOnceRecorded(call, key, recording);
      if (outcome.status === 'error' || outcome.status === 'pending') return;
      // Forget the steps only once the end of the call itself is recorded: without one it runs again, and must find them.
      const endRecorded = made?.endRecorded ?? recording.then((recorded) => recorded?.isWritten ?? false);
      void endRecorded.then((is) => (is ? memory.conclude(false) : undefined));
    };
    // It may have ended while its start was recorded.
    if (call.outcome === undefined) call.onEnd(settleMemory);
    else settleMemory(call.outcome);
  }

  /** The toolbox that this journal belongs to, not bound to any context. */
  let root: { readonly takeOver: TakeOver; readonly hasEngine: boolean } | undefined;
  const held = createHeldCalls(now, async (tenant, key, context) => root?.takeOver.goOn(tenant, key, () => context));
  takeAnswers(store, held);

  const list = createCallList(store, lease.seemsAlive);
  const methods = (toolbox: GuardedToolbox): JournalMethods => {
    const settle: ResumeParts['recordEnd'] = async (tenant, key, ended) => {
      const written = await recordEnd(tenant, key, ended, 'follower');
      await forgetRunning(store, tenant, key);
      return written;
    };
    const resume = createResume({
      toolbox,
      store,
      lease,
      isCancelled: cancels.isAsked,
      recordEnd: settle,
      expiresAt,
      made: madeAgain,
      settling,
      cleared,
    });
    const own = { takeOver: createTakeOver(store, resume, held, now), hasEngine: toolbox.inner.cancel !== undefined };
    root ??= own;
    const engineEnd = createEngineEnd(toolbox, store, resume.conclude);
    const cancelWaiting = createCancelWaiting({ toolbox, store, lease, resume, held, cancels });
    const added: JournalMethods = {
      // The guard that defers has these itself, for its own store.
      ...((toolbox.provides('deferAfterMs') ? {} : pendingMethods?.(toolbox)) as DeferMethods),
      resume: resume.run,
      rerun: createRerun({ toolbox, store, lease, resume, made: madeAgain, expiresAt }),
      calls: (filter = {}) => list(filter, filter.tenantId ?? toolbox.context.tenantId ?? noTenant, engineEnd),
      async cancel(invocationId) {
        const tenant = toolbox.context.tenantId ?? noTenant;
        if (cancels.stopHere(tenant, invocationId)) return true;
        const [start, end] = await readRecords(store, tenant, invocationId);
        const outcome = end && readEnd(end)?.event.outcome;
        if (outcome?.status === 'pending') {
          const { handle, reason } = outcome.pending;
          const isStopped =
            reason === 'approval' ? await withdrawApproval(toolbox, store, tenant, handle) : await cancelWaiting(tenant, invocationId);
          // Calls that run or wait on an engine are stopped there.
          return isStopped || ((await toolbox.inner.cancel?.(handle)) ?? false);
        }
        const begunBy = start && end === undefined ? readStart(start)?.owner : undefined;
        if (begunBy === undefined) return false;
        // The process that goes on with the call, where one does.
        const owner = (await resume.takenBy(tenant, invocationId)) ?? begunBy;
        if (!(await lease.isAlive(owner))) return false;
        await cancels.askOwner(tenant, invocationId, owner);
        return true;
      },
      findCall: (invocationId) => findRecorded(store, { traces, engineEnd }, toolbox.context.tenantId ?? noTenant, invocationId),
    };
    return withSupply(added, { worker: { store, takeOver: own.takeOver.takeOver, isAlive: lease.seemsAlive } });
  };
  return defineGuard({ name: 'journal', once: true, phase: 'journal', provides: ['reconcile'], around, methods });
}

/** Where the start of a call is, or may be, stored, and why that is not sure. */
interface Recorded {
  readonly recorded?: {
    readonly key: string;
    readonly start: StoredStart;
    /** Says that its end is recorded. */
    readonly leave: () => void;
    readonly since: Moment;
  };
  readonly why?: string;
  /** Whether that is because its tenant has recorded too much already. */
  readonly isShareUsed?: true;
}

/** Refuses a call that must not run without its record. */
function refuseUnrecorded(call: GuardedCall, why: string, isShareUsed = false): Outcome {
  const { name } = call.tool;
  if (isShareUsed) return call.refuse('rate_limited', `${name} did not run: ${why}.`, { effect: 'none' });
  return call.refuse('not_ready', `${name} did not run: it has steps, and cannot be recorded now: ${why}.`, { effect: 'none' });
}

/** Says why a store did not take a record; undefined where it did, or where there was none. */
function whyNot(answer: StoreAnswer<unknown> | undefined): string | undefined {
  return answer === undefined || answer.ok ? undefined : answer.why;
}

/** Checks whether the guard of keys asks the tool what became of an earlier run. */
function isKeyed({ provides, tool, context }: GuardedCall): boolean {
  return provides('idempotency') && (tool.idempotency !== undefined || context.idempotencyKey !== undefined);
}
