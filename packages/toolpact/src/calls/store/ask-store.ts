import { classify } from '../../classify/index.ts';
import { isThenable } from '../../json/index.ts';
import { type FailureKind, ToolpactError } from '../../outcome/index.ts';
import { type GuardedCall, type Store, StoreFault } from '../../ports/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline } from '../../time/index.ts';

/** A store's answer, or why there is none. */
export type StoreAnswer<TValue> =
  | { readonly ok: true; readonly value: TValue }
  | {
      readonly ok: false;
      readonly why: string;
      /** The error of the store, for operators; if the store is silent, its last error. */
      readonly cause?: unknown;
      readonly isSilent?: true;
    };

/** Asks a store and never throws or rejects: a store may throw, hang or be gone. */
export type Ask = <TValue>(ask: () => Promise<TValue>) => Promise<StoreAnswer<TValue>>;

/** How long guards wait for a store that does not answer. */
const storeTimeoutMs = 2000;

/** How long they wait for its first connection besides. */
const openingMs = 10_000;

/** How long a call is still waiting for a store that it has waited for in vain: long enough for one that is back. */
const shortestMs = 10;

/** The part of a store that explains its silence. */
type AskedStore = Pick<Store, 'get' | 'trouble' | 'opening'>;

/** How patient a call is with a store. */
interface Patience {
  /** Whether the call cannot run without an answer: then it has nothing better to do with its time. */
  readonly isNeeded?: boolean;
  readonly maxMs?: number;
}

/** The time that a call has waited in vain for a store, and the reason. */
interface Vain {
  readonly ms: number;
  readonly why: string;
}

/** By call and store. Only what has failed is remembered, and only as long as the call is. */
const inVain = new WeakMap<object, Map<unknown, Vain>>();

/** The last error of each store, even if it came too late for the call that asked: a silent store is usually silent for the same reason. */
const lastCauses = new WeakMap<object, unknown>();

/**
 * Makes what asks a store on behalf of a call. All guards of a call share its patience: what one of them has waited for in vain, the others do
 * not wait for again. So a store that hangs costs a call at most a quarter of its time before its tool runs, half of what is left afterwards,
 * and never more than two seconds. A first connection that is still being made has half of its time besides, and ten seconds at most. What is
 * asked after the call has ended costs its caller no time.
 */
export function askFor(call: GuardedCall, store: AskedStore, patience: Patience = {}): Ask {
  return (ask) => (call.outcome === undefined ? askWithin(ask, limitOf(call, store, patience), store) : askStore(ask, { store }));
}

/** Asks a store and waits for it for a limited time. @param options `store` is given where its first connection has time of its own */
export function askStore<TValue>(
  ask: () => Promise<TValue>,
  { timeoutMs = storeTimeoutMs, store }: { readonly timeoutMs?: number | undefined; readonly store?: AskedStore } = {},
): Promise<StoreAnswer<TValue>> {
  return askWithin(ask, { timeoutMs, openingMs }, store);
}

/** How long a store is waited for, and what is noted about it. */
interface Limit {
  readonly timeoutMs: number;
  /** How long its first connection is waited for before that. */
  readonly openingMs: number;
  /** Notes what went wrong, and chooses the words for it. @default the given words */
  readonly tell?: (why: string, isSilent: boolean) => string;
  /** Notes that the store answers again. */
  readonly forget?: () => void;
}

function limitOf(call: GuardedCall, store: AskedStore, { isNeeded = false, maxMs = storeTimeoutMs }: Patience): Limit {
  const { remainingMs, attempts } = call;
  const share = isNeeded && attempts === 0 ? storeTimeoutMs : Math.floor(remainingMs / (attempts === 0 ? 4 : 2));
  const before = inVain.get(call)?.get(store);
  const timeoutMs = Math.max(shortestMs, Math.min(maxMs, storeTimeoutMs - (before?.ms ?? 0), share - (before?.ms ?? 0)));
  const askedAt = performance.now();
  return {
    timeoutMs,
    openingMs: Math.min(openingMs, remainingMs / 2),
    tell(why, isSilent) {
      const reason = isSilent && timeoutMs === shortestMs ? (before?.why ?? why) : why;
      const stores = inVain.get(call) ?? new Map<unknown, Vain>();
      inVain.set(call, stores.set(store, { ms: (before?.ms ?? 0) + (performance.now() - askedAt), why: reason }));
      return reason;
    },
    ...(before !== undefined && { forget: () => void inVain.get(call)?.delete(store) }),
  };
}

