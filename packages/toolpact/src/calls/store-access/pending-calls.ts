import type { Effects } from '../../contract/index.ts';
import { cutJson } from '../../json/index.ts';
import { fail, type JsonValue, type Outcome, type Pending, type ToolFailure } from '../../outcome/index.ts';
import type { GuardedCall, RecordKey, Store, StoredRecord } from '../../ports/index.ts';

import { createBoundedMap } from '../../time/index.ts';
import { findOpenCall } from '../durable/open-calls.ts';
import { hasWorker } from '../durable/worker-sign.ts';

import { isOwnerAlive } from '../journal/owner-lease.ts';
import { type Ask, askFor, askStore, maxTries } from './ask-store.ts';
import { readProgress } from './call-progress.ts';
import { announceChange } from './pending-changes.ts';
import { callHandle } from './question-handle.ts';
import { isGuess, isStoredOutcome } from './stored-outcome.ts';
import { tryLater } from './try-later.ts';

/** A call that was answered as pending, and its outcome once there is one. */
export interface PendingCall {
  readonly v: 1;
  readonly tool: string;
  readonly effects?: Effects;
  readonly invocationId: string;
  readonly callId?: string;
  /** The user who made it. */
  readonly userId?: string;
  readonly pending: Pending;
  /** The arguments as received, redacted and cut. */
  readonly input: JsonValue;
  /** When it was answered as pending, in epoch milliseconds. */
  readonly since: number;
  /** The process that runs it, by the name of its sign of life, which lasts until the outcome is stored. */
  readonly owner?: string;
  readonly endedAt?: number;
  /** When its client cancelled it, whatever it ends with. */
  readonly cancelledAt?: number;
  readonly outcome?: Outcome;
  /** Of a call that sleeps or waits in the middle of its tool: where the journal keeps it, and what it asks. */
  readonly suspended?: SuspendedAt;
}

/** Where a call that sleeps or waits is kept. */
type SuspendedAt = {
  readonly key: string;
  /** What it asks and was not answered. */
  readonly questions?: readonly {
    readonly handle: string;
    readonly id: string;
    /** Where its answer goes. */
    readonly answerAt: Pick<RecordKey, 'space' | 'key'>;
    readonly ask: NonNullable<Pending['ask']>;
  }[];
};

/** A question that a call asks in the middle of its tool. */
export type StoredQuestion = NonNullable<SuspendedAt['questions']>[number];

/** Where pending calls are kept. */
export const pendingSpace = 'pending';

/** Names the record of a pending call, by its handle or that of one of its questions. */
export function pendingKey(tenant: string, handle: string): RecordKey {
  return { space: pendingSpace, tenant, key: callHandle(handle) };
}

/** Believes a record only if it holds a pending call. */
export function readPendingCall(record: StoredRecord | undefined): PendingCall | undefined {
  const value = (record?.value ?? {}) as unknown as Partial<PendingCall>;
  const isSound = value.v === 1 && typeof value.tool === 'string' && typeof value.pending?.handle === 'string';
  if (!isSound || !(value.outcome === undefined || isStoredOutcome(value.outcome))) return undefined;
  // The first version did not write down when.
  return { since: 0, ...value } as PendingCall;
}

/** Gives what a pending outcome has become, or the same outcome while it still waits. */
export async function settledOutcome(store: Store, tenant: string, outcome: Outcome, ask: Ask = askStore): Promise<Outcome> {
  return (await findSettled(store, tenant, outcome, ask))?.outcome ?? outcome;
}

/** Finds what a pending outcome has become, and when; undefined for one that was not pending, and while it still waits. */
export async function findSettled(
  store: Store,
  tenant: string,
  outcome: Outcome,
  ask: Ask = askStore,
): Promise<Pick<PendingCall, 'outcome' | 'endedAt'> | undefined> {
  return outcome.status === 'pending' ? findSettledUnder(store, tenant, outcome.pending.handle, ask) : undefined;
}

