import type { CallContext } from '../../contract/index.ts';
import type { CallFacts } from '../../events/index.ts';
import { fail, type Meta, type Outcome, type Pending, type ToolFailure, withoutAbsent, withWarning } from '../../outcome/index.ts';
import { type CallPlace, expiredFailure, type GuardedToolbox, type StoredCall, type TakenCall } from '../../ports/index.ts';
import { approvalEvent } from '../../runtime/index.ts';
import { sleep, systemClock } from '../../time/index.ts';
import { approvalOf, deniedForMs, isExpired, toApproval } from '../approvals/approval-question.ts';
import { endStored } from '../approvals/end-waiting.ts';
import type { CallRegistry, MadeAgain } from '../call-registry.ts';
import { pendingOf } from '../read/await-call.ts';
import { bareMeta } from '../run/answers.ts';
import { toEnded } from '../run/listed-call.ts';
import { worstEffect } from '../run/step-memory.ts';
import { readStart, type StoredStart } from '../run/stored-start.ts';
import { cutOffWarning, wasCutOff } from '../run/was-cut-off.ts';
import { askStore } from '../store/ask-store.ts';

/** Facts about a call that a worker has before it continues it. */
export type WorkerCall = Omit<CallFacts, 'call'>;

/** Supplies what the application gives to a call and no store keeps: `auth` and `app`. */
export type ContextSupply = (call: WorkerCall) => CallContext | Promise<CallContext>;

/** Goes on with calls that this process has taken. */
export interface GoOn {
  /** Runs a call that waited, or that another process left behind, to its end or its next wait. */
  readonly run: (taken: TakenCall, supply: ContextSupply, onSettled?: MadeAgain['onSettled']) => Promise<Outcome>;
  /** Returns back a call that the store says this process runs, and that nobody here goes on with; gives false where its tool is not known. */
  readonly release: (call: StoredCall) => Promise<boolean>;
  /** Goes on with a call that this process began and that waits; undefined where another process has it. */
  readonly wake: (place: CallPlace) => Promise<Outcome | undefined>;
  /** Goes on with a call that this process began, where what it waits for has come already. */
  readonly wakeIfDue: (place: CallPlace) => Promise<void>;
}

/** How long a call waits that could not go on here, where nothing says when it can: a store failed, or a guard refused it. */
const refusedWaitMs = 10_000;
/** The longest that the clock of a store is waited for. */
const longestLagMs = 2_000;

