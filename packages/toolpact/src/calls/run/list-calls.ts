import type { Outcome } from '../../outcome/index.ts';
import { type Guard, type GuardedCall, type RunPlace, writeUnwaited } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { systemClock } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { askStore } from '../store/ask-store.ts';
import { toCallEnd } from './answers.ts';
import { type CallRecord, keepRecord } from './call-record.ts';
import { toDraft } from './draft-call.ts';
import { keepProgress } from './keep-progress.ts';
import { toRunning } from './listed-call.ts';
import { stopCall } from './stop-call.ts';
import { toStart } from './stored-start.ts';

/** A call to which nothing was promised is followed in the store once it has run for so long. */
const followAfterMs = 500;

/** The guard around every call, which lists it. */
export interface CallLister {
  readonly guard: Guard;
  /** Writes a row for a call to which nothing was promised. Nobody waits for it, and a store that fails costs the row. */
  readonly begin: (call: GuardedCall, record: CallRecord) => void;
}

/** Creates the guard that lists calls. */
export function createCallLister(registry: CallRegistry): CallLister {
  const { ledger, life, store, again } = registry;

  async function aroundAll(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    const repetition = again.get(call.invocationId);
    again.delete(call.invocationId);
    const record: CallRecord = { again: repetition, isKept: repetition?.taken !== undefined, trace: registry.traces.keep(call) };
    keepRecord(call, record);
    call.onEnd((outcome) => endListing(call, record, outcome));
    const outcome = await next();
    // A call that was taken, and that a guard or its changed schema kept from running.
    if (repetition?.taken !== undefined && record.live === undefined && repetition.conclude !== undefined)
      return repetition.conclude(outcome);
    return outcome;
  }

  function beginListing(call: GuardedCall, record: CallRecord): void {
    if (record.isKept || !registry.isListed || registry.share.isUsed(call.tenantId)) return;
    record.isKept = true;
    if (call.outcome === undefined) record.progress = keepProgress(registry, call);
    record.listing = (async () => {
      const draft = toDraft(registry, call, call.invocationId, { isPromised: false });
      const signing = await life.sign();
      if (signing?.ok === false) return undefined;
      const answer = await askStore(() => ledger.begin(draft));
      if (!answer.ok) return undefined;
      const place = { tenant: draft.tenant, id: draft.id, epoch: 1 };
      if (answer.value.is === 'begun') {
        registry.share.addCall(draft);
        showRunning(call, record, place);
        return place;
      }
      return record.unheard === draft.id && (await isOwn(place)) ? place : undefined;
    })();
    writeUnwaited(store, record.listing);
  }

  /** Checks whether a call that exists was begun by this process. */
  async function isOwn(place: RunPlace): Promise<boolean> {
    const answer = await askStore(() => ledger.get(place.tenant, place.id));
    return answer.ok && answer.value?.process === life.name;
  }

  /** Shows whoever finds a call in the list how far it has come, and lets them stop one that lasts. */
  function showRunning(call: GuardedCall, record: CallRecord, place: RunPlace): void {
    if (call.outcome !== undefined) return;
    record.progress?.begin(place);
    call.onEnd(() => record.progress?.stop());
    const stopTimer = systemClock.after(
      followAfterMs,
      () => {
        if (record.live === undefined) call.onEnd(life.begin({ ...place, onCancel: () => stopCall(call), onLost: () => undefined }));
      },
      { background: true },
    );
    call.onEnd(stopTimer);
  }

  function endListing(call: GuardedCall, record: CallRecord, outcome: Outcome): void {
    if (record.live !== undefined) return;
    // A call that joined another one is that call.
    if (outcome.status === 'pending' && record.listing === undefined) return;
    beginListing(call, record);
    const { listing } = record;
    if (listing === undefined) return;
    writeUnwaited(
      store,
      listing.then(async (place) => {
        if (place === undefined || record.live !== undefined) return;
        const listed = toRunning(place.id, toStart(call, registry));
        registry.share.add(place.tenant, outcome);
        await askStore(() => ledger.end(place, toCallEnd(listed, outcome, { trace: record.trace() as never, keepsSteps: false })));
      }),
    );
  }

  return { guard: defineGuard({ name: 'list', phase: 'list', once: true, around: aroundAll }), begin: beginListing };
}
