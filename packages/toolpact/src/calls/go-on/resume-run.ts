import { type CallContext, noTenant } from '../../contract/index.ts';
import { fail, type Outcome, pending, ToolpactError, withWarning } from '../../outcome/index.ts';
import type { CallRows, GuardedToolbox, StoredCall } from '../../ports/index.ts';
import { nextTurn } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { readStart } from '../run/stored-start.ts';
import { demandOf } from '../store/ask-store.ts';
import { soundCall, whyUnreadable } from '../store/stored-outcome.ts';
import type { GoOn } from './go-on.ts';

/** A call of a resumed run. */
export interface ResumedCall {
  readonly tool: string;
  readonly invocationId: string;
  readonly callId?: string;
  readonly outcome: Outcome;
  /** Where the outcome comes from: the store, a process that still runs the call, a repetition, the tool's `reconcile`, or nowhere. */
  readonly how: 'recorded' | 'running' | 'repeated' | 'reconciled' | 'interrupted';
}

/** A call as the list of its run names it. */
type ListedPlace = CallRows['rows'][number];

/** A call that the store has, and why it cannot be read. */
interface UnreadableCall {
  readonly tool: string;
  readonly id: string;
  readonly why: string;
}

const demand = demandOf('The run');
const pageSize = 1_000;
/** How many are read at once: the last of more would wait for longer than a store is waited for. */
const readAtOnce = 100;
/** So many calls of a run go on at one time, as many as a worker runs. */
const atOnce = 8;

/** Creates the `resume` of a toolbox. */
export function createResume(
  { ledger, life }: CallRegistry,
  toolbox: GuardedToolbox,
  goOn: GoOn,
): (runId: string, context?: CallContext) => Promise<ResumedCall[]> {
  return async (runId, context = {}) => {
    // Without one a store would list the calls of all runs.
    if (typeof runId !== 'string') throw new ToolpactError('invalid_argument', 'resume needs the id of a run');
    const tenant = context.tenantId ?? toolbox.context.tenantId ?? noTenant;
    const signing = await life.sign();
    if (signing?.ok === false) throw new Error(`The run cannot be resumed: ${signing.why}.`);
    const calls = await readRun(tenant, runId);
    const resumed: ResumedCall[] = [];
    // Those that were open when their process died were under way together, so none of them waits for another one.
    const entries = calls.entries();
    const resumeNext = async (): Promise<void> => {
      for (const [place, call] of entries) resumed[place] = await resumeOne(call, context);
    };
    await Promise.all(Array.from({ length: atOnce }, resumeNext));
    return resumed;
  };

  /** Returns the calls of a run, the first one first; a call whose steps another one goes on with counts as that one. */
  async function readRun(tenant: string, runId: string): Promise<readonly (StoredCall | UnreadableCall)[]> {
    const places: ListedPlace[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await demand(() => ledger.list({ tenant, runId, limit: pageSize, cursor }));
      places.push(...page.rows);
      cursor = page.next;
      if (cursor === undefined) break;
    }
    const calls: (StoredCall | UnreadableCall)[] = [];
    places.reverse();
    for (let at = 0; at < places.length; at += readAtOnce) {
      const found = await Promise.all(places.slice(at, at + readAtOnce).map(readCall));
      for (const call of found) if (call !== undefined && ('why' in call || call.replacedBy === undefined)) calls.push(call);
      // A store in this process answers at once: other calls get their turn.
      await nextTurn();
    }
    return calls;
  }

  /** Reads a call; one that cannot be read must not keep the others of its run from going on. */
  async function readCall(place: ListedPlace): Promise<StoredCall | UnreadableCall | undefined> {
    try {
      return await demand(async () => soundCall(await ledger.get(place.tenant, place.id)));
    } catch (error) {
      const why = whyUnreadable(error);
      if (why === undefined) throw error;
      return { tool: place.listed.tool, id: place.id, why };
    }
  }

  async function resumeOne(call: StoredCall | UnreadableCall, context: CallContext): Promise<ResumedCall> {
    if ('why' in call) return unreadable(call, context);
    try {
      return await resumeCall(call, context);
    } catch (error) {
      const why = whyUnreadable(error);
      if (why === undefined) throw error;
      return unreadable({ tool: call.tool, id: call.id, why }, context);
    }
  }

  async function unreadable({ tool, id, why }: UnreadableCall, context: CallContext): Promise<ResumedCall> {
    const failure = fail('interrupted', `It is not known how far the call ${id} got: ${why}.`, { effect: 'unknown' });
    return { tool, invocationId: id, outcome: await toolbox.toOutcome(tool, {}, failure, context), how: 'interrupted' };
  }

  async function resumeCall(call: StoredCall, context: CallContext): Promise<ResumedCall> {
    const { stage, outcome, isDead, wakeAt, readAt } = call;
    const isDue = stage === 'waiting' && wakeAt !== undefined && wakeAt <= readAt;
    if (stage === 'ended' && outcome !== undefined) return toResumed(call, outcome, 'recorded');
    if (stage === 'waiting' && !isDue && outcome !== undefined) return toResumed(call, outcome, 'recorded');
    const isTheirs = !isDead && !isDue;
    const answer = isTheirs
      ? undefined
      : await demand(() => ledger.take(call, { epoch: call.epoch, process: life.name, from: isDue ? 'waiting' : 'dead' }));
    if (answer?.is !== 'taken') return toResumed(call, await running(call, context), 'running');
    let settled: ResumedCall['how'] | undefined;
    const ended = await goOn.run(
      answer.call,
      () => context,
      (how) => {
        settled = how;
      },
    );
    const after = await demand(() => ledger.get(call.tenant, call.id));
    const isStored = after?.stage !== 'running';
    return toResumed(
      call,
      isStored ? ended : withWarning(ended, 'not_recorded: the next resume of its run decides about it'),
      settled ?? howOf(ended),
    );
  }

  function running(call: StoredCall, context: CallContext): Promise<Outcome> {
    const waiting = pending({ handle: call.handle, reason: 'running', pollAfterMs: 1000 });
    return toolbox.toOutcome(call.tool, {}, waiting, context);
  }
}

/** Says how a call was resumed: one that did not run was interrupted. */
function howOf({ status, meta, ...outcome }: Outcome): ResumedCall['how'] {
  const isInterrupted = 'error' in outcome && outcome.error.kind === 'interrupted';
  return isInterrupted || (status === 'error' && meta.attempts === 0) ? 'interrupted' : 'repeated';
}

function toResumed(call: StoredCall, outcome: Outcome, how: ResumedCall['how']): ResumedCall {
  const callId = readStart(call)?.event.callId;
  return { tool: call.tool, invocationId: call.id, ...(callId !== undefined && { callId }), outcome, how };
}
