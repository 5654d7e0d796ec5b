import { type CallContext, noTenant } from '../../contract/index.ts';
import { canonicalJson } from '../../json/index.ts';
import { assertPositive, type Outcome, refuseOptions } from '../../outcome/index.ts';
import {
  type Approval,
  type ApprovalMethods,
  approvalQuestions,
  assertDecision,
  callNotes,
  deniedFailure,
  expiredFailure,
  type Guard,
  type GuardedCall,
  type GuardedToolbox,
  refuseWith,
  type Store,
} from '../../ports/index.ts';
import { approvalEvent, decisionEvents, defineGuard, type ShownArguments, sayHidden, showArguments } from '../../runtime/index.ts';
import { approvalNote, continuedNote, recordedNote, rerunNote } from '../durable/continued-note.ts';
import { type BegunRun, memoryOf } from '../durable/step-memory.ts';
import { type Ask, askFor, changedTooOften, maxTries, StoreFault } from '../store-access/ask-store.ts';
import { assertStore, toStorableMs } from '../store-access/assert-options.ts';
import { argumentsOf, loadFingerprints } from '../store-access/fingerprint.ts';
import { openPendingCall, settlePendingSoon } from '../store-access/pending-calls.ts';
import { announceChange } from '../store-access/pending-changes.ts';
import { approvalRecords, demand, type HeldApproval } from './approval-records.ts';
import { withdrawApproval } from './withdraw-approval.ts';

/** How approvals behave. */
export interface ApprovalsOptions {
  readonly store: Store;
  /** How long an approval can be given, and used once given. @default 3_600_000 */
  readonly expiresMs?: number;
  /** Whose approval a call can use: all others ask for their own. @default the context's user, and its session, conversation or run */
  readonly scope?: (context: CallContext) => string;
  /** How many characters of the arguments are stored and shown; more is cut, marked and counted. @default 16_000 */
  readonly maxShownCharacters?: number;
  /** How many calls of one tenant may wait at a time; more are refused as `rate_limited`. @default 1_000 */
  readonly maxWaiting?: number;
  /** Ends the sentence "Only the user may approve it, …", which the model reads of a waiting call. @default nothing is said */
  readonly howToApprove?: (waiting: { readonly handle: string; readonly tenantId: string }) => string | undefined;
  readonly now?: () => number;
}

/**
 * Makes calls wait for the approval of a person: those a policy asks about, and those whose tool declares `approval`. Such a call answers
 * `pending` with a handle for `toolbox.decide`; once approved, the same call runs, one time. An approval is bound to tool, arguments, what was
 * shown of them, schema, tenant, user and conversation, expires, and survives a restart with its store. Policies are asked again when the call
 * runs. Without its store such a call is refused.
 */
