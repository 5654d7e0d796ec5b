import { isObject, isThenable, whenReady } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { Awaitable, PutResult, RecordKey, Store, StoredRecord } from '../../ports/index.ts';
import { type Moment, thisMoment } from '../../time/index.ts';
import { type Ask, askStore, changedTooOften, maxTries, type StoreAnswer } from '../store-access/ask-store.ts';
import { isStoredOutcome } from '../store-access/stored-outcome.ts';
import { tryLater } from '../store-access/try-later.ts';

/** What is stored about a key: who runs its call, or how that call ended. */
export interface Claim {
  readonly v: 1;
  /**
   * `unknown` is a call that ended although it may have taken effect, so it must not simply run again. `free` is as good as no claim: it only
   * keeps the versions of the record counting, so that an earlier owner of the key cannot take the version of a later one for its own.
   */
  readonly state: 'running' | 'done' | 'unknown' | 'free';
  /** Another one for each claim. */
  readonly owner: string;
  /** For so long after each write the owner is taken to be alive. */
  readonly leaseMs: number;
  readonly writtenAt: number;
  /** Fingerprints of the arguments, field by field. */
  readonly fields: Readonly<Record<string, string>>;
  readonly outcome?: Outcome;
  /** Of an `unknown` whose writer did not run the tool: the owner whose run it is a guess about. Only that owner may replace it. */
  readonly about?: string;
}

/** What is known about a key after asking the store: it is ours, another call's, or the store did not answer. */
export type ClaimState =
  | { readonly is: 'mine'; readonly version: number; readonly writtenFrom: Moment; readonly from?: Claim }
  | { readonly is: 'theirs'; readonly version: number; readonly claim: Claim }
  | { readonly is: 'unavailable'; readonly why: string; readonly cause?: unknown };

/** The place of one key in a store, for the call that asks. None of the functions that use it throws or rejects. */
export interface ClaimSlot {
  readonly store: Store;
  readonly at: RecordKey;
  readonly ask: Ask;
  /** For how long the tool wants its key remembered. */
  readonly ttlMs: number;
  /** Gives the time at which a claim expires that is written now. */
  readonly expiryOf: (state: Claim['state'], ttlMs: number) => number;
}

/** A claim that was read, and the version of its record. */
type SeenClaim = Pick<Extract<ClaimState, { is: 'theirs' }>, 'version' | 'claim'>;

// What every call does, to take a key and to settle it, is no asynchronous function: with a store that answers at once nothing waits.

/** Takes the key where it is free, or where it still is as it was seen. */
export function takeKey(slot: ClaimSlot, claim: Claim, seen?: SeenClaim): Awaitable<ClaimState> {
  return seen === undefined ? claimKey(slot, claim, 0) : takeOver(slot, claim, seen);
}

/** Writes how our call ended, also in place of what others could only guess about it. Never replaces what a later owner wrote. */
export function settleKey(slot: ClaimSlot, claim: Claim, version: number, isOverdue: boolean): Awaitable<ClaimState> {
  if (isOverdue) return settleLate(slot, claim, version);
  // Nearly all calls settle in time, with this one write.
  return whenReady(write(slot, claim, version), (first) => (first.is === 'mine' ? first : settleLate(slot, claim, version, first)));
}

/** Reads who has the key, and takes it if it is free. */
export async function lookAtKey(slot: ClaimSlot, claim: Claim): Promise<ClaimState> {
  const seen = await peekAtKey(slot);
  return seen === undefined ? claimKey(slot, claim, 0) : takeFree(slot, claim, seen);
}

/** Reads who has the key, and changes nothing; undefined when it was never claimed. */
export async function peekAtKey({ store, at, ask }: ClaimSlot, by: Ask = ask): Promise<ClaimState | undefined> {
  const answer = await by(() => store.get(at));
  if (!answer.ok) return unavailable(answer);
  return answer.value && readRecord(at, answer.value);
}

/** Reads whether the key still belongs to an owner; undefined when the store does not answer. */
export async function isKeyHeldBy(slot: ClaimSlot, owner: string): Promise<boolean | undefined> {
  const seen = await peekAtKey(slot);
  return seen?.is === 'unavailable' ? undefined : isHeld(seen, owner);
}

/** Writes over the version that is ours. `isOverdue`: others may have taken the key, so the store is read first. */
export async function renewKey(
  slot: ClaimSlot,
  claim: Claim,
  version: number,
  isOverdue: boolean,
  // No call waits for a renewal, so none has waited in vain.
  by: Ask = askStore,
): Promise<ClaimState> {
  // Versions start anew once a record has expired: an old version alone does not prove that the key is still ours.
  const seen = isOverdue ? await peekAtKey(slot, by) : undefined;
  if (seen?.is === 'theirs' && !isHeld(seen, claim.owner)) return seen;
  const state = await write(slot, claim, version, by);
  // A write whose answer was lost has counted all the same.
  return isHeld(state, claim.owner) ? write(slot, claim, state.version, by) : state;
}

function put({ store, at, ttlMs, expiryOf }: ClaimSlot, claim: Claim, expect: number): Awaitable<PutResult> {
  const { space, tenant, key } = at;
  return store.put({ space, tenant, key, value: claim as never, expiresAt: expiryOf(claim.state, ttlMs) }, expect);
}