/** Creates what goes on with the calls of a toolbox. */
export function createGoOn(registry: CallRegistry, toolbox: () => GuardedToolbox): GoOn {
  const { ledger, life, again, held } = registry;

  async function run(taken: TakenCall, supply: ContextSupply, onSettled?: MadeAgain['onSettled']): Promise<Outcome> {
    // Until the call itself takes its place.
    const endLife = life.begin({ tenant: taken.tenant, id: taken.id, epoch: taken.epoch, onCancel: ignore, onLost: ignore });
    try {
      return await runAlive(taken, supply, onSettled);
    } finally {
      endLife();
    }
  }

  async function runAlive(taken: TakenCall, supply: ContextSupply, onSettled: MadeAgain['onSettled'] = ignore): Promise<Outcome> {
    const start = readStart(taken);
    const approval = approvalOf(taken);
    const waitedForPerson = !taken.wasDead && taken.outcome?.status === 'pending' && taken.outcome.pending.reason === 'approval';
    if (waitedForPerson && approval !== undefined) {
      if (taken.isCancelled) return end(taken, cancelledFailure(taken));
      if (isExpired(approval, taken.readAt)) {
        toolbox().emit(approvalEvent('approval-expired', toApproval(approval, { ...taken, stage: 'waiting' })));
        return end(taken, expiredFailure({ tool: taken.tool, handle: taken.handle }), { keyCountsMs: deniedForMs(approval) });
      }
    }
    const args = taken.args ?? (start?.isWhole === true ? start.event.input : undefined);
    if (start === undefined || args === undefined) return endUnknown(taken, `${taken.tool} was interrupted: its arguments are not kept.`);
    const context = { ...contextOf(taken, start), ...(await supply(factsOf(start))) };
    again.set(taken.id, { taken, onSettled, conclude: (outcome) => concludeRefused(taken, outcome) });
    const { callId } = start.event;
    return toolbox()
      .answer({ name: taken.tool, args, ...(callId !== undefined && { callId }) }, context)
      .finally(() => again.delete(taken.id));
  }

  /** A guard in front of the ledger, or a changed schema, has kept a call from going on. */
  async function concludeRefused(taken: TakenCall, outcome: Outcome): Promise<Outcome> {
    if (outcome.status === 'error' && outcome.error.retryable && (!taken.wasDead || mayGoOn(taken.tool))) {
      const { retryAfterMs = refusedWaitMs } = outcome.error;
      const pending = { handle: taken.handle, reason: 'running' as const, pollAfterMs: 1000 };
      await askStore(() => letWait(taken, pending, outcome.meta, retryAfterMs));
      return Object.freeze({ status: 'pending', pending, meta: outcome.meta });
    }
    // That its repetition was refused says nothing about what the call did itself.
    const why = outcome.status === 'error' ? outcome.error.message : outcome.status;
    return endUnknown(taken, `${taken.tool} was interrupted, and could not be repeated: ${why}`);
  }

  async function end(taken: StoredCall, failure: ToolFailure, facts: Parameters<typeof endStored>[3] = {}): Promise<Outcome> {
    const outcome = await toOutcome(taken, failure);
    await askStore(() => endStored(registry, taken, outcome, facts));
    return outcome;
  }

  function endUnknown(
    taken: Pick<TakenCall, 'wasDead' | 'steps'> & StoredCall,
    message: string,
    about = taken.epoch - 1,
  ): Promise<Outcome> {
    const failure = fail('interrupted', message, { effect: effectOfTaken(taken, toolbox()) });
    return end(taken, failure, { keepsSteps: true, ...(taken.wasDead && { guessAbout: about }) });
  }

  function toOutcome(taken: StoredCall, failure: ToolFailure): Promise<Outcome> {
    const input = readStart(taken)?.event.input ?? {};
    return toolbox().toOutcome(taken.tool, input, failure, { tenantId: taken.tenant, invocationId: taken.id });
  }

  async function wake(place: CallPlace): Promise<Outcome | undefined> {
    const context = held.release(place);
    if (context === undefined) return undefined;
    const signing = await life.sign();
    if (signing?.ok === false) return undefined;
    const call = await findDue(place);
    if (call === undefined) return undefined;
    const taken = await askStore(() => ledger.take(call, { epoch: call.epoch, process: life.name, from: 'waiting' }));
    return taken.ok && taken.value.is === 'taken' ? run(taken.value.call, () => context) : undefined;
  }

  async function wakeIfDue(place: CallPlace): Promise<void> {
    if (!held.has(place)) return;
    const answer = await askStore(() => ledger.get(place.tenant, place.id));
    const call = answer.ok ? answer.value : undefined;
    if (call?.stage === 'waiting' && call.wakeAt !== undefined && call.wakeAt <= call.readAt) await wake(place);
  }

  /** Finds a call that is due. The clock of the store may be a little behind the timer that says so. */
  async function findDue(place: CallPlace): Promise<StoredCall | undefined> {
    for (let looks = 0; looks < 3; looks += 1) {
      const answer = await askStore(() => ledger.get(place.tenant, place.id));
      const call = answer.ok && answer.value?.stage === 'waiting' ? answer.value : undefined;
      const leftMs = (call?.wakeAt ?? Number.POSITIVE_INFINITY) - (call?.readAt ?? 0);
      if (leftMs <= 0) return call;
      if (leftMs > longestLagMs) return undefined;
      await sleep(Math.ceil(leftMs) + 1, undefined, { background: true });
    }
    return undefined;
  }

  async function release(call: StoredCall): Promise<boolean> {
    const tool = toolbox().find(call.tool);
    if (tool === undefined) return false;
    const answer = await askStore(() => ledger.steps(call));
    if (!answer.ok) return true;
    const taken = { ...call, steps: answer.value, wasDead: true };
    if (!call.isPromised || !mayGoOn(call.tool)) {
      await endUnknown(taken, `${call.tool} was interrupted: this process has lost track of it.`, call.epoch);
      return true;
    }
    const written = await askStore(() => letWait(taken, pendingOf(call), undefined, 1));
    if (written.ok && written.value.is === 'cancelled') await end(taken, cancelledFailure(taken), { keepsSteps: true });
    return true;
  }

  /**
   * Whether a call may wait for another run although a run of it is gone. A tool without steps may have taken effect: nobody runs it again. What an
   * engine runs was not cut off with the process that watched it.
   */
  function mayGoOn(name: string): boolean {
    const tool = toolbox().find(name);
    return tool !== undefined && (registry.isOnEngine || tool.steps === true || (tool.effects ?? 'writes') !== 'writes');
  }

  /** Lets a call wait that is due by itself after a time. */
  function letWait(call: Pick<TakenCall, 'wasDead'> & StoredCall, pending: Pending, meta: Meta | undefined, wakeMs: number) {
    const { tool, id, remainingMs } = call;
    const waits: Outcome = Object.freeze({
      status: 'pending',
      pending,
      meta: meta ?? bareMeta({ tool, invocationId: id }),
    });
    const waiting = wasCutOff(call) ? withWarning(waits, cutOffWarning) : waits;
    const listed = toEnded(call.listed, waiting, systemClock.now());
    return ledger.wait(call, { outcome: waiting, listed, questions: [], wakeMs, remainingMs });
  }

  return { run, release, wake, wakeIfDue };
}

