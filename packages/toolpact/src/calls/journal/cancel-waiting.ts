import { fail, type Outcome } from '../../outcome/index.ts';
import type { GuardedToolbox, OpenCall, Store } from '../../ports/index.ts';
import { sleep } from '../../time/index.ts';
import type { HeldCalls } from '../durable/held-calls.ts';
import { effectOf, headPlace, readHead, readSteps } from '../durable/memory-records.ts';
import { closeCall, findOpenCall } from '../durable/open-calls.ts';
import { settlePendingCall } from '../store-access/pending-calls.ts';
import type { CancelCalls } from './cancel-calls.ts';
import { demand, readCall } from './journal-records.ts';
import type { OwnerLease } from './owner-lease.ts';
import type { Resume } from './resume.ts';

interface CancelWaitingParts {
  readonly toolbox: GuardedToolbox;
  readonly store: Store;
  readonly lease: OwnerLease;
  readonly resume: Resume;
  readonly held: HeldCalls;
  readonly cancels: CancelCalls;
}

/** A call that wakes up at the same moment is stopped as soon as it runs. */
const maxLooks = 100;
const betweenLooksMs = 20;

/**
 * Makes what ends a call that sleeps or waits in the middle of its tool, as cancelled and with the effect of the steps that it did. Gives
 * whether there was such a call. Rejects when the store does not answer.
 */
export function createCancelWaiting({ toolbox, store, lease, resume, held, cancels }: CancelWaitingParts) {
  return async (tenant: string, key: string): Promise<boolean> => {
    const endLease = lease.begin();
    try {
      await lease.signed();
      for (let looks = 0; looks < maxLooks; looks += 1) {
        const open = await demand(() => findOpenCall(store, tenant, key));
        if (open?.suspended === undefined) return false;
        const version = await resume.take(tenant, key);
        if (version !== undefined) return await end(open, version);
        // It goes on just now, here or in another process.
        const owner = await resume.takenBy(tenant, key);
        if (cancels.stopHere(tenant, key)) return true;
        if (owner !== undefined && owner !== lease.owner) {
          await cancels.askOwner(tenant, key, owner);
          return true;
        }
        await sleep(betweenLooksMs);
      }
      return false;
    } finally {
      endLease();
    }
  };

  /** Ends a call that no process goes on with now. */
  async function end(open: OpenCall, version: number): Promise<boolean> {
    const { tenant, key, handle = '', tool } = open;
    const entry = await readCall(store, tenant, key);
    if (entry?.end?.event.outcome.status !== 'pending') return false;
    const { input } = entry.start.event;
    const steps = await readMemory(open);
    const message = `${tool} was cancelled while it ${open.wakeAt === undefined ? 'waited' : 'slept'}.`;
    const failure = fail('cancelled', message, { effect: steps?.effect ?? 'unknown' });
    const outcome = await toolbox.toOutcome(tool, input, failure, { tenantId: tenant, invocationId: key });
    // From here on the call has ended: what would wake it looks there first.
    const counted: Outcome | undefined = await settlePendingCall(store, tenant, handle, outcome);
    if (counted === undefined) {
      await resume.release(tenant, key, version);
      throw new Error(`The call ${key} could not be cancelled: its end was not stored.`);
    }
    held.drop(tenant, key);
    // The next call with its key is a new attempt.
    await steps?.fail();
    const written = await resume.conclude(entry, tenant, counted);
    if (written.is !== 'hidden') await demand(() => closeCall(store, tenant, key));
    return counted.status === 'error' && counted.error.kind === 'cancelled';
  }

  /** Reads what the steps of a call did. */
  async function readMemory({ tenant, steps }: OpenCall) {
    const found = steps === undefined ? undefined : await demand(() => store.get(headPlace(tenant, steps)));
    if (found === undefined) return undefined;
    const { again: _, ...head } = readHead(found);
    const { version, seq: _seq, value: _value, ...at } = found;
    const effect = effectOf(await demand(() => readSteps(store, tenant, head)));
    return { effect, fail: () => demand(() => store.put({ ...at, value: { ...head, failed: true } as never }, version)) };
  }
}
