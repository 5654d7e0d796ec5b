import { waitForResult } from '../../contract/index.ts';
import { assertPositive, type Outcome, type Pending, type PendingOutcome, refuseOptions, withWarning } from '../../outcome/index.ts';
import { type Guard, type GuardedCall, type GuardedTool, type GuardedToolbox, type Store, withSupply } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { sleep, systemClock } from '../../time/index.ts';
import { continuedNote, deferredNote, handleNote } from '../durable/continued-note.ts';
import { takenOverNote } from '../durable/taken-over.ts';
import { createOwnerLease, leaseNote, type OwnerLease } from '../journal/owner-lease.ts';
import { type Ask, askStore } from '../store-access/ask-store.ts';
import { assertStore, toStorableMs } from '../store-access/assert-options.ts';
import { keepProgress } from '../store-access/call-progress.ts';
import { openPendingCall, settlePendingCall } from '../store-access/pending-calls.ts';
import { pauseIn } from '../store-access/try-later.ts';
import { findDeferred, fingerprintDeferred, rememberDeferred } from './join-deferred.ts';
import { createPendingMethods, type DeferMethods } from './pending-methods.ts';
import { howToRead, pendingReader } from './pending-reader.ts';

/** How long calls are deferred. */
export interface DeferOptions {
  readonly store: Store;
  /** When a call is answered as pending, for tools that state nothing else. @default never */
  readonly afterMs?: number;
  /** How long a pending call and its outcome are remembered. @default 86_400_000 */
  readonly retentionMs?: number;
  /** How long a silent process counts as alive; then its deferred calls are reported as interrupted. @default 10_000 */
  readonly leaseMs?: number;
  readonly now?: () => number;
}

/** How soon a call that could not be deferred is tried again; then less and less often. */
const firstRetryMs = 250;
const longestRetryMs = 8_000;

/**
 * Lets long calls answer later. A call that takes longer than its tool's `deferAfterMs` is answered as `pending` with a handle and goes on
 * under its deadline; an equal call of the same run, session or conversation then joins it. One whose handler returns `pending` is remembered too. `toolbox.wait` gets the outcome of either, `toolbox.settle` gives it
 * to those that end elsewhere. Without its store a call is deferred once the store is back, and says so in a warning.
 */
