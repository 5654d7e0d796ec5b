import { waitForResult } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import { type JsonValue, type Outcome, type PendingOutcome, toToolFailure, withWarning } from '../../outcome/index.ts';
import {
  approvalQuestions,
  approvalRules,
  type Begun,
  type CallPlace,
  changedTool,
  freesKey,
  type Guard,
  type GuardedCall,
  type NewCall,
  type RunPlace,
  refuseWith,
  type StoredCall,
  type StoredStep,
  type TakenCall,
} from '../../ports/index.ts';
import { approvalEvent, defineGuard, differingFields, refuseReusedKey } from '../../runtime/index.ts';
import { nextTurn, type StopTimer, systemClock } from '../../time/index.ts';
import {
  type ApprovalRequest,
  approvalOf,
  approvedPlan,
  asksTheSame,
  deniedForMs,
  isExpired,
  type ShownPlan,
  showPlan,
  suspended,
  toApproval,
  toApprovalRequest,
  toPendingApproval,
} from '../approvals/approval-question.ts';
import { sayEdit } from '../approvals/edited-input.ts';
import { endAllExpired, endExpired, endWithdrawn } from '../approvals/end-waiting.ts';
import { findGrants } from '../approvals/grants.ts';
import type { CallRegistry, Rerun } from '../call-registry.ts';
import type { GoOn } from '../go-on/go-on.ts';
import { howToRead } from '../read/result-reader.ts';
import { type Ask, askFor, askStore } from '../store/ask-store.ts';
import { type Fingerprints, loadFingerprints } from '../store/fingerprint.ts';
import { hasSoundOutcome } from '../store/stored-outcome.ts';
import { hasKey, joinKeyOf, type NamedKey, readKey } from './call-key.ts';
import { type CallRecord, recordOf } from './call-record.ts';
import { keyTextOf, newIdFor, toDraft, toWait } from './draft-call.ts';
import { beginEngineRun } from './engine-run.ts';
import { type KeptProgress, keepProgress } from './keep-progress.ts';
import { createCallLister } from './list-calls.ts';
import { toRunning } from './listed-call.ts';
import { beginLiveCall, type LiveCall } from './live-call.ts';
import { refuseFull, refuseShare, refuseUnheard, refuseUnrecorded, type Unanswered } from './refuse-unrecorded.ts';
import { settleLost } from './settle-lost.ts';
import { createStepMemory, type RunMemory, worstEffect } from './step-memory.ts';
import { readStart, toStart } from './stored-start.ts';
import { waitsToBegin, wasCutOff } from './was-cut-off.ts';

/** That a call was told that it waits for another one. */
const waitsNote = 'waits-for-equal-call';
/** A call that waits for another one for so long is told so. */
const sayAfterMs = 1_000;

