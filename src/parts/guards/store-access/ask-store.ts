import { classify } from '../../../core/outcome/index.ts';
import type { GuardedCall, Store } from '../../../core/ports/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline } from '../../../core/time/index.ts';

/** What a store answered, or why it did not. */
export type StoreAnswer<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | { readonly ok: false; readonly why: string /** What the store threw, for operators. */; readonly cause?: unknown };

/** Asks a store and never rejects: a store may throw, hang or be gone. */
export type Ask = <TValue>(ask: () => Promise<TValue>) => Promise<StoreAnswer<TValue>>;

/** Says what is wrong with a store. Unlike the words of a store itself, these may be shown. */
export class StoreFault extends Error {}

/** How long guards wait for a store that does not answer. */
const storeTimeoutMs = 2000;

/** How long a call still waits for a store that it has waited for in vain: long enough for one that is back. */
const shortestMs = 10;

/** How often others may write first before a store is taken to be broken. */
export const maxTries = 100;

/** What the caller then gets to read. */
export const changedTooOften = 'others changed it first, a hundred times';

/** What is read of a store to say why it is silent. */
type AskedStore = Pick<Store, 'get' | 'trouble'>;

/** How patient a call is with a store. */
interface Patience {
  /** Whether the call cannot run without an answer: then it has nothing better to do with its time. */
  readonly isNeeded?: boolean;
  readonly maxMs?: number;
}

/** What a call has waited in vain for a store, and what it learned. */
interface Vain {
  readonly ms: number;
  readonly why: string;
}

/** By call and store. Only what has failed is remembered, and only as long as the call is. */
const inVain = new WeakMap<object, Map<unknown, Vain>>();

/** What each store threw last, also too late for the call that asked: a store that is silent now is silent for the same reason. */
const lastCauses = new WeakMap<object, unknown>();

/**
 * Makes what asks a store on behalf of a call. All guards of a call share its patience: what one of them has waited for in vain, the others do
 * not wait for again. So a store that hangs costs a call at most a quarter of its time before its tool runs, half of what is left afterwards,
 * and never more than two seconds. What is asked after the call has ended costs its caller no time.
 */
export function askFor(call: GuardedCall, store: AskedStore, { isNeeded = false, maxMs = storeTimeoutMs }: Patience = {}): Ask {
  return (ask) => {
    if (call.outcome !== undefined) return askStore(ask);
    const { remainingMs, attempts } = call;
    const share = isNeeded && attempts === 0 ? storeTimeoutMs : Math.floor(remainingMs / (attempts === 0 ? 4 : 2));
    const before = inVain.get(call)?.get(store);
    const timeoutMs = Math.max(shortestMs, Math.min(maxMs, storeTimeoutMs - (before?.ms ?? 0), share - (before?.ms ?? 0)));
    const askedAt = performance.now();
    const tell: Tell = (why, isSilent) => {
      const reason = isSilent && timeoutMs === shortestMs ? (before?.why ?? why) : why;
      const stores = inVain.get(call) ?? new Map<unknown, Vain>();
      inVain.set(call, stores.set(store, { ms: (before?.ms ?? 0) + (performance.now() - askedAt), why: reason }));
      return reason;
    };
    const answer = askStore(ask, timeoutMs, tell, store);
    // The store answers again: forget its silence.
    if (before !== undefined) void answer.then(({ ok }) => ok && inVain.get(call)?.delete(store));
    return answer;
  };
}

/** Chooses the words for what went wrong. */
type Tell = (why: string, isSilent: boolean) => string;

/** Asks a store and waits for it for a limited time. What `store` throws, also too late, is the cause of its next silence. */
export function askStore<TValue>(
  ask: () => Promise<TValue>,
  timeoutMs: number = storeTimeoutMs,
  tell: Tell = String,
  store?: AskedStore,
): Promise<StoreAnswer<TValue>> {
  return new Promise((resolve) => {
    let isOver = false;
    const end = (answer: StoreAnswer<TValue>): void => {
      isOver = true;
      disarmDeadline(limit);
      resolve(answer);
    };
    // Nearly all wait equally long, so they share one timer.
    const limit: DeadlineEntry = {
      deadlineAt: 0,
      lane: undefined,
      earlier: undefined,
      later: undefined,
      onDeadline() {
        const trouble = store?.trouble?.();
        const reason = trouble === undefined ? '' : `: ${classify(trouble).kind}`;
        const cause = trouble ?? (store && lastCauses.get(store));
        const why = tell(`the store did not answer within ${Math.ceil(timeoutMs)} ms${reason}`, true);
        end({ ok: false, why, ...(cause !== undefined && { cause }) });
      },
    };
    armDeadline(limit, timeoutMs, performance.now());
    const fail = (thrown: unknown): void => {
      if (store !== undefined) lastCauses.set(store, thrown);
      if (isOver) return;
      const why = thrown instanceof StoreFault ? thrown.message : `the store failed: ${classify(thrown).kind}`;
      end({ ok: false, why: tell(why, false), cause: thrown });
    };
    try {
      ask().then((value) => {
        if (store !== undefined) lastCauses.delete(store);
        if (!isOver) end({ ok: true, value });
      }, fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Makes what asks a store for something that the caller cannot go on without, and throws where it fails or does not answer. */
export function demandOf(what: string): <TValue>(ask: () => Promise<TValue>) => Promise<TValue> {
  return async (ask) => {
    const answer = await askStore(ask);
    if (answer.ok) return answer.value;
    throw new Error(`${what} cannot be read: ${answer.why}.`, { cause: answer.cause });
  };
}
