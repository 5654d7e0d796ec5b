import { askFor, type StoreAnswer } from '../../calls/index.ts';
import type { CounterState, GuardedCall } from '../../ports/index.ts';
import type { LimitStore } from './process-store.ts';

/** Adds to a counter for a call, and believes the answer only if it is one. */
export async function addToLimit(
  call: GuardedCall,
  store: LimitStore,
  at: Parameters<LimitStore['add']>[0],
  amount: number,
  windowMs: number,
): Promise<StoreAnswer<CounterState>> {
  const answer = await askFor(call, store)(() => store.add(at, amount, windowMs));
  if (!answer.ok) return answer;
  const { count, leftMs } = (answer.value ?? {}) as Partial<CounterState>;
  if (Number.isFinite(count) && Number.isFinite(leftMs)) return answer;
  return { ok: false, why: 'the store gave something that is not a count' };
}
