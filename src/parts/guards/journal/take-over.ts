import type { Outcome } from '../../../core/outcome/index.ts';
import type { Store } from '../../../core/ports/index.ts';
import type { HeldCalls } from '../durable/held-calls.ts';
import { closeCall, findOpenCall, type OpenCall } from '../durable/open-calls.ts';
import type { WorkerOptions } from '../durable/worker-options.ts';
import { settledOutcome, settlePendingCall } from '../store-access/pending-calls.ts';
import { demand, readCall } from './journal-records.ts';
import { factsOf, type Resume } from './resume.ts';

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

/** Makes what takes calls over. */
export function createTakeOver(store: Store, resume: Resume, held: HeldCalls, now: () => number): TakeOver {
  /** Gives those who wait for a call its end, and takes it off the list of open calls. */
  async function close({ tenant, key, handle }: OpenCall, outcome: Outcome): Promise<void> {
    if (outcome.status === 'pending') return;
    if (handle !== undefined) await settlePendingCall(store, tenant, handle, outcome);
    await demand(() => closeCall(store, tenant, key));
  }

  async function run(open: OpenCall, supply: Supply): Promise<Outcome | undefined> {
    const { tenant, key, remainingMs } = open;
    const entry = await readCall(store, tenant, key);
    if (entry === undefined) {
      await demand(() => closeCall(store, tenant, key));
      return undefined;
    }
    const recorded = entry.end?.event.outcome;
    // One that was cancelled while it slept has its end there, even if the process that cancelled it died.
    const end = recorded && (await settledOutcome(store, tenant, recorded));
    if (end !== undefined && end.status !== 'pending') {
      if (recorded?.status === 'pending') await resume.conclude(entry, tenant, end);
      await close(open, end);
      return end;
    }
    const time = open.suspended && remainingMs !== undefined ? { timeoutMs: remainingMs } : {};
    const { call: _, ...facts } = factsOf(entry.start.event);
    const outcome = await resume.one(entry, tenant, { ...time, ...(await supply(facts)) });
    if (outcome !== undefined) await close(open, outcome);
    return outcome;
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
