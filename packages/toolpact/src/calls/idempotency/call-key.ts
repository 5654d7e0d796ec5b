import { canonicalJson } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { type GuardedCall, keyOf, type RecordKey, type Store } from '../../ports/index.ts';
import { askFor } from '../store-access/ask-store.ts';
import {
  argumentsOf,
  createFingerprints,
  type Fingerprints,
  fingerprint,
  knownFingerprints,
  loadFingerprints,
  newSecret,
} from '../store-access/fingerprint.ts';
import type { Claim, ClaimState } from './claim.ts';

/** What a call is known by: its key in this process and in the store, and its arguments as fingerprints. */
export interface CallKey {
  readonly id: string;
  readonly at: RecordKey;
  readonly fields: Claim['fields'];
  /** Why the store cannot be used for this call, where its secret could not be read. */
  readonly withoutStore?: Extract<ClaimState, { is: 'unavailable' }>;
}

/** Compares calls of this process while the secret of a store cannot be read. Nothing that it makes is stored. */
let ownPrints: Fingerprints | undefined;

/** Reads the key of a call and hands it to its tool; undefined where it has none, an outcome where its tool made none that can be compared. */
export function readCallKey(call: GuardedCall, store: Store): Promise<CallKey> | CallKey | Outcome | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const { name } = call.tool;
  if (key === '') return call.refuse('not_configured', `${name} made no key of its arguments that could be compared, so it did not run.`);
  const prints = knownFingerprints(store);
  return prints === undefined ? loadCallKey(call, store, key) : toCallKey(call, key, prints);
}

async function loadCallKey(call: GuardedCall, store: Store, key: string): Promise<CallKey> {
  const loaded = await loadFingerprints(store, askFor(call, store, { isNeeded: call.tool.effects === 'writes' }));
  if (loaded.ok) return toCallKey(call, key, loaded.value);
  // Made on first use, not on load: edge workers forbid randomness while a module loads.
  ownPrints ??= createFingerprints(newSecret());
  return { ...toCallKey(call, key, ownPrints), withoutStore: { is: 'unavailable', why: loaded.why, cause: loaded.cause } };
}

function toCallKey(call: GuardedCall, key: string, prints: Fingerprints): CallKey {
  const { tool, tenantId } = call;
  const own = canonicalJson([tool.name, key]);
  const isOwn = tool.idempotency?.key !== undefined;
  if (!isOwn) call.useKey(key);
  const stored = isOwn ? canonicalJson([tool.name, prints.of(useOwnKey(call, own))]) : own;
  // The length tells the two parts of the id apart, whatever they hold.
  const id = `${tenantId.length}:${tenantId}${own}`;
  return { id, at: { space: 'claim', tenant: tenantId, key: stored }, fields: prints.ofFields(argumentsOf(call)) };
}

/**
 * Hands the key that a tool made of its arguments to the tool, and gives what is stored of it. It may hold whatever they hold, so only fingerprints
 * are stored and handed on. The one handed on has no secret in it: a service must know the call again when the store is new.
 */
function useOwnKey(call: GuardedCall, own: string): string {
  const whole = canonicalJson([call.tenantId, own]);
  call.useKey(fingerprint(whole));
  return whole;
}