function answered<TValue>(value: TValue, store: AskedStore | undefined): StoreAnswer<TValue> {
  if (store !== undefined) lastCauses.delete(store);
  return { ok: true, value };
}

function failed(thrown: unknown, { tell = String }: Limit, store: AskedStore | undefined): StoreAnswer<never> {
  if (store !== undefined) lastCauses.set(store, thrown);
  // What we say ourselves names what is missing, such as a package; the words of others are not meant for a caller.
  const isOurs = thrown instanceof StoreFault || thrown instanceof ToolpactError;
  const why = isOurs ? thrown.message : `the store failed: ${kindOf(thrown)}`;
  return { ok: false, why: tell(why, false), cause: thrown };
}

/** Descriptions of a full or read-only store: its kind alone would read as if the caller had spent or done something. */
const storeWords: Partial<Record<FailureKind, string>> = { budget_exhausted: 'it is full', forbidden: 'it may not be written to' };

/** Names why a store failed. Its words are not meant for models, so what cannot be read is its bug. */
function kindOf(thrown: unknown): string {
  const { kind } = classify(thrown);
  return kind === 'failed' ? 'internal' : (storeWords[kind] ?? kind);
}

/** Asks a store and waits for it within a limit. What `store` throws, also too late, is the cause of its next silence. */
function askWithin<TValue>(ask: () => Promise<TValue>, limit: Limit, store: AskedStore | undefined): Promise<StoreAnswer<TValue>> {
  const { timeoutMs, tell = String, forget } = limit;
  return new Promise((resolve) => {
    // A store of someone else may throw at once, or answer with what only looks like a promise.
    const question = new Promise<TValue>((answer) => answer(ask()));
    let isOver = false;
    let limitMs = timeoutMs;
    const end = (answer: StoreAnswer<TValue>): void => {
      isOver = true;
      disarmDeadline(entry);
      resolve(answer);
    };
    // Nearly all wait equally long, so they share one timer.
    const entry: DeadlineEntry = {
      deadlineAt: 0,
      lane: undefined,
      earlier: undefined,
      later: undefined,
      onDeadline() {
        const trouble = troubleOf(store);
        const reason = trouble === undefined ? '' : `: ${kindOf(trouble)}`;
        const cause = trouble ?? (store && lastCauses.get(store));
        const why = tell(`the store did not answer within ${Math.ceil(limitMs)} ms${reason}`, true);
        end({ ok: false, why, isSilent: true, ...(cause !== undefined && { cause }) });
      },
    };
    const opening = openingOf(store);
    if (opening !== undefined) {
      limitMs += Math.ceil(limit.openingMs);
      const begin = (): void => {
        if (isOver) return;
        disarmDeadline(entry);
        limitMs = timeoutMs;
        armDeadline(entry, limitMs, performance.now());
      };
      opening.then(begin, begin);
    }
    armDeadline(entry, limitMs, performance.now());
    question.then(
      (value) => {
        const answer = answered(value, store);
        if (isOver) return;
        forget?.();
        end(answer);
      },
      (thrown: unknown) => {
        if (!isOver) end(failed(thrown, limit, store));
        else if (store !== undefined) lastCauses.set(store, thrown);
      },
    );
  });
}

/** Gives the promise of the first connection of a store, where it is still being made. */
function openingOf(store: AskedStore | undefined): Promise<unknown> | undefined {
  try {
    const opening = store?.opening?.();
    return isThenable(opening) ? Promise.resolve(opening) : undefined;
  } catch {
    return undefined;
  }
}

/** Gives what a store says about its own silence. */
function troubleOf(store: AskedStore | undefined): unknown {
  try {
    return store?.trouble?.();
  } catch (thrown) {
    return thrown;
  }
}

/** Creates a function that asks a store, and throws if the store fails, does not answer or refuses an argument. */
export function demandOf(what: string): <TValue>(ask: () => Promise<TValue>) => Promise<TValue> {
  return async (ask) => {
    const answer = await askStore(ask);
    if (answer.ok) return answer.value;
    // A mistake of the asker is no trouble of the store.
    if (answer.cause instanceof ToolpactError && answer.cause.code === 'invalid_argument') throw answer.cause;
    throw new Error(`${what} cannot be read: ${answer.why}.`, { cause: answer.cause });
  };
}