export function defer(options: DeferOptions): Guard<DeferMethods> {
  refuseOptions<DeferOptions>('defer', options, { store: true, afterMs: true, retentionMs: true, leaseMs: true, now: 'a function' });
  assertStore('defer', options);
  const { store, afterMs, leaseMs = 10_000, now = Date.now } = options;
  const retentionMs = toStorableMs(options.retentionMs ?? 86_400_000);
  assertPositive('defer', { retentionMs, leaseMs, ...(afterMs !== undefined && { afterMs }) });

  const ownLease = createOwnerLease(store, leaseMs);
  /** One sign of life is enough for a process. */
  const leaseOf = (call: GuardedCall): OwnerLease => {
    const given = call.notes.get(leaseNote) as OwnerLease | undefined;
    return given?.store === store && given.leaseMs === leaseMs ? given : ownLease;
  };
  /** The calls that go on in this process after they were answered. */
  const underWay = new Set<Promise<void>>();

  /** Stores a call that goes on, so that it can be read later; gives the reason if it could not. It runs meanwhile, so the store has its time. */
  async function keep(call: GuardedCall, deferred: Pending, patienceMs?: number): Promise<string | undefined> {
    const ask: Ask = (asked) => askStore(asked, { timeoutMs: patienceMs, store });
    const lease = leaseOf(call);
    // A sign of life that failed is given again with the next call that begins.
    lease.begin()();
    const signed = await ask(lease.signed);
    if (!signed.ok) return signed.why;
    return openPendingCall(store, call, deferred, now() + retentionMs, lease.owner, ask);
  }

  /**
   * Stores how a call ended, as soon as the store takes it; resolves after the first try. Until then this process keeps its sign of life: to
   * others a call without an outcome whose process gives no sign is lost.
   */
  async function settle(call: GuardedCall, handle: string, outcome: Outcome): Promise<void> {
    // It sleeps or waits in the middle of its tool, under the same handle, and ends another time; or another process goes on with it.
    if ((outcome.status === 'pending' && outcome.pending.handle === handle) || call.notes.has(takenOverNote)) return;
    const endLease = leaseOf(call).begin();
    const giveUpAt = performance.now() + retentionMs;
    const isStored = async (): Promise<boolean> => {
      let isAnswered = true;
      await settlePendingCall(store, call.tenantId, handle, outcome, async (asked) => {
        const answer = await askStore(asked);
        isAnswered = answer.ok;
        return answer;
      });
      return isAnswered || performance.now() > giveUpAt;
    };
    const goOn = async (): Promise<void> => {
      for (let pauseMs = firstRetryMs; !(await isStored()); pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
        await sleep(pauseMs, undefined, { background: true });
      }
    };
    if (await isStored()) return endLease();
    void goOn().then(endLease);
  }

  /** Answers a call as pending. One whose store is slow or gone is answered so as soon as the store is back. */
  async function detach(call: GuardedCall, print: string | undefined): Promise<void> {
    // Its caller has stopped it, and has its answer; what began now would never end.
    if (call.outcome !== undefined) return;
    const deferred = { handle: `call_${crypto.randomUUID()}`, reason: 'running', pollAfterMs: 1000 } as const;
    call.notes.set(handleNote, deferred.handle);
    call.onEnd(leaseOf(call).begin());
    for (let pauseMs = firstRetryMs; ; pauseMs = Math.min(pauseMs * 2, longestRetryMs)) {
      const isFirst = pauseMs === firstRetryMs;
      const why = await keep(call, deferred, isFirst ? undefined : longestRetryMs);
      if (call.outcome !== undefined) return settle(call, deferred.handle, call.outcome);
      if (why === undefined) break;
      if (isFirst) call.warn(`not deferred in time: ${why}`);
      await pauseIn(call, pauseMs);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    underWay.add(promise);
    void promise.then(() => underWay.delete(promise));
    call.onEnd((outcome) => void settle(call, deferred.handle, outcome).finally(resolve));
    // Before the caller has the handle: a worker that takes the call over has to know it.
    await (call.notes.get(deferredNote) as ((handle: string) => Promise<unknown>) | undefined)?.(deferred.handle);
    if (print !== undefined) await rememberDeferred(store, call, print, deferred, retentionMs);
    call.detach(call.pending(deferred, `${call.tool.name} takes longer and goes on. ${howToRead(store, deferred.handle)}`));
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const patience = call.tool.deferAfterMs ?? afterMs;
    // A call that goes on is waited for already.
    const mayDefer =
      !call.notes.has(continuedNote) && patience !== undefined && patience < call.remainingMs && call.tool.name !== waitForResult.name;
    if (mayDefer) keepProgress(store, call);
    const print = mayDefer ? await fingerprintDeferred(store, call) : undefined;
    const joined = print === undefined ? undefined : await findDeferred(store, call, print);
    if (joined !== undefined) return call.pending(joined, `The same call runs already. ${howToRead(store, joined.handle)}`);
    const stopTimer = mayDefer ? systemClock.after(patience, () => void detach(call, print)) : undefined;
    const outcome = await next();
    stopTimer?.();
    // `wait_for_result` and calls that wait for an approval say themselves what to do next.
    if (outcome.status !== 'pending' || outcome.pending.reason === 'approval' || call.tool.name === waitForResult.name) return outcome;
    const expiresAt = outcome.pending.expiresAt === undefined ? Number.NaN : Date.parse(outcome.pending.expiresAt);
    const keepUntil = Math.max(now() + retentionMs, Number.isNaN(expiresAt) ? 0 : expiresAt);
    const why = await openPendingCall(store, call, outcome.pending, keepUntil);
    return why === undefined ? withNextStep(store, call, outcome) : withWarning(outcome, `it cannot be settled later: ${why}`);
  }

  // A handler that returns `pending` by itself cannot be known before.
  const tools = (given: readonly GuardedTool[]): readonly unknown[] =>
    afterMs !== undefined || given.some(({ deferAfterMs, approval }) => deferAfterMs !== undefined || (approval ?? false) !== false)
      ? [pendingReader({ store })]
      : [];
  const pendingMethods = createPendingMethods({ store, now, retentionMs });
  const idle = async (): Promise<void> => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return defineGuard({
    name: 'defer',
    once: true,
    phase: 'defer',
    provides: ['deferAfterMs'],
    around,
    tools,
    methods: (toolbox: GuardedToolbox): DeferMethods => withSupply(pendingMethods(toolbox), { idle }),
  });
}

/** A handler that answers `pending` knows what it waits for; how its result is read, it does not. */
function withNextStep(store: Store, call: GuardedCall, outcome: PendingOutcome): Outcome {
  const { pending, message = pending.ask?.message ?? `${call.tool.name} goes on elsewhere.` } = outcome;
  const next = pending.reason === 'input' ? `Tell the user. ${howToRead(store, pending.handle)}` : howToRead(store, pending.handle);
  return Object.freeze({ ...outcome, message: `${message} ${next}` });
}