/** Finds how the call of a handle ended, and when; undefined while it waits. */
export async function findSettledUnder(
  store: Store,
  tenant: string,
  handle: string,
  ask: Ask = askStore,
): Promise<Pick<PendingCall, 'outcome' | 'endedAt'> | undefined> {
  let settled: PendingCall | undefined;
  let next: string | undefined = handle;
  for (let handles = 0; handles < maxHandles && next !== undefined; handles += 1) {
    const key = pendingKey(tenant, next);
    const answer = await ask(() => store.get(key));
    const call = answer.ok ? readPendingCall(answer.value) : undefined;
    if (call?.outcome === undefined) break;
    settled = call;
    next = nextHandle(call);
  }
  return settled;
}

/** How many handles one call may have: an approved call is deferred, or waits in the middle of its tool, under another one. */
export const maxHandles = 3;

/** Gives the handle under which a pending call goes on; undefined for one that has ended, or still waits under its own. */
export function nextHandle({ pending, outcome }: PendingCall): string | undefined {
  return outcome?.status === 'pending' && outcome.pending.handle !== pending.handle ? outcome.pending.handle : undefined;
}

/**
 * Looks once whether a pending call was lost with its process, so that it does not end by itself: only a second look, `secondLookMs` later,
 * decides. One that a worker goes on with is not lost. An outcome that still comes counts all the same.
 */
export async function seemsLost(store: Store, tenant: string, { owner, invocationId, pending }: PendingCall): Promise<boolean> {
  if (owner === undefined || (await wasOwnerAlive(store, owner))) return false;
  const open = await findOpenCall(store, tenant, invocationId);
  return open?.handle !== pending.handle || !(await hasWorker(store));
}

/** How long what is known of a process serves all of its calls: a sign of life lasts for seconds. */
const knownMs = 1_000;
const maxKnown = 1_000;
const owners = new WeakMap<Store, ReturnType<typeof createBoundedMap<Promise<boolean>>>>();

function wasOwnerAlive(store: Store, owner: string): Promise<boolean> {
  const known = owners.get(store) ?? createBoundedMap<Promise<boolean>>({ maxEntries: maxKnown, now: () => performance.now() });
  owners.set(store, known);
  const found = known.get(owner) ?? isOwnerAlive(store, owner);
  if (known.get(owner) === undefined) known.set(owner, found, performance.now() + knownMs);
  return found;
}

/** Makes the failure of a call that was lost. */
export function lostFailure({ tool, effects }: PendingCall): ToolFailure {
  const effect = effects === 'none' ? 'none' : 'unknown';
  return fail('interrupted', `${tool} was interrupted: the process that ran it died.`, { effect });
}

/** Adds how far a pending call has come, where it says so. */
export async function withProgress(store: Store, tenant: string, call: PendingCall): Promise<PendingCall> {
  if (call.pending.reason !== 'running') return call;
  const { message, percent } = (await readProgress(store, tenant, [call.invocationId])).get(call.invocationId) ?? {};
  if (message === undefined && percent === undefined) return call;
  const progress = { ...(message !== undefined && { message }), ...(percent !== undefined && { percent }) };
  return { ...call, pending: { ...call.pending, progress } };
}

/** Remembers a call that was answered as pending; gives the reason if it could not. A handle that is known already stays as it is. */
export async function openPendingCall(
  store: Store,
  call: GuardedCall,
  pending: Pending,
  expiresAt: number,
  owner?: string,
  ask: Ask = askFor(call, store),
): Promise<string | undefined> {
  const value: PendingCall = { ...newPendingCall(call, call.invocationId), pending, ...(owner !== undefined && { owner }) };
  const record = { ...pendingKey(call.tenantId, pending.handle), value: value as never, expiresAt };
  const answer = await ask(() => store.put(record, 0));
  return answer.ok ? undefined : answer.why;
}