/** The guards that remember calls: one around every call, which lists it, and one around those about to run. */
export function createRememberingGuards(
  registry: CallRegistry,
  goOn: Pick<GoOn, 'wake' | 'wakeIfDue'>,
): readonly [list: Guard, remember: Guard] {
  const { ledger, life, store } = registry;
  const lister = createCallLister(registry);

  // ---- what is promised ---------------------------------------------------------------------------------------------------------------

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const record = recordOf(call);
    const { tool } = call;
    const ask = askFor(call, store, { isNeeded: true });
    const taken = record.again?.taken;
    // An approval stays valid once the call has begun: until then a preview may show that it would do another thing by now.
    const isAllowed = taken !== undefined && !(tool.hasPreview && waitsToBegin(taken));
    const questions = isAllowed ? [] : approvalQuestions(call);
    const deferMs = record.again === undefined && tool.name !== waitForResult.name ? tool.deferAfterMs : undefined;
    const mayDefer = deferMs !== undefined && deferMs < call.remainingMs;
    const isOnEngine = registry.isOnEngine && tool.name !== waitForResult.name;
    const isPromised = record.again !== undefined || hasKey(call) || tool.steps || questions.length > 0 || isOnEngine;
    if (taken?.isPromised === false && (hasKey(call) || tool.steps || approvalQuestions(call).length > 0))
      return hasKey(call) ? endByKey(call, record, taken, ask) : endAnswered(call, record, taken);
    if (!isPromised && !mayDefer) return runListed(call, record, next);
    const prints = await loadFingerprints(store, ask);
    if (!prints.ok) return refuseUnrecorded(call, prints);
    const key = hasKey(call) ? readKey(call, prints.value) : undefined;
    if (key !== undefined && 'status' in key) return key;
    if (questions.length > 0 && approvalRules(tool).fourEyes === true && call.context.userId === undefined)
      return call.refuse(
        'not_configured',
        `${tool.name} needs the approval of a second person, but its caller does not say who the first one is.`,
        {
          advice: 'The program that makes the call must pass `userId`.',
          effect: 'none',
        },
      );
    const shown = questions.length === 0 ? undefined : await showPreview(call, prints.value);
    if (shown !== undefined && 'status' in shown) return shown;
    const request = questions.length === 0 ? undefined : toApprovalRequest(registry, call, questions, prints.value, shown);
    const joinKey = key === undefined ? joinKeyOf(call, prints.value) : undefined;
    if (record.again === undefined && key === undefined && request === undefined && joinKey !== undefined) {
      const joined = await findJoined(call, joinKey, ask);
      if (joined !== undefined) return joined;
    }
    if (!isPromised) return runListed(call, record, next, deferral(call, record, deferMs ?? 0, joinKey));
    const beganAt = systemClock.monotonic();
    return enter({ call, record, next, ask, key, request, deferMs: mayDefer ? deferMs : undefined, joinKey, beganAt });
  }

  /** Works out what the call would do, for the person who is asked about it; an outcome where the tool cannot say so. */
  async function showPreview(call: GuardedCall, prints: Fingerprints): Promise<ShownPlan | Outcome | undefined> {
    if (!call.tool.hasPreview) return undefined;
    const outcome = await call.preview();
    if (outcome?.status === 'error') return refuseWith(call, toToolFailure(outcome.error));
    const data = outcome?.status === 'ok' || outcome?.status === 'partial' ? (outcome.data as JsonValue) : null;
    return showPlan(data, prints, call, registry.approvals.maxShownCharacters);
  }

  /** The approval of a call that is about to run, and the steps of its earlier runs. */
  interface Shown extends Pick<Remembered, 'steps'> {
    /** The plan, where there was one. */
    readonly expected: string | undefined;
    /** The arguments that the caller gave. */
    readonly received: unknown;
    readonly memory: RunMemory | undefined;
  }

  /**
   * Works out again what a call would do that is about to run. Where that is another thing than what was allowed, the call ends, and people are
   * asked about it as it is now; the failure names the new question.
   */
  async function endIfPlanChanged(
    entering: Entering,
    live: LiveCall,
    { expected, received, steps, memory }: Shown,
  ): Promise<Outcome | undefined> {
    const { call, request, ask } = entering;
    if (!call.tool.hasPreview || expected === undefined || request === undefined) return undefined;
    const prints = await loadFingerprints(store, ask);
    const newPlan = prints.ok ? await showPreview(call, prints.value) : refuseUnrecorded(call, prints);
    if (newPlan === undefined || 'status' in newPlan) return newPlan && live.end(newPlan);
    if (newPlan.plan === expected) return undefined;
    const message = `${call.tool.name} did not run: what it would do has changed since it was approved.`;
    if (steps.length > 0) {
      // The steps of the calls before it stay with this one: who runs it again is asked about it as it is then, and goes on with them.
      const advice =
        'Steps of an earlier run are done already. The user can run this call again by its id, and is then asked about the new plan.';
      const effect = memory?.effect?.() ?? 'unknown';
      return live.end(call.refuse('conflict', message, { code: 'plan_changed', effect, advice }));
    }
    const ended = await live.end(call.refuse('conflict', message, { code: 'plan_changed', effect: 'none' }));
    let plan = newPlan;
    if (call.received !== received) {
      // The new question is about the call as its caller made it.
      await call.useInput(received);
      const originalPlan = prints.ok ? await showPreview(call, prints.value) : undefined;
      if (originalPlan === undefined || 'status' in originalPlan) return ended;
      plan = originalPlan;
    }
    const askedOutcome = await enter({ ...entering, record: { ...entering.record, again: undefined }, request: { ...request, ...plan } });
    if (askedOutcome.status !== 'pending') return ended;
    const { handle } = askedOutcome.pending;
    const advice = 'The user is asked about the new plan. Tell the user; make the same call again once it is approved.';
    return call.refuse('conflict', message, { code: 'plan_changed', effect: 'none', advice, details: { handle } });
  }

  /** Ends the row of a call that was answered without having run, such as one that was denied: it is not run in its place. */
  function endAnswered(call: GuardedCall, record: CallRecord, taken: TakenCall): Promise<Outcome> {
    const effect = call.tool.effects === 'none' ? 'none' : 'unknown';
    const message = `The process that answered ${call.tool.name} is gone, and its answer was not recorded.`;
    return adopt(call, record, taken, { isKeyed: false, listed: taken.listed }).end(call.refuse('interrupted', message, { effect }));
  }

  /**
   * Ends the row of a call with a key that is not the row which has the key: its caller was answered with another call's outcome, or was refused.
   * It ends as the call that has the key did. It never runs: who was refused was told that nothing happens.
   */
  async function endByKey(call: GuardedCall, record: CallRecord, taken: TakenCall, ask: Ask): Promise<Outcome> {
    const prints = await loadFingerprints(store, ask);
    const key = prints.ok ? readKey(call, prints.value) : undefined;
    const keyLookup = key === undefined || 'status' in key ? undefined : await ask(() => ledger.findByKey(call.tenantId, key.text));
    const holder = keyLookup?.ok === true ? keyLookup.value : undefined;
    const fields = key === undefined || 'status' in key ? {} : key.fields;
    const isSame = holder?.stage === 'ended' && differingFields(fields, readStart(holder)?.fields ?? {}).length === 0;
    if (!isSame || holder.outcome === undefined || holder.guessAbout !== undefined) return endAnswered(call, record, taken);
    const live = adopt(call, record, taken, { isKeyed: false, listed: taken.listed });
    return live.end(call.replay(holder.outcome, { replayed: true }));
  }

  /** Finds an equal call that runs on or waits, after its own caller was answered. */
  async function findJoined(call: GuardedCall, joinKey: string, ask: Ask): Promise<Outcome | undefined> {
    const lookup = await ask(() => ledger.findByKey(call.tenantId, joinKey));
    const equal = lookup.ok ? lookup.value : undefined;
    if (equal === undefined || equal.stage === 'ended' || equal.isDead) return undefined;
    return joinedOutcome(call, equal);
  }

  function joinedOutcome(call: GuardedCall, { handle, outcome, stage }: StoredCall): Outcome {
    const read = howToRead(store);
    if (stage === 'waiting' && outcome?.status === 'pending') return call.pending(outcome.pending, outcome.message);
    return call.pending({ handle, reason: 'running', pollAfterMs: 1000 }, `The same call is already running. ${read}`);
  }

  /** Runs a call to which nothing was promised: only the list knows it, unless it is deferred, or waits. */
  async function runListed(call: GuardedCall, record: CallRecord, next: () => Promise<Outcome>, defer?: Deferral): Promise<Outcome> {
    // A call that may be deferred is listed once it is, or has ended.
    if (defer === undefined) lister.begin(call, record);
    defer?.begin();
    const outcome = await (defer === undefined ? next() : defer.run(next));
    if (outcome.status !== 'pending' || record.live !== undefined || call.outcome !== undefined) return outcome;
    if (outcome.pending.reason === 'approval' || call.tool.name === waitForResult.name) return outcome;
    if (outcome.pending.reason === 'host' && outcome.pending.handle === call.invocationId) return outcome;
    return letWait(call, record, outcome);
  }

  /** Lets a call wait whose handler has answered `pending`. */
  async function letWait(call: GuardedCall, record: CallRecord, outcome: PendingOutcome): Promise<Outcome> {
    // Its row in the list is still on its way where the store is slow.
    const listed = await askFor(call, store)(async () => record.listing);
    const place = listed.ok ? (listed.value ?? (await beginNow(call, record, {}))) : listed;
    if ('why' in place) return withWarning(outcome, `not_recorded: it cannot be settled later: ${place.why}`);
    return adopt(call, record, place, { isKeyed: false, progress: record.progress }).end(outcome);
  }

  // ---- deferring ----------------------------------------------------------------------------------------------------------------------

  interface Deferral {
    readonly begin: () => void;
    readonly run: (next: () => Promise<Outcome>) => Promise<Outcome>;
  }

  /** Answers the caller after a time, while the call goes on. */
  function deferral(call: GuardedCall, record: CallRecord, afterMs: number, joinKey: string | undefined): Deferral {
    let stopTimer: StopTimer | undefined;
    let detaching: Promise<void> | undefined;
    let live: LiveCall | undefined;
    let unrecorded: string | undefined;
    const isRecorded = record.live !== undefined;
    const key = joinKey === undefined ? undefined : { text: joinKey, countsMs: 0 };
    const progress = isRecorded ? undefined : keepProgress(registry, call);

    async function detach(): Promise<void> {
      if (call.outcome !== undefined) return;
      let place = record.live?.place;
      if (place === undefined) {
        const begun = await beginNow(call, record, key === undefined ? {} : { key });
        if ('why' in begun) {
          unrecorded = `not_recorded: it was not deferred: ${begun.why}`;
          return call.warn(unrecorded);
        }
        place = begun;
        live = adopt(call, record, begun, { isKeyed: false, progress });
      } else if (key !== undefined) {
        const at = place;
        await askStore(() => ledger.note(at, { joinKey: key }));
      }
      if (call.outcome !== undefined) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      registry.deferred.add(promise);
      call.onEnd(() => {
        registry.deferred.delete(promise);
        resolve();
      });
      const pending = { handle: place.id, reason: 'running' as const, pollAfterMs: 1000 };
      call.detach(call.pending(pending, `${call.tool.name} is still running. ${howToRead(store)}`));
    }

    return {
      begin() {
        stopTimer ??= systemClock.after(afterMs, () => {
          detaching = detach().catch(() => undefined);
        });
      },
      async run(next) {
        const outcome = await next();
        stopTimer?.();
        if (!isRecorded) await detaching;
        if (live !== undefined) return live.end(outcome);
        // Its outcome may be older than the warning.
        return unrecorded === undefined || outcome.meta.warnings?.includes(unrecorded) ? outcome : withWarning(outcome, unrecorded);
      },
    };
  }

  // ---- beginning ----------------------------------------------------------------------------------------------------------------------

  interface Entering {
    readonly call: GuardedCall;
    readonly record: CallRecord;
    readonly next: () => Promise<Outcome>;
    readonly ask: Ask;
    readonly key: NamedKey | undefined;
    readonly request: ApprovalRequest | undefined;
    /** After how long its caller is answered, while it goes on. */
    readonly deferMs: number | undefined;
    readonly joinKey: string | undefined;
    readonly beganAt: number;
  }

  /** Begins a call in the ledger, or goes by what is known of the call that has its key. */
  async function enter(entering: Entering): Promise<Outcome> {
    const { call, record, key, request, ask } = entering;
    const repetition = record.again;
    if (repetition?.taken !== undefined) return runTaken(entering, repetition.taken);
    if (registry.share.isUsed(call.tenantId)) return refuseShare(call);
    let rerun = repetition?.rerun;
    let hasMadeRoom = false;
    let id = newIdFor(registry, call, record);
    let grants = request === undefined ? [] : await findGrants(registry, call, request, ask);
    const askKey = request && { text: `ask ${request.print}`, countsMs: request.expiresMs };
    if (grants.length > 0 && key === undefined && askKey !== undefined) {
      // A person may have been asked about this very call before there was the grant, and may have said no.
      const earlierAnswer = await ask(() => ledger.findByKey(call.tenantId, askKey.text));
      if (!earlierAnswer.ok) return refuseUnrecorded(call, earlierAnswer);
      const course =
        earlierAnswer.value === undefined || earlierAnswer.value.stage === 'running'
          ? undefined
          : await chooseCourse(entering, earlierAnswer.value, grants);
      if (course !== undefined && 'outcome' in course) return course.outcome;
      if (course !== undefined && 'taken' in course) return runTaken(entering, course.taken);
    }
    for (let isFirst = true; ; isFirst = false) {
      // A store that always gives the same answer at once must not keep the deadline from passing.
      if (!isFirst) await nextTurn();
      if (call.outcome !== undefined) return call.outcome;
      const signing = await life.sign();
      if (signing?.ok === false) return refuseUnrecorded(call, signing);
      const isAsked = request !== undefined && grants.length === 0;
      const draft = toDraft(registry, call, id, {
        isPromised: true,
        ...(grants.length > 0 && { grants }),
        ...(key !== undefined && { fields: key.fields }),
        ...(rerun?.rerunOf !== undefined && { rerunOf: rerun.rerunOf }),
        ...(rerun !== undefined && { instead: { tenant: call.tenantId, ...rerun.instead }, origin: rerun.origin }),
        ...(rerun?.from !== undefined && { rerunFrom: rerun.from }),
        key: key === undefined ? (isAsked ? askKey : undefined) : keyTextOf(call, key),
        isRerun: repetition?.rerun !== undefined,
        // The fate of the earlier call is settled before a person is asked about this one.
        ...(isAsked && rerun?.reconciles !== true && { request }),
      });
      const answer = await ask(() => ledger.begin(draft));
      if (!answer.ok) return draft.wait === undefined ? refuseUnheard(registry, call, draft, answer) : refuseUnrecorded(call, answer);
      const begun = readBegun(answer.value);
      if (begun === undefined)
        return refuseUnheard(registry, call, draft, { ok: false, why: 'the store gave an answer that cannot be read here' });
      if (begun.is === 'full') {
        if (hasMadeRoom || !(await endAllExpired(registry, call, ask))) return refuseFull(registry, call);
        hasMadeRoom = true;
        continue;
      }
      if (begun.is === 'ungranted') {
        grants = [];
        continue;
      }
      if (begun.is === 'refused') {
        // Callers may give one id to several calls; the first is found by it.
        if (rerun !== undefined && id !== call.invocationId)
          return call.refuse('conflict', `The call ${rerun.rerunOf} cannot be run again: it is gone.`, { effect: 'none' });
        id = crypto.randomUUID();
        continue;
      }
      if (begun.is === 'begun') {
        registry.share.addCall(draft);
        const place = { tenant: call.tenantId, id, epoch: begun.epoch };
        record.isKept = true;
        if (isAsked && rerun?.reconciles !== true) return askPerson(entering, place, request, draft);
        const live = adopt(call, record, place, { isKeyed: key !== undefined, listed: draft.listed, joinKey: entering.joinKey });
        const inherited = rerun === undefined || !call.tool.steps ? noSteps : await readInherited(entering, place);
        if ('why' in inherited) return live.end(refuseUnrecorded(call, inherited));
        const inheritance = { ...inherited, origin: draft.origin, isNewAttempt: rerun !== undefined };
        const memory = rememberSteps(entering, live, inheritance, rerun?.from);
        const lost = rerun?.reconciles === true ? await settleLost(call, memory) : undefined;
        if (lost !== undefined) return live.end(lost.outcome);
        if (!isAsked) {
          const other =
            begun.grant === undefined
              ? undefined
              : await endIfPlanChanged(entering, live, { ...inheritance, memory, expected: request?.plan, received: call.received });
          return other ?? runAdopted(entering, live);
        }
        return live.ask(toWait(registry, call, id, request, draft.listed, false));
      }
      if (rerun !== undefined && begun.call.id === rerun.instead.id) {
        // Another call goes on with its steps: of several reruns one runs, and of several calls with its key too.
        if (repetition?.rerun !== undefined)
          return call.refuse('conflict', `The call ${rerun.rerunOf} is already being run again.`, { effect: 'none' });
        rerun = undefined;
        continue;
      }
      const course = await chooseCourse(entering, begun.call, grants);
      if ('outcome' in course) return course.outcome;
      if ('taken' in course) return runTaken(entering, course.taken);
      rerun = 'rerun' in course ? course.rerun : repetition?.rerun;
    }
  }

  type Course = { readonly outcome: Outcome } | { readonly taken: TakenCall } | { readonly rerun: Rerun } | { readonly again: true };

  /** Goes by what is known of the call that has the key. */
  async function chooseCourse(entering: Entering, existing: StoredCall, grants: readonly string[]): Promise<Course> {
    const { call, key, request, ask } = entering;
    const start = readStart(existing);
    const fields = start?.fields ?? {};
    if (key !== undefined && differingFields(key.fields, fields).length > 0) return { outcome: refuseReusedKey(call, key.fields, fields) };
    if (existing.stage === 'ended') return chooseCourseAfterEnd(entering, existing);
    if (existing.stage === 'running') {
      if (existing.isDead && existing.process !== life.name) return take(entering, existing, 'dead');
      return awaitOther(entering, existing);
    }
    const approval = approvalOf(existing);
    const waitsForPerson =
      approval !== undefined &&
      approval.state !== 'withdrawn' &&
      existing.outcome?.status === 'pending' &&
      existing.outcome.pending.reason === 'approval';
    if (!waitsForPerson) {
      if (existing.wakeAt !== undefined && existing.wakeAt <= existing.readAt) return take(entering, existing, 'waiting');
      const { outcome } = existing;
      return {
        outcome: key === undefined || outcome === undefined ? joinedOutcome(call, existing) : call.replay(outcome, { replayed: true }),
      };
    }
    if (isExpired(approval, existing.readAt)) {
      await endExpired(registry, call, existing, ask);
      return { again: true };
    }
    if (request !== undefined && !asksTheSame(approval, request)) {
      await endWithdrawn(registry, call, existing, ask);
      return { again: true };
    }
    if (approval.state === 'approved' || request === undefined) return take(entering, existing, 'waiting');
    if (approval.state === 'open' && grants.length > 0) {
      const taken = await take(entering, existing, 'waiting', grants);
      if (!('again' in taken)) return taken;
      // A grant that counts no more leaves the question open; otherwise the call has changed, and is looked at again.
      const current = await ask(() => ledger.get(existing.tenant, existing.id));
      if (!current.ok || current.value?.changes !== existing.changes) return taken;
    }
    const pending =
      existing.outcome?.status === 'pending' ? existing.outcome.pending : toPendingApproval(existing.id, '', approval.expiresAt);
    return { outcome: suspended(registry, call, pending, entering.record.again?.rerun !== undefined) };
  }

  async function chooseCourseAfterEnd(entering: Entering, existing: StoredCall): Promise<Course> {
    const { call, key, record } = entering;
    const { outcome, guessAbout } = existing;
    if (outcome === undefined) return { again: true };
    // Its caller was answered at the deadline, and its tool still runs: it may still bring its result.
    if (guessAbout === existing.epoch && !existing.isDead) return awaitOther(entering, existing);
    if (key === undefined)
      return {
        outcome: outcome.status === 'error' ? refuseWith(call, toToolFailure(outcome.error)) : call.replay(outcome, { replayed: true }),
      };
    if (outcome.status === 'error') {
      const { effect } = outcome.error;
      // A person said no. To ask once more would only wear that person down.
      const approval = approvalOf(existing);
      const isSilentNo = approval !== undefined && outcome.error.code === 'approval_expired' && deniedForMs(approval) > 0;
      if (approval?.state === 'denied' || isSilentNo) return { outcome: refuseWith(call, toToolFailure(outcome.error)) };
      const isDoubtful = effect === 'unknown' && call.tool.canReconcile;
      const isRerun = record.again?.rerun !== undefined;
      const mayRun = freesKey(call.tool, outcome.error) || mayGoOn(call, outcome);
      if (mayRun || isDoubtful || isRerun) {
        const { rerunOf, from } = record.again?.rerun ?? {};
        const instead = { id: existing.id, epoch: existing.epoch };
        const rerun = { instead, origin: existing.origin, ...(rerunOf !== undefined && { rerunOf }), ...(from !== undefined && { from }) };
        return { rerun: isDoubtful && !isRerun ? { ...rerun, reconciles: true } : rerun };
      }
      if (effect === 'unknown') call.markMayHaveEffect();
    }
    return { outcome: call.replay(outcome, { replayed: true }) };
  }

  /** A call that was stopped may go on later, like one that was stopped while it slept: its steps are remembered. */
  function mayGoOn({ tool }: GuardedCall, outcome: Outcome): boolean {
    return tool.steps && outcome.status === 'error' && outcome.error.kind === 'cancelled' && outcome.error.effect === 'applied';
  }

  /** Waits until the call that has the key has changed; a call that may be deferred waits no longer than its caller would. */
  async function awaitOther({ call, deferMs, beganAt }: Entering, existing: StoredCall): Promise<Course> {
    call.markMayHaveEffect();
    const patienceMs = deferMs === undefined ? Number.POSITIVE_INFINITY : deferMs - (systemClock.monotonic() - beganAt);
    if (patienceMs <= 0) return { outcome: joinedOutcome(call, existing) };
    // The other one may be of the same batch, and wait for this one.
    const skipped = await call.passGate();
    if (skipped !== undefined) return { outcome: skipped };
    const stopTimer = systemClock.after(sayAfterMs, () => sayThatItWaits(call), { background: true });
    await registry.changes.next(existing, Math.max(1, Math.min(call.remainingMs, patienceMs)), call.signal);
    stopTimer();
    return { again: true };
  }

  /** Whoever waits for another process is told so, once: where that one has died, it takes the time of its lease. */
  function sayThatItWaits(call: GuardedCall): void {
    if (call.notes.has(waitsNote)) return;
    call.notes.set(waitsNote, true);
    const leaseS = Math.ceil(registry.leaseMs / 1000);
    call.progress(`The same call is already running. Waiting for it; if its process is gone, it is taken over within about ${leaseS} s.`);
  }

  async function take(
    { ask, call }: Entering,
    existing: StoredCall,
    from: 'waiting' | 'dead',
    grants?: readonly string[],
  ): Promise<Course> {
    const signing = await life.sign();
    if (signing?.ok === false) return { outcome: refuseUnrecorded(call, signing) };
    const answer = await ask(() => ledger.take(existing, { epoch: existing.epoch, process: life.name, from, ...(grants && { grants }) }));
    if (!answer.ok) return { outcome: refuseUnrecorded(call, answer, call.tool.effects !== 'none') };
    return answer.value.is === 'taken' ? { taken: answer.value.call } : { again: true };
  }

  /** Reads what a call goes on with: the steps of the one that it replaces, and what that was answered. */
  async function readInherited({ ask }: Entering, place: RunPlace): Promise<Pick<Remembered, 'steps' | 'questions'> | Unanswered> {
    const [steps, stored] = await Promise.all([ask(() => ledger.steps(place)), ask(() => ledger.get(place.tenant, place.id))]);
    if (!steps.ok) return steps;
    return stored.ok ? { steps: steps.value, questions: stored.value?.questions ?? [] } : stored;
  }

  /** Lets a call wait for the person who was asked about it. */
  function askPerson({ call, record }: Entering, place: RunPlace, request: ApprovalRequest, draft: NewCall): Outcome {
    const question = draft.wait?.questions[0];
    const pending =
      draft.wait?.outcome.status === 'pending' ? draft.wait.outcome.pending : toPendingApproval(place.id, request.question, undefined);
    const now = systemClock.now();
    if (question !== undefined) {
      const openQuestion = {
        ...question,
        tenant: place.tenant,
        call: place.id,
        tool: call.tool.name,
        listed: draft.listed,
        state: 'open' as const,
        askedAt: now,
      };
      call.emit(approvalEvent('approval-requested', toApproval(openQuestion, { id: place.id, stage: 'waiting', readAt: now })));
    }
    return suspended(registry, call, pending, record.again?.rerun !== undefined);
  }

  // ---- running ------------------------------------------------------------------------------------------------------------------------

  interface AdoptFacts {
    readonly isKeyed: boolean;
    readonly listed?: NewCall['listed'];
    readonly joinKey?: string | undefined;
    readonly progress?: KeptProgress | undefined;
    /** The call that waited for its approval until it was taken. */
    readonly approved?: TakenCall | undefined;
    readonly isRepeated?: boolean;
  }

  function adopt(call: GuardedCall, record: CallRecord, place: RunPlace, facts: AdoptFacts): LiveCall {
    const listed = facts.listed ?? toRunning(place.id, toStart(call, registry));
    const live = beginLiveCall({
      registry,
      call,
      place,
      listed,
      isKeyed: facts.isKeyed,
      joinKey: facts.isKeyed ? undefined : facts.joinKey,
      approved: facts.approved,
      isRepeated: facts.isRepeated,
      progress: facts.progress,
      trace: () => record.trace() as never,
      hasBegun: registry.isOnEngine ? () => record.isSent === true || call.attempts > 0 : undefined,
      onWait: (memory: RunMemory) => {
        const suspension = memory.suspension();
        if (suspension === undefined) return;
        registry.held.hold(call, place, suspension, wakerOf({ tenant: place.tenant, id: place.id }));
        // It may have been answered before it was held.
        if (suspension.questions.length > 0) void goOn.wakeIfDue(place).catch(() => undefined);
      },
    });
    record.live = live;
    record.isKept = true;
    return live;
  }

  /** Goes on with a call once its time has come. Made apart from the run that waits, so that it holds nothing of that. */
  function wakerOf(place: CallPlace): () => void {
    return () => void goOn.wake(place).catch(() => undefined);
  }

  interface Remembered {
    readonly steps: readonly StoredStep[];
    readonly questions: StoredCall['questions'];
    readonly origin: string;
    readonly isNewAttempt: boolean;
    readonly wasDead?: boolean;
    readonly isCancelled?: boolean;
    /** Whether an engine may have the call already. */
    readonly isSent?: boolean;
  }

  /** Gives a call what it goes on with: in this process only one that has steps has a memory. */
  function rememberSteps({ call, record }: Entering, live: LiveCall, known: Remembered, from: string | undefined): RunMemory | undefined {
    if (registry.isOnEngine && call.tool.name !== waitForResult.name) {
      record.isSent = known.isSent === true;
      return beginEngineRun({
        registry,
        call,
        live,
        from,
        ...known,
        isCancelled: known.isCancelled === true,
        wasBegun: () => record.isSent === true,
        onBegin: () => {
          record.isSent = true;
        },
      });
    }
    if (!call.tool.steps) return undefined;
    const { isCancelled: _, isSent: __, ...remembered } = known;
    const memory = createStepMemory({ call, ledger, live, from, wasDead: false, ...remembered });
    live.remember(memory);
    call.remember(memory);
    return memory;
  }

  /** Goes on with a call that this process has taken: from one that waited, or from one that is dead. */
  async function runTaken(entering: Entering, taken: TakenCall): Promise<Outcome> {
    const { call, record, key, joinKey } = entering;
    const { origin, steps, questions, epoch } = taken;
    const wasDead = wasCutOff(taken);
    const start = readStart(taken);
    const isSent = !waitsToBegin(taken);
    const approved = isSent || approvalOf(taken)?.state !== 'approved' ? undefined : taken;
    const live = adopt(call, record, taken, {
      isKeyed: key !== undefined,
      listed: taken.listed,
      joinKey,
      approved,
      isRepeated: wasDead && call.tool.effects === 'idempotent' && !registry.isOnEngine,
    });
    const isNewAttempt = steps.length > 0 && steps.every((step) => step.epoch === 0);
    const inheritance = { steps, questions, origin, isNewAttempt, wasDead, isCancelled: taken.isCancelled, isSent };
    const memory = rememberSteps(entering, live, inheritance, start?.rerunFrom);
    const approval = approvalOf(taken);
    const edit = approval === undefined ? undefined : toApproval(approval, taken);
    const { received } = call;
    if (edit?.edited !== undefined) {
      const unfit = await call.useInput(edit.edited);
      if (unfit !== undefined) return live.end(unfit, wasDead ? epoch - 1 : undefined);
    }
    if (!wasDead && entering.request !== undefined) {
      const isUnderGrant = taken.grant !== undefined && approval?.state !== 'approved';
      const expected = isUnderGrant ? entering.request.plan : approved && approval && approvedPlan(approval);
      const other = await endIfPlanChanged(entering, live, { expected, received, steps, memory });
      if (other !== undefined) return other;
    }
    // A run that died may have begun what leaves no trace before it has ended: a tool without steps, or a step that may be repeated.
    const stored = memory?.effect?.() ?? worstEffect(steps);
    const effect = stored === 'none' && wasDead && call.tool.effects !== 'none' ? 'unknown' : stored;
    if (effect !== 'none') call.markMayHaveEffect();
    // An engine says itself what a call has done that it was asked to stop.
    if (taken.isCancelled && !registry.isOnEngine) {
      const message = wasDead ? `${call.tool.name} was cancelled, and its process died.` : `${call.tool.name} was cancelled.`;
      return live.end(call.refuse('cancelled', message, { effect }));
    }
    const isPlain = memory === undefined && !wasDead && call.tool.effects === 'writes';
    const left = isPlain ? steps.find((step) => worstEffect([step]) !== 'none') : undefined;
    // A tool that has no steps any more would do again what they did.
    if (left !== undefined) return live.end(call.refuse('conflict', changedTool(call.tool.name, left.name).message, { effect }));
    const asEdited =
      edit?.edited === undefined ? entering : { ...entering, next: async () => withNote(await entering.next(), sayEdit(edit)) };
    // A call on an engine did not die with the process that watched it.
    if (!wasDead || registry.isOnEngine) return runAdopted(asEdited, live);
    const lost = await settleLost(call, memory);
    if (lost === undefined) return runAdopted(asEdited, live);
    record.again?.onSettled?.(lost.isGuess ? 'interrupted' : 'reconciled');
    return live.end(lost.outcome, lost.isGuess ? epoch - 1 : undefined);
  }

  function runAdopted({ call, next, deferMs, joinKey, record }: Entering, live: LiveCall): Promise<Outcome> {
    const defer = deferMs === undefined ? undefined : deferral(call, record, deferMs, joinKey);
    defer?.begin();
    return live.run(() => (defer === undefined ? next() : defer.run(next)));
  }

  /** Begins a call in the ledger that has run until now without it. */
  async function beginNow(
    call: GuardedCall,
    record: CallRecord,
    facts: { readonly key?: NewCall['key'] },
  ): Promise<RunPlace | { readonly why: string }> {
    const signing = await life.sign();
    if (signing?.ok === false) return { why: signing.why };
    let { key } = facts;
    for (let id = newIdFor(registry, call, record); ; id = crypto.randomUUID()) {
      const draft = toDraft(registry, call, id, { isPromised: true, ...(key !== undefined && { key }) });
      const answer = await askFor(call, store)(() => ledger.begin(draft));
      if (!answer.ok) {
        record.unheard = id;
        return { why: answer.why };
      }
      if (answer.value.is === 'begun') {
        registry.share.addCall(draft);
        return { tenant: draft.tenant, id, epoch: answer.value.epoch };
      }
      // Another call that is equal was faster to be deferred; this one goes on by itself.
      if (answer.value.is === 'found') key = undefined;
      if (answer.value.is === 'full') return { why: 'too many calls of its tenant are waiting' };
    }
  }

  return [lister.guard, defineGuard({ name: 'remember', phase: 'remember', once: true, around })];
}

const noSteps: Pick<TakenCall, 'steps' | 'questions'> = { steps: [], questions: [] };

/** Lets whoever reads an outcome read first what else there is to know about its call. */
function withNote(outcome: Outcome, note: string): Outcome {
  const add = (text: string | undefined): string => (text === undefined ? note : `${note} ${text}`);
  if (outcome.status !== 'error') return Object.freeze({ ...outcome, message: add(outcome.message) });
  return Object.freeze({ ...outcome, error: Object.freeze({ ...outcome.error, message: add(outcome.error.message) }) });
}

/** Believes an answer only if it says what became of a call, and gives a call that can be read. */
function readBegun(begun: Begun): Begun | undefined {
  const { is, epoch, call } = (begun ?? {}) as Partial<Record<string, unknown>>;
  if (is === 'refused' || is === 'full' || is === 'ungranted' || (is === 'begun' && typeof epoch === 'number')) return begun;
  if (is !== 'found' || !isRecord(call) || !isRecord(call.start)) return undefined;
  const stored = call as unknown as StoredCall;
  return readStart(stored) !== undefined && hasSoundOutcome(stored) ? begun : undefined;
}
