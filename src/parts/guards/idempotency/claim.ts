import type { Outcome } from '../../../core/outcome/index.ts';
import type { PutResult, RecordKey, Store, StoredRecord } from '../../../core/runtime/index.ts';
import { type Ask, askStore, changedTooOften, mostTries } from '../store-access/ask-store.ts';
import { isStoredOutcome } from '../store-access/stored-outcome.ts';

/** What is stored about a key: who runs its call, or how that call ended. */
export interface Claim {
  readonly v: 1;
  /**
   * `unknown` is a call that ended although it may have taken effect; nobody may simply run it again. `free` is as good as no claim: it only
   * keeps the versions of the record counting, so that whoever had the key before cannot take its next owner's version for its own.
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
}

/** What is known about a key after looking at it: it is ours, somebody else's, or the store did not tell. */
export type Sight =
  | { readonly is: 'mine'; readonly version: number; readonly from?: Claim }
  | { readonly is: 'theirs'; readonly version: number; readonly claim: Claim }
  | { readonly is: 'hidden'; readonly why: string };

/** The place of one key in a store. Nothing here rejects. */
export interface ClaimSlot {
  /** Takes the key where it is free, or where it still is as it was seen. */
  readonly take: (claim: Claim, seen?: { readonly version: number; readonly claim: Claim }) => Promise<Sight>;
  /** Looks who has the key, and takes it if nobody has. */
  readonly look: (claim: Claim) => Promise<Sight>;
  /** Writes over the version that is ours. */
  readonly renew: (claim: Claim, version: number) => Promise<Sight>;
  /** Writes how our call ended, also in place of what others could only guess meanwhile. */
  readonly settle: (claim: Claim, version: number) => Promise<Sight>;
}

/** Opens the place of one key, for the call that asks. */
export function openSlot(store: Store, at: RecordKey, expiryOf: (claim: Claim) => number, ask: Ask): ClaimSlot {
  const put = (claim: Claim, expect: number): Promise<PutResult> =>
    store.put({ ...at, value: claim as never, expiresAt: expiryOf(claim) }, expect);

  async function write(claim: Claim, expect: number, by: Ask = ask): Promise<Sight> {
    const answer = await by(() => put(claim, expect));
    return answer.ok ? readPut(at, answer.value, expect) : { is: 'hidden', why: answer.why };
  }
  async function renew(claim: Claim, version: number, by: Ask): Promise<Sight> {
    const sight = await write(claim, version, by);
    // A write whose answer was lost has counted all the same.
    return isRunning(sight) && sight.claim.owner === claim.owner ? write(claim, sight.version, by) : sight;
  }
  async function create(claim: Claim): Promise<Sight> {
    let asked: Promise<PutResult> | undefined;
    const answer = await ask(() => {
      asked = put(claim, 0);
      return asked;
    });
    if (answer.ok) return unlessFree(claim, readPut(at, answer.value, 0));
    if (asked !== undefined) void retract(claim, asked);
    return { is: 'hidden', why: answer.why };
  }
  /** Undoes a claim that was written although nobody heard of it: its call never ran, and must not look as if it had. */
  async function retract(claim: Claim, asked: Promise<PutResult>): Promise<void> {
    await asked.catch(() => undefined);
    const answer = await askStore(() => store.get(at));
    const sight = answer.ok && answer.value !== undefined ? readRecord(at, answer.value) : undefined;
    if (isRunning(sight) && sight.claim.owner === claim.owner) await write({ ...claim, state: 'free' }, sight.version);
  }
  /** Takes a key that was found free. */
  function unlessFree(claim: Claim, found: Sight): Sight | Promise<Sight> {
    return isFree(found) ? takeFree(claim, found) : found;
  }
  async function takeFree(claim: Claim, found: Sight): Promise<Sight> {
    let sight = found;
    for (let tries = 0; tries < mostTries; tries += 1) {
      if (!isFree(sight)) return sight;
      sight = await write(claim, sight.version);
    }
    return { is: 'hidden', why: changedTooOften };
  }
  async function takeOver(claim: Claim, seen: { readonly version: number; readonly claim: Claim }): Promise<Sight> {
    const sight = await write(claim, seen.version);
    return sight.is === 'mine' ? { ...sight, from: seen.claim } : unlessFree(claim, sight);
  }
  return {
    take: (claim, seen) => (seen === undefined ? create(claim) : takeOver(claim, seen)),
    // No call waits for this, so none has waited in vain.
    renew: (claim, version) => renew(claim, version, askStore),
    async look(claim) {
      const answer = await ask(() => store.get(at));
      if (!answer.ok) return { is: 'hidden', why: answer.why };
      return answer.value === undefined ? create(claim) : unlessFree(claim, readRecord(at, answer.value));
    },
    async settle(claim, version) {
      const sight = await renew(claim, version, ask);
      const isGuess = sight.is === 'theirs' && (sight.claim.state === 'unknown' || sight.claim.state === 'free');
      return isGuess && claim.state !== 'unknown' ? write(claim, sight.version) : sight;
    },
  };
}

/** Names the fields in which two sets of arguments differ. */
export function differingFields(mine: Claim['fields'], theirs: Claim['fields']): string[] {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].filter((name) => mine[name] !== theirs[name]).sort();
}

function isRunning(sight: Sight | undefined): sight is Extract<Sight, { is: 'theirs' }> {
  return sight?.is === 'theirs' && sight.claim.state === 'running';
}

function isFree(sight: Sight): sight is Extract<Sight, { is: 'theirs' }> {
  return sight.is === 'theirs' && sight.claim.state === 'free';
}

function readPut(at: RecordKey, result: PutResult, expect: number): Sight {
  if (result?.ok === true && result.version === expect + 1) return { is: 'mine', version: result.version };
  if (result?.ok !== false) return { is: 'hidden', why: 'the store did not say whether it wrote' };
  return result.current === undefined ? { is: 'hidden', why: changedTooOften } : readRecord(at, result.current);
}

/** Believes a record only if it is the one asked for and holds a claim. */
function readRecord(at: RecordKey, record: StoredRecord): Sight {
  const { space, tenant, key, version } = record;
  const claim = (record.value ?? {}) as unknown as Partial<Claim>;
  const isAsked = space === at.space && tenant === at.tenant && key === at.key && version > 0;
  const isFit = claim.v === 1 && typeof claim.fields === 'object' && claim.fields !== null && typeof claim.owner === 'string';
  if (isAsked && isFit && isSound[claim.state as Claim['state']]?.(claim)) return { is: 'theirs', version, claim: claim as Claim };
  return { is: 'hidden', why: 'the store gave a record that cannot be read here' };
}

/** What a claim must hold in each state. */
const isSound: Readonly<Record<Claim['state'], (claim: Partial<Claim>) => boolean>> = {
  running: ({ leaseMs, writtenAt }) => Number(leaseMs) > 0 && typeof writtenAt === 'number',
  done: ({ outcome }) => isStoredOutcome(outcome),
  unknown: ({ outcome }) => isStoredOutcome(outcome),
  free: () => true,
};