/** The most characters of arguments that are kept with a pending call. They are shown; whoever runs the call again has them elsewhere. */
const maxInputChars = 16_000;

function newPendingCall(call: GuardedCall, invocationId: string): Omit<PendingCall, 'pending'> {
  const { callId, userId } = call.context;
  return {
    v: 1,
    tool: call.tool.name,
    effects: call.tool.effects,
    invocationId,
    ...(callId !== undefined && { callId }),
    ...(userId !== undefined && { userId }),
    input: cutJson(call.redact(call.received), maxInputChars, []) as JsonValue,
    since: Date.now(),
  };
}

/**
 * Gives a pending call its outcome, unless it has one that is no guess; gives the outcome that counts. Undefined when there is no such call, or
 * no store.
 */
export async function settlePendingCall(
  store: Store,
  tenant: string,
  handle: string,
  outcome: Outcome,
  ask: Ask = askStore,
): Promise<Outcome | undefined> {
  const { input: _, ...kept } = outcome;
  const answer = await ask(async () => {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const record = await store.get(pendingKey(tenant, handle));
      const call = readPendingCall(record);
      if (record === undefined || call === undefined) return undefined;
      const isKnown = call.outcome !== undefined && !(isGuess(call.outcome) && !isGuess(outcome));
      if (isKnown) return call.outcome;
      const { version, seq: _seq, value: _value, ...at } = record;
      const written = await store.put({ ...at, value: { ...call, endedAt: Date.now(), outcome: kept } as never }, version);
      if (!written.ok) continue;
      void announceChange(store, tenant, handle);
      return kept as Outcome;
    }
    return undefined;
  });
  return answer.ok ? answer.value : undefined;
}

/** Gives a pending call its outcome as {@link settlePendingCall} does, and tries again in the background where the store does not answer. */
export async function settlePendingSoon(
  store: Store,
  tenant: string,
  handle: string,
  outcome: Outcome,
  ask: Ask = askStore,
): Promise<void> {
  const isStored = async (by: Ask): Promise<boolean> => {
    let isAnswered = true;
    await settlePendingCall(store, tenant, handle, outcome, async (asked) => {
      const answer = await by(asked);
      isAnswered = answer.ok;
      return answer;
    });
    return isAnswered;
  };
  if (!(await isStored(ask))) void tryLater(() => isStored(askStore), settleAgainMs);
}

const settleAgainMs = 2000;

/** Stores that the client of a pending call has cancelled it. False when it has ended, or is not there. Throws where the store does. */
export async function noteCancelled(store: Store, tenant: string, handle: string, at: number): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = await store.get(pendingKey(tenant, handle));
    const call = readPendingCall(record);
    if (record === undefined || call === undefined || call.outcome !== undefined) return false;
    const { version, seq: _, value: __, ...place } = record;
    if ((await store.put({ ...place, value: { ...call, cancelledAt: at } as never }, version)).ok) return true;
  }
  return false;
}

/** Stores that a call sleeps or waits in the middle of its tool. Each time it does, the record says for what. Throws where the store does. */
export async function suspendPendingCall(
  store: Store,
  call: GuardedCall,
  pending: Pending,
  suspended: SuspendedAt,
  expiresAt: number,
): Promise<void> {
  const at = pendingKey(call.tenantId, pending.handle);
  for (let tries = 0; tries < maxTries; tries += 1) {
    const record = await store.get(at);
    const known = readPendingCall(record);
    if (known?.outcome !== undefined) return;
    // No process runs it while it sleeps or waits.
    const { owner: _, ...kept } = known ?? newPendingCall(call, suspended.key);
    const value = { ...kept, pending, suspended };
    if (!(await store.put({ ...at, value: value as never, expiresAt }, record?.version ?? 0)).ok) continue;
    return void announceChange(store, call.tenantId, pending.handle);
  }
}