function write(slot: ClaimSlot, claim: Claim, expect: number, by: Ask = slot.ask): Awaitable<ClaimState> {
  const writtenFrom = thisMoment();
  const asked = by(() => put(slot, claim, expect));
  return whenReady(asked, (answer) => (answer.ok ? readPut(slot.at, answer.value, expect, writtenFrom) : unavailable(answer)));
}

/** Claims a key, a new one also where it has become free meanwhile. Where the store answers too late, the claim is undone: its call does not run, and must not look as if it had. */
function claimKey(slot: ClaimSlot, claim: Claim, expect: number, before?: Claim): Awaitable<ClaimState> {
  let asked: Awaitable<PutResult> | undefined;
  const writtenFrom = thisMoment();
  const asking = slot.ask(() => {
    const answer = put(slot, claim, expect);
    asked = isThenable(answer) ? Promise.resolve(answer) : answer;
    return asked;
  });
  return whenReady(asking, (answer) => {
    if (answer.ok) {
      const state = readPut(slot.at, answer.value, expect, writtenFrom);
      return expect === 0 && isFree(state) ? takeFree(slot, claim, state) : state;
    }
    void retract(slot, claim, asked, before);
    return unavailable(answer);
  });
}

/** Puts back what was there before a late claim: the claim of the call that it displaced, or nothing. */
async function retract(slot: ClaimSlot, claim: Claim, asked: Awaitable<PutResult> | undefined, before: Claim | undefined): Promise<void> {
  await Promise.resolve(asked).catch(() => undefined);
  const undo = async (): Promise<boolean> => {
    const seen = await peekAtKey(slot, askStore);
    if (!isHeld(seen, claim.owner)) return seen?.is !== 'unavailable';
    return (await write(slot, before ?? { ...claim, state: 'free' }, seen.version, askStore)).is !== 'unavailable';
  };
  if (!(await undo())) void tryLater(undo, claim.leaseMs / 6);
}

async function takeFree(slot: ClaimSlot, claim: Claim, found: ClaimState): Promise<ClaimState> {
  let state = found;
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (!isFree(state)) return state;
    state = await claimKey(slot, claim, state.version);
  }
  return { is: 'unavailable', why: changedTooOften };
}

async function takeOver(slot: ClaimSlot, claim: Claim, seen: SeenClaim): Promise<ClaimState> {
  const state = await claimKey(slot, claim, seen.version, seen.claim);
  return state.is === 'mine' ? { ...state, from: seen.claim } : takeFree(slot, claim, state);
}

async function settleLate(slot: ClaimSlot, claim: Claim, version: number, first?: ClaimState): Promise<ClaimState> {
  const renewed = first ?? (await renewKey(slot, claim, version, true, slot.ask));
  const state = first !== undefined && isHeld(first, claim.owner) ? await write(slot, claim, first.version) : renewed;
  return state.is === 'theirs' && mayReplace(claim, state.claim) ? write(slot, claim, state.version) : state;
}

function unavailable({ why, cause }: Extract<StoreAnswer<unknown>, { ok: false }>): ClaimState {
  return { is: 'unavailable', why, cause };
}

/** Checks whether a late owner may write over what it finds: a free key, or an `unknown` about its own run, written by itself or as a guess. */
function mayReplace(mine: Claim, theirs: Claim): boolean {
  if (theirs.state === 'free') return true;
  return theirs.state === 'unknown' && (theirs.about ?? theirs.owner) === mine.owner && mine.state !== 'unknown';
}

function isHeld(state: ClaimState | undefined, owner: string): state is Extract<ClaimState, { is: 'theirs' }> {
  return state?.is === 'theirs' && state.claim.state === 'running' && state.claim.owner === owner;
}

function isFree(state: ClaimState): state is Extract<ClaimState, { is: 'theirs' }> {
  return state.is === 'theirs' && state.claim.state === 'free';
}

function readPut(at: RecordKey, result: PutResult, expect: number, writtenFrom: Moment): ClaimState {
  if (result?.ok === true && result.version === expect + 1) return { is: 'mine', version: result.version, writtenFrom };
  if (result?.ok !== false) return { is: 'unavailable', why: 'the store did not say whether it wrote' };
  return result.current === undefined ? { is: 'unavailable', why: changedTooOften } : readRecord(at, result.current);
}

/** Accepts a record only if it is the one asked for and holds a claim. */
function readRecord(at: RecordKey, record: StoredRecord): ClaimState {
  const { space, tenant, key, version } = record;
  const claim = (record.value ?? {}) as unknown as Partial<Claim>;
  const isAsked = space === at.space && tenant === at.tenant && key === at.key && version > 0;
  const isFit = claim.v === 1 && isObject(claim.fields) && typeof claim.owner === 'string';
  if (isAsked && isFit && isSound[claim.state as Claim['state']]?.(claim)) return { is: 'theirs', version, claim: claim as Claim };
  return { is: 'unavailable', why: 'the store gave a record that cannot be read here' };
}

/** What a claim must hold in each state. */
const isSound: Readonly<Record<Claim['state'], (claim: Partial<Claim>) => boolean>> = {
  running: ({ leaseMs, writtenAt }) => Number(leaseMs) > 0 && typeof writtenAt === 'number',
  done: ({ outcome }) => isStoredOutcome(outcome),
  unknown: ({ outcome }) => isStoredOutcome(outcome),
  free: () => true,
};