/** Returns what the call of a store was made with; all that the event of its beginning says but its own names. */
function contextOf({ tenant, id, remainingMs }: TakenCall, { event, idempotencyKey, timeoutMs }: StoredStart): CallContext {
  const { call: _, tool, spanId, ...facts } = withoutStamp(event);
  return withoutAbsent<CallContext>({
    ...facts,
    tenantId: tenant,
    invocationId: id,
    idempotencyKey,
    timeoutMs: remainingMs ?? timeoutMs,
  } as CallContext);
}

function factsOf({ event }: StoredStart): WorkerCall {
  const { call: _, ...facts } = withoutStamp(event);
  return facts;
}

function withoutStamp({ type: _, v, id, at, input, ...facts }: StoredStart['event']): CallFacts {
  return facts;
}

/** Creates the failure of a call that was cancelled while it waited, or whose process is gone. */
export function cancelledFailure(call: Pick<TakenCall, 'tool' | 'steps' | 'outcome'> & Partial<Pick<TakenCall, 'wasDead'>>): ToolFailure {
  const { tool, outcome } = call;
  const isAsleep = outcome?.status === 'pending' && outcome.pending.reason === 'running';
  const message = wasCutOff(call)
    ? `${tool} was cancelled, and its process died.`
    : `${tool} was cancelled while it ${isAsleep ? 'slept' : 'waited'}.`;
  return fail('cancelled', message, { effect: effectOfSteps(call) });
}

/** Returns what the stored steps of a call did to the outside world. A step that may be repeated leaves no trace before it has ended. */
export function effectOfSteps(call: Pick<TakenCall, 'steps' | 'outcome'> & Partial<Pick<TakenCall, 'wasDead'>>) {
  const effect = worstEffect(call.steps);
  return effect === 'none' && wasCutOff(call) ? 'unknown' : effect;
}

function effectOfTaken(taken: Pick<TakenCall, 'tool' | 'steps' | 'wasDead' | 'outcome'>, toolbox: GuardedToolbox) {
  const { effects = 'writes', steps = false } = toolbox.find(taken.tool) ?? {};
  if (effects === 'none') return 'none';
  return steps ? effectOfSteps(taken) : 'unknown';
}

function ignore(): void {
  // The call itself hears of it, once it has taken its place.
}
