import type { Outcome } from '../../outcome/index.ts';
import type { OpenCall, Store } from '../../ports/index.ts';
import type { HeldCalls } from '../durable/held-calls.ts';
import { changeOpenCall, closeCall, findOpenCall } from '../durable/open-calls.ts';
import type { WorkerOptions } from '../durable/worker-options.ts';
import type { Ask } from '../store-access/ask-store.ts';
import { findSettledUnder, settlePendingCall } from '../store-access/pending-calls.ts';
import { demand, type JournalEntry, readCall } from './journal-records.ts';
import { type FollowedCall, factsOf, type Resume } from './resume.ts';

/** Goes on with calls of other processes, and with those whose time has come. */
export interface TakeOver {
  /** Goes on with a call that sleeps or waits; undefined where another process does, or where it has ended. */
  readonly goOn: (tenant: string, key: string, supply: Supply) => Promise<Outcome | undefined>;
  /** Takes a call over from a process that is gone, or goes on with one whose time has come; undefined where there is nothing to do. */
  readonly takeOver: (open: OpenCall, supply: Supply) => Promise<Outcome | undefined>;
}

type Supply = NonNullable<WorkerOptions['context']>;

/** How long a call whose time has come is left to the process that began it. */
const wakeGraceMs = 1000;

/** How often a call is made again that waits for its approval. */
const betweenLooksMs = 30_000;

/** Throws where the store does: the call then stays on the list, and is looked at again. */
const demandAnswer: Ask = async (ask) => ({ ok: true, value: await demand(ask) });

/** Makes what takes calls over. */
export function createTakeOver(store: Store, resume: Resume, held: HeldCalls, now: () => number): TakeOver {
  /** Gives those who wait for a call its end, and takes it off the list of open calls once that is recorded. */
  async function close(open: OpenCall, { outcome, isRecorded }: FollowedCall): Promise<void> {
    const { tenant, key, handle } = open;
    if (outcome.status === 'pending') return outcome.pending.reason === 'approval' ? lookLater(open) : undefined;
    if (handle !== undefined) await settlePendingCall(store, tenant, handle, outcome, demandAnswer);
    if (isRecorded) await demand(() => closeCall(store, tenant, key));
  }

  /** Lets a call that a person has to allow first wait. A decision wakes nothing, so it is looked at now and then. */
  function lookLater({ tenant, key }: OpenCall): Promise<void> {
    return demand(() => changeOpenCall(store, tenant, key, () => ({ suspended: true, wakeAt: now() + betweenLooksMs })));
  }

  /** Gives how a call ended that is still on the list; undefined while it has not. */
  async function findEnd({ tenant, handle }: OpenCall, entry: JournalEntry): Promise<FollowedCall | undefined> {
    const recorded = entry.end?.event.outcome;
    if (recorded !== undefined && recorded.status !== 'pending') return { outcome: recorded, isRecorded: true };
    // Those who wait may have its end already: whoever gave it to them may have died before it was recorded.
    const waitsUnder = recorded?.pending.handle ?? handle;
    const outcome = waitsUnder === undefined ? undefined : (await findSettledUnder(store, tenant, waitsUnder))?.outcome;
    if (outcome === undefined || outcome.status === 'pending') return undefined;
    return { outcome, isRecorded: (await resume.conclude(entry, tenant, outcome)).is !== 'hidden' };
  }

  async function run(open: OpenCall, supply: Supply): Promise<Outcome | undefined> {
    const { tenant, key, remainingMs } = open;
    const entry = await readCall(store, tenant, key);
    if (entry === undefined) {
      await demand(() => closeCall(store, tenant, key));
      return undefined;
    }
    const time = open.suspended && remainingMs !== undefined ? { timeoutMs: remainingMs } : {};
    const { call: _, ...facts } = factsOf(entry.start.event);
    const end = (await findEnd(open, entry)) ?? (await resume.one(entry, tenant, { ...time, ...(await supply(facts)) }));
    if (end !== undefined) await close(open, end);
    return end?.outcome;
  }

  return {
    async goOn(tenant, key, supply) {
      const open = await demand(() => findOpenCall(store, tenant, key));
      return open?.suspended === undefined ? undefined : run(open, supply);
    },
    async takeOver(open, supply) {
      if (!open.suspended) return run(open, supply);
      // The process that began it is the first to wake it: it has what the caller brought along.
      const graceMs = open.wakeAt === 0 || held.has(open.tenant, open.key) ? 0 : wakeGraceMs;
      return open.wakeAt !== undefined && open.wakeAt + graceMs <= now() ? run(open, supply) : undefined;
    },
  };
}
