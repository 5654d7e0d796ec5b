import type { Outcome } from '../../core/outcome/index.ts';
import type { PutResult, RecordKey, Store, StoredRecord } from '../../core/runtime/index.ts';
import { askStore } from './ask-store.ts';

/** What is stored about a key: who runs its call, or how that call ended. */
export interface Claim {
  readonly v: 1;
  /** `unknown` is a call that ended although it may have taken effect; nobody may simply run it again. */
  readonly state: 'running' | 'done' | 'unknown';
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
  /** Writes over the version that is ours; false when it is ours no more. */
  readonly write: (claim: Claim, version: number) => Promise<Sight>;
  /** Frees the key. */
  readonly free: (version: number) => Promise<{ readonly ok: boolean; readonly why?: string }>;
}

/** Opens the place of one key. */
export function openSlot(store: Store, at: RecordKey, expiry: () => number): ClaimSlot {
  async function write(claim: Claim, expect: number): Promise<Sight> {
    const answer = await askStore(() => store.put({ ...at, value: claim as never, expiresAt: expiry() }, expect));
    return answer.ok ? readPut(at, answer.value) : { is: 'hidden', why: answer.why };
  }
  async function take(claim: Claim, seen?: { readonly version: number; readonly claim: Claim }): Promise<Sight> {
    const sight = await write(claim, seen?.version ?? 0);
    return sight.is === 'mine' && seen !== undefined ? { ...sight, from: seen.claim } : sight;
  }
  return {
    take,
    write,
    async look(claim) {
      const answer = await askStore(() => store.get(at));
      if (!answer.ok) return { is: 'hidden', why: answer.why };
      return answer.value === undefined ? take(claim) : readRecord(at, answer.value);
    },
    async free(version) {
      const answer = await askStore(() => store.remove(at, version));
      return answer.ok ? { ok: answer.value === true } : { ok: false, why: answer.why };
    },
  };
}

/** Names the fields in which two sets of arguments differ. */
export function differingFields(mine: Claim['fields'], theirs: Claim['fields']): string[] {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].filter((name) => mine[name] !== theirs[name]).sort();
}

/**
 * Tells whether the owner of a claim is dead: it has not written for a whole lease. This is measured by one's own clock from the moment the
 * claim was first seen, so that clocks that differ rob nobody; only a claim that is older than two leases is dead at first sight.
 */
export function createLeaseWatch(now: () => number): (sight: { readonly version: number; readonly claim: Claim }) => boolean {
  let seen: { readonly version: number; readonly at: number } | undefined;
  return ({ version, claim: { leaseMs, writtenAt } }) => {
    if (seen?.version !== version) seen = { version, at: now() };
    return now() - seen.at >= leaseMs || now() - writtenAt >= 2 * leaseMs;
  };
}

function readPut(at: RecordKey, result: PutResult): Sight {
  if (result?.ok === true && result.version > 0) return { is: 'mine', version: result.version };
  if (result?.ok !== false) return { is: 'hidden', why: 'the store did not say whether it wrote' };
  return result.current === undefined ? { is: 'hidden', why: 'the key changed hands too often' } : readRecord(at, result.current);
}

/** Believes a record only if it is the one asked for and holds a claim. */
function readRecord(at: RecordKey, record: StoredRecord): Sight {
  const { space, tenant, key, version } = record;
  const claim = (record.value ?? {}) as unknown as Partial<Claim>;
  const isAsked = space === at.space && tenant === at.tenant && key === at.key && version > 0;
  const isRunning = claim.state === 'running' && Number(claim.leaseMs) > 0 && typeof claim.writtenAt === 'number';
  const isOver = (claim.state === 'done' || claim.state === 'unknown') && typeof claim.outcome?.meta === 'object';
  if (isAsked && claim.v === 1 && typeof claim.fields === 'object' && (isRunning || isOver)) {
    return { is: 'theirs', version, claim: claim as Claim };
  }
  return { is: 'hidden', why: 'the store gave a record that cannot be read here' };
}