export function approvals(options: ApprovalsOptions): Guard<ApprovalMethods> {
  refuseOptions<ApprovalsOptions>('approvals', options, {
    store: true,
    expiresMs: true,
    scope: true,
    maxShownCharacters: true,
    maxWaiting: true,
    howToApprove: true,
    now: true,
  });
  assertStore('approvals', options);
  const { store, scope = ownScope, maxShownCharacters = 16_000, maxWaiting = 1_000, howToApprove, now = Date.now } = options;
  const expiresMs = toStorableMs(options.expiresMs ?? 3_600_000);
  assertPositive('approvals', { expiresMs, maxShownCharacters, maxWaiting });

  /** What is looked for at this moment: equal calls wait for one look, so that they make one question and count as one. */
  const looking = new Map<string, Promise<HeldApproval | undefined>>();

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const questions = approvalQuestions(call);
    call.notes.set(callNotes.asksForApproval, true);
    if (questions.length === 0) return next();
    const begun = await memoryOf(call)?.findBegun();
    // What had to be allowed was allowed when the tool began.
    if (begun?.isSameCall) return next();
    const ask = askFor(call, store, { isNeeded: true });
    const prints = await loadFingerprints(store, ask);
    if (!prints.ok) return cannotAsk(call, prints);
    const hash = prints.value.of([call.tool.name, argumentsOf(call), call.tool.schemas().input, scope(call.context)]);
    const shown = showArguments(call.input, call, maxShownCharacters);
    const request: Request = {
      call,
      hash,
      question: sayHidden(call.redactText(questions.join(' '), true), shown),
      shown,
      print: prints.value.of(shown),
    };
    if (begun !== undefined) return goOn(request, begun, next, ask);
    let taking: Promise<HeldApproval | undefined> | undefined;
    const answer = await ask(() => {
      taking = takeApproval(request);
      return taking;
    });
    if (!answer.ok) {
      // The approval may be taken after this answer; give it back for the next call.
      void taking?.then((late) => late && giveBack(call, late)).catch(() => undefined);
      return cannotAsk(call, answer);
    }
    if (answer.value === undefined) return tooManyWait(call);
    const taken = answer.value;
    const { approval } = taken;
    if (approval.state === 'denied') return refuseWith(call, deniedFailure(call.tool.name, approval));
    // Only an approval that this very call has used lets it run.
    if (approval.state !== 'used') return suspend(call, approval, howToApprove?.({ handle: approval.handle, tenantId: call.tenantId }));
    call.notes.set(approvalNote, approval.handle);
    const outcome = await next();
    if (didNotRun(call, outcome)) await askFor(call, store)(() => giveBack(call, taken));
    else await settlePendingSoon(store, call.tenantId, approval.handle, outcome, askFor(call, store));
    return outcome;
  }

  /**
   * Goes on where a call with the same key was cut off, if that was allowed for this caller. To ask once more would be a lie: a person who
   * denies it then believes that nothing ran.
   */
  async function goOn({ call, hash, print }: Request, { approval }: BegunRun, next: () => Promise<Outcome>, ask: Ask): Promise<Outcome> {
    const found = await ask(async () => (approval === undefined ? undefined : approvalRecords(store, call.tenantId).get(approval)));
    if (!found.ok) return cannotAsk(call, found);
    const given = found.value?.approval;
    if (given?.state === 'used' && given.hash === hash && given.shown === print) return next();
    const message = `${call.tool.name} has begun under this key, for another caller or in another run, and was cut off. It goes on there, not here.`;
    return call.refuse('not_ready', message, { effect: 'unknown' });
  }

  /** Gives the approval that counts for a call; one that was given is used by it, unless another call is quicker. Undefined when too many wait. */
  async function takeApproval(request: Request): Promise<HeldApproval | undefined> {
    const { call, hash } = request;
    const records = approvalRecords(store, call.tenantId);
    const usedBy = (call.notes.get(recordedNote) as string | undefined) ?? call.invocationId;
    // A call that was cut off keeps what it was allowed. Callers may choose the ids of their calls, but not make one that is continued.
    const own = call.notes.has(continuedNote) ? await records.findFor(hash) : undefined;
    if (own?.approval.state === 'used' && own.approval.usedBy === usedBy) return own;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const found = await findOnce(request);
      if (found?.approval.state !== 'approved') return found;
      const used = await records.move(found, { state: 'used', usedBy });
      if (used !== undefined) return used;
    }
    throw new StoreFault(changedTooOften);
  }

  function findOnce(request: Request): Promise<HeldApproval | undefined> {
    const name = canonicalJson([request.call.tenantId, request.hash, request.print]);
    const begun = looking.get(name);
    if (begun !== undefined) return begun;
    const found = findOrOpen(request);
    const forget = (): void => {
      if (looking.get(name) === found) looking.delete(name);
    };
    looking.set(name, found);
    void found.then(forget, forget);
    // A store that hangs may answer the next call.
    request.call.onEnd(forget);
    return found;
  }

  /** Lets another call use an approval that was taken for nothing. */
  async function giveBack({ tenantId }: GuardedCall, taken: HeldApproval): Promise<void> {
    if (taken.approval.state === 'used') await approvalRecords(store, tenantId).move(taken, { state: 'approved', usedBy: undefined });
  }

  /** Gives the approval that counts for a call: one that waits, was denied or can be used; a new one otherwise, unless too many wait. */
  async function findOrOpen(request: Request): Promise<HeldApproval | undefined> {
    const { call, hash, print } = request;
    const records = approvalRecords(store, call.tenantId);
    let isCounted = false;
    for (let tries = 0; tries < maxTries; tries += 1) {
      const found = await records.findFor(hash);
      const isSame = found?.approval.shown === undefined || found.approval.shown === print;
      if (found !== undefined && isSame && counting.includes(found.approval.state) && found.approval.expiresAt > now()) {
        if (isCounted) await records.count(-1, expiresMs);
        return found;
      }
      if (found?.approval.state === 'waiting' && (await records.move(found, { state: 'expired' })) !== undefined) {
        call.emit(approvalEvent('approval-expired', found.approval));
      }
      if (!isCounted && (await records.count(1, expiresMs)) > maxWaiting) {
        await records.count(-1, expiresMs);
        return undefined;
      }
      isCounted = true;
      const approval = newApproval(request);
      if (!(await records.open(approval, found))) continue;
      await openPendingCall(store, call, toPending(approval), approval.expiresAt + 86_400_000);
      call.emit(approvalEvent('approval-requested', approval));
      return { approval, version: 1 };
    }
    throw new StoreFault(changedTooOften);
  }

  function newApproval({ call, hash, question, shown, print }: Request): Approval {
    const { userId, callId, sessionId, runId } = call.context;
    return {
      v: 1,
      handle: `approval_${crypto.randomUUID()}`,
      hash,
      tool: call.tool.name,
      ...shown,
      shown: print,
      question,
      state: 'waiting',
      requestedAt: now(),
      expiresAt: now() + expiresMs,
      invocationId: call.invocationId,
      ...(userId !== undefined && { userId }),
      ...(callId !== undefined && { callId }),
      ...(sessionId !== undefined && { sessionId }),
      ...(runId !== undefined && { runId }),
    };
  }

  function cannotAsk(call: GuardedCall, { why, cause }: { readonly why: string; readonly cause?: unknown }): Outcome {
    return call.refuse('not_ready', `${call.tool.name} needs an approval, which cannot be asked for now: ${why}.`, { cause });
  }

  function tooManyWait(call: GuardedCall): Outcome {
    const message = `${call.tool.name} did not run: it needs an approval, and ${maxWaiting} calls wait for a decision already.`;
    return call.refuse('rate_limited', message, { effect: 'none' });
  }

  const methods = (toolbox: GuardedToolbox): ApprovalMethods => {
    const tenant = toolbox.context.tenantId ?? noTenant;
    const records = approvalRecords(store, tenant);
    return {
      async decide(handle, verdict, options = {}) {
        assertDecision(verdict, options);
        const { by, reason: given } = options;
        const reason = given === undefined ? undefined : toolbox.redact(String(given));
        const found = await demand(() => records.get(handle));
        if (found === undefined) return { ok: false, why: 'unknown' };
        const { approval } = found;
        if (approval.state !== 'waiting') return { ok: false, why: approval.state === 'expired' ? 'expired' : 'decided', approval };
        const facts = { decidedAt: now(), ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
        const isExpired = approval.expiresAt <= now();
        const state = isExpired ? 'expired' : verdict === 'approve' ? 'approved' : 'denied';
        const moved = await demand(() => records.move(found, { state, ...(!isExpired && facts) }));
        if (moved === undefined) {
          const current = (await demand(() => records.get(handle)))?.approval;
          return { ok: false, why: 'decided', ...(current !== undefined && { approval: current }) };
        }
        toolbox.emit(approvalEvent(decisionEvents[state], moved.approval));
        // The decision is made; only the count of those that wait may lag behind.
        await demand(() => records.count(-1, expiresMs)).catch(() => undefined);
        if (state === 'approved') void announceChange(store, tenant, handle);
        else await settleDenied(toolbox, tenant, moved.approval);
        return isExpired ? { ok: false, why: 'expired', approval: moved.approval } : { ok: true, approval: moved.approval };
      },
      withdraw: (handle) => withdrawApproval(toolbox, store, tenant, handle),
      findApproval: async (handle) => (await demand(() => records.get(handle)))?.approval,
      listApprovals: (page = {}) => records.list('waiting', (approval) => approval.expiresAt > now(), page),
    };
  };

  /** Gives those who wait for the call its end: it will not run. */
  async function settleDenied(toolbox: GuardedToolbox, tenant: string, approval: Approval): Promise<void> {
    const { tool, handle } = approval;
    const failure = approval.state === 'expired' ? expiredFailure(approval) : deniedFailure(tool, approval);
    await settlePendingSoon(store, tenant, handle, await toolbox.toOutcome(tool, {}, failure, { tenantId: tenant }));
  }

  return defineGuard({ name: 'approvals', once: true, phase: 'approval', provides: ['approval'], around, methods });
}

