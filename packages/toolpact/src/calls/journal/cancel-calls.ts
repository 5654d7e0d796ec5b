import { noTenant } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall, RecordKey, Store } from '../../ports/index.ts';
import { type Moment, type StopTimer, systemClock, thisMoment } from '../../time/index.ts';
import { askStore } from '../store-access/ask-store.ts';
import { listRecords } from '../store-access/list-all.ts';
import { demand } from './journal-records.ts';
import type { OwnerLease } from './owner-lease.ts';

/** Stops calls, also those of other processes that share the store. */
export interface CancelCalls {
  /** Makes a call one that can be stopped, by its invocation id or by that of the call which it goes on with; the function that this returns says that it has ended. */
  readonly watch: (call: GuardedCall, id?: string) => () => void;
  /** Gives what a call ended with. Where it failed because it was stopped, that is what it says, whatever its handler threw. */
  readonly conclude: (call: GuardedCall, outcome: Outcome) => Outcome;
  /** Stops a call of this process; false when it runs elsewhere. */
  readonly stopHere: (tenant: string, id: string) => boolean;
  /** Asks the process that runs a call to stop it. Rejects when the store does not answer. */
  readonly askOwner: (tenant: string, id: string, owner: string) => Promise<void>;
  /** Checks whether a process was asked to stop a call and has not done so. Rejects when the store does not answer. */
  readonly isAsked: (tenant: string, id: string) => Promise<boolean>;
}

/** How long a handler has to end by itself and to say what it did. One that goes on is left alone, and its call ends. */
const graceMs = 1_000;
/** How often a process that runs calls looks whether others ask it to stop one. */
const lookEveryMs = 500;
/** How many of these looks are skipped where the store sends signals. Not all of them: signals can get lost. */
const sparedLooks = 20;
const keptMs = 3_600_000;

/** Makes what stops calls. Requests go through the store, addressed to the process that runs the call. */
export function createCancelCalls(store: Store, lease: Pick<OwnerLease, 'owner' | 'wasSilentSince'>): CancelCalls {
  const running = new Map<string, { readonly call: GuardedCall; readonly since: Moment }>();
  const stopped = new WeakSet<GuardedCall>();
  let stopTimer: StopTimer | undefined;
  let hearing: Promise<() => void> | undefined;
  let isHearing = false;
  let spared = 0;
  const nameOf = (tenant: string, id: string): string => JSON.stringify([tenant, id]);

  function stopCall(name: string): boolean {
    const found = running.get(name);
    if (found === undefined) return false;
    const { call, since } = found;
    stopped.add(call);
    call.abort(new DOMException('The call was cancelled.', 'AbortError'));
    if (call.attempts === 0) {
      // What another process did that took this one for dead meanwhile is not known here.
      if (lease.wasSilentSince(since)) call.markMayHaveEffect();
      // It waits in one of its guards: end it now, or it would begin as soon as that guard lets it on.
      call.cancel(`${call.tool.name} was cancelled before it ran.`);
      return true;
    }
    const stopTimer = systemClock.after(graceMs, () => {
      if (call.outcome === undefined) call.cancel(`${call.tool.name} was cancelled before it finished.`);
    });
    call.onEnd(stopTimer);
    return true;
  }

  /** Begins to hear with the first call that takes longer: most have ended by then. */
  function hear(): void {
    if (hearing !== undefined) return;
    const begun = store.signals?.hear(lease.owner, () => void look());
    hearing = begun;
    begun?.then(
      () => {
        isHearing = hearing === begun;
      },
      () => {
        if (hearing === begun) hearing = undefined;
      },
    );
  }

  function tick(): void {
    hear();
    spared = isHearing ? (spared + 1) % sparedLooks : 0;
    if (spared === 0) void look();
  }

  function rest(): void {
    stopTimer?.();
    stopTimer = undefined;
    hearing?.then((stop) => stop()).catch(() => undefined);
    [hearing, isHearing, spared] = [undefined, false, 0];
  }

  async function look(): Promise<void> {
    const asked = await askStore(() => listRecords(store, { space: 'call-cancel', tenant: noTenant, group: lease.owner }));
    for (const { key, value } of asked.ok ? asked.value : []) {
      if (!isRecord(value) || value.v !== 1) continue;
      const call = running.get(key)?.call;
      if (call !== undefined && stopped.has(call)) continue;
      stopCall(key);
      const forget = () => askStore(() => store.remove({ space: 'call-cancel', tenant: noTenant, key }));
      // Until the call has ended: if this process dies before, whoever takes the call over must find the request.
      if (call === undefined) await forget();
      else call.onEnd(() => void forget());
    }
  }

  const requestOf = (tenant: string, id: string): RecordKey => ({ space: 'call-cancel', tenant: noTenant, key: nameOf(tenant, id) });

  return {
    watch(call, id = call.invocationId) {
      const name = nameOf(call.tenantId, id);
      running.set(name, { call, since: thisMoment() });
      stopTimer ??= systemClock.every(lookEveryMs, tick, { background: true });
      return () => {
        if (running.get(name)?.call === call) running.delete(name);
        if (running.size === 0) rest();
      };
    },
    conclude(call, outcome) {
      if (!stopped.has(call) || outcome.status !== 'error') return outcome;
      // A handler that says itself that it was cancelled has its own words; what its signal threw has none for a reader.
      if (outcome.error.kind === 'cancelled' && outcome.error.cause === undefined) return outcome;
      return call.refuse('cancelled', `${call.tool.name} was cancelled.`, { effect: outcome.error.effect });
    },
    stopHere: (tenant, id) => stopCall(nameOf(tenant, id)),
    async askOwner(tenant, id, of) {
      await demand(() => store.put({ ...requestOf(tenant, id), group: of, value: { v: 1 }, expiresAt: Date.now() + keptMs }));
      // The process looks now and then too.
      await store.signals?.send(of).catch(() => undefined);
    },
    isAsked: async (tenant, id) => (await demand(() => store.get(requestOf(tenant, id)))) !== undefined,
  };
}
