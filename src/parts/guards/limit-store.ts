import type { CounterState, GuardedCall } from '../../core/runtime/index.ts';
import { askStore, patienceOf, type StoreAnswer, storeTimeoutMs } from './ask-store.ts';
import type { LimitStore } from './process-store.ts';

/** What becomes of a call while the store that counts does not answer: it runs uncounted, with a warning, or is refused as `not_ready`. */
export type WhenStoreFails = 'allow' | 'refuse';

/** Asks a store on behalf of a call, which keeps most of its time for itself. */
export function askFor<TValue>(call: GuardedCall, ask: () => Promise<TValue>, mostMs = storeTimeoutMs): Promise<StoreAnswer<TValue>> {
  return askStore(ask, Math.min(mostMs, patienceOf(call)));
}

/** Adds to a counter for a call, and believes the answer only if it is one. */
export async function addFor(
  call: GuardedCall,
  store: LimitStore,
  at: Parameters<LimitStore['add']>[0],
  amount: number,
  windowMs: number,
): Promise<StoreAnswer<CounterState>> {
  const answer = await askFor(call, () => store.add(at, amount, windowMs));
  if (!answer.ok) return answer;
  const { count, endsAt } = (answer.value ?? {}) as Partial<CounterState>;
  if (Number.isFinite(count) && Number.isFinite(endsAt)) return answer;
  return { ok: false, why: 'the store gave something that is not a count' };
}

/** Throws for a choice that is none, and for a store that is none. */
export function checkStoreOptions(store: LimitStore | undefined, whenStoreFails: WhenStoreFails): void {
  if (store !== undefined && (typeof store?.add !== 'function' || typeof store.put !== 'function')) {
    throw new TypeError('store must be a store, such as `memoryStore()`');
  }
  if (whenStoreFails !== 'allow' && whenStoreFails !== 'refuse') throw new TypeError("whenStoreFails must be 'allow' or 'refuse'");
}

/** Throws for numbers that are not more than 0. */
export function checkPositive(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0)) throw new TypeError(`${name} must be more than 0`);
  }
}