/** What is asked for one call. */
interface Request {
  readonly call: GuardedCall;
  readonly hash: string;
  readonly question: string;
  readonly shown: ShownArguments;
  readonly print: string;
}

/** The states in which an approval still decides about a call. Another clock may have found it expired already. */
const counting: readonly Approval['state'][] = ['waiting', 'approved', 'denied'];

function toPending({ handle, question, expiresAt }: Approval) {
  return { handle, reason: 'approval' as const, ask: { message: question }, expiresAt: new Date(expiresAt).toISOString() };
}

function suspend(call: GuardedCall, approval: Approval, how: string | undefined): Outcome {
  const [has, again] = call.notes.has(rerunNote)
    ? ['has not run again', 'ask for the rerun again']
    : ['has not run', 'make the same call again'];
  const user = how === undefined ? 'Tell the user' : `Tell the user: only the user may approve it, ${how}`;
  const message = `${call.tool.name} waits for an approval and ${has}. ${approval.question} ${user}; ${again} once it is approved.`;
  return call.pending(toPending(approval), message);
}

function ownScope({ userId, sessionId, conversationId, runId }: CallContext): string {
  const conversation = sessionId ?? conversationId ?? runId ?? '';
  return userId === undefined ? conversation : canonicalJson([userId, conversation]);
}

/** Recognises a call that was approved but did not run because of a later guard: a limit, a store, its deadline. It may use the approval another time. */
function didNotRun({ attempts }: GuardedCall, outcome: Outcome): boolean {
  return outcome.status === 'error' && attempts === 0 && outcome.error.effect === 'none' && outcome.meta.replayed !== true;
}
