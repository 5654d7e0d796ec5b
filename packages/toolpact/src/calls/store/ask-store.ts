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
      /** The error of the store, for operators; if the store is silent, what it says about that. */
      readonly cause?: unknown;
      readonly isSilent?: true;
    };

/** Asks a store and never throws or rejects: a store may throw, hang or be gone. */
export type Ask = <TValue>(ask: () => Promise<TValue>) => Promise<StoreAnswer<TValue>>;

/** How long a call waits for a store that does not answer. */
const storeTimeoutMs = 2000;

/** How long it waits for a first connection besides. */
const openingMs = 10_000;

/** How long it waits once it has waited in vain: long enough for a store that is back. */
const shortestMs = 10;

/** The part of a store that explains its silence. */
type AskedStore = Pick<Store, 'get' | 'trouble' | 'opening'>;

/** How patient a call is with a store. */
interface Patience {
  /** Whether the call cannot run without an answer: then it has nothing better to do with its time. */
  readonly isNeeded?: boolean;
  readonly maxMs?: number;
}

/** The time that a call has waited in vain for a store, and the reason. Forgotten when the store answers, or with the call. */
const inVain = new WeakMap<object, Map<unknown, { readonly ms: number; readonly why: string }>>();

/**
 * Makes what asks a store on behalf of a call. All guards of a call share its patience: two seconds, or a quarter of its time if that is less,
 * for all that a store leaves unanswered. While a first connection is being made, half of its time besides, ten seconds at most. What is asked
 * after the call has ended costs its caller no time.
 */
export function askFor(call: GuardedCall, store: AskedStore, { isNeeded = false, maxMs = storeTimeoutMs }: Patience = {}): Ask {
  return async (ask) => {
    if (call.outcome !== undefined) return askStore(ask, { store });
    const { remainingMs, attempts } = call;
    const stores = inVain.get(call);
    const before = stores?.get(store);
    const patienceMs = isNeeded && attempts === 0 ? maxMs : Math.min(maxMs, remainingMs / 4);
    const timeoutMs = Math.max(shortestMs, Math.floor(patienceMs - (before?.ms ?? 0)));
    const askedAt = performance.now();
    const answer = await askStore(ask, { timeoutMs, openingMs: Math.min(openingMs, remainingMs / 2), store });
    if (answer.ok) {
      stores?.delete(store);
      return answer;
    }
    const why = answer.isSilent && timeoutMs === shortestMs ? (before?.why ?? answer.why) : answer.why;
    const ms = (before?.ms ?? 0) + (performance.now() - askedAt);
    inVain.set(call, (inVain.get(call) ?? new Map()).set(store, { ms, why }));
    return { ...answer, why };
  };
}

/** How long a store is waited for. */
interface Limit {
  readonly timeoutMs?: number;
  /** How long its first connection is waited for before that. */
  readonly openingMs?: number;
  /** Where its first connection has time of its own, and its silence a cause. */
  readonly store?: AskedStore;
}

/** Asks a store and waits for it for a limited time. */
export function askStore<TValue>(ask: () => Promise<TValue>, limit: Limit = {}): Promise<StoreAnswer<TValue>> {
  const { timeoutMs = storeTimeoutMs, store } = limit;
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
        const cause = troubleOf(store);
        const reason = cause === undefined ? '' : `: ${kindOf(cause)}`;
        const why = `the store did not answer within ${Math.ceil(limitMs)} ms${reason}`;
        end({ ok: false, why, isSilent: true, ...(cause !== undefined && { cause }) });
      },
    };
    const opening = openingOf(store);
    if (opening !== undefined) {
      limitMs += Math.ceil(limit.openingMs ?? openingMs);
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
      (value) => end({ ok: true, value }),
      (thrown: unknown) => end(failed(thrown)),
    );
  });
}

function failed(thrown: unknown): StoreAnswer<never> {
  // What we say ourselves names what is missing, such as a package; the words of others are not meant for a caller.
  const isOurs = thrown instanceof StoreFault || thrown instanceof ToolpactError;
  return { ok: false, why: isOurs ? thrown.message : `the store failed: ${kindOf(thrown)}`, cause: thrown };
}

/** Descriptions for kinds that alone would say nothing, or would read as if the caller had spent or done something. */
const storeWords: Partial<Record<FailureKind, string>> = {
  budget_exhausted: 'it is full',
  forbidden: 'it may not be written to',
  failed: 'internal error',
  internal: 'internal error',
};

/** Names why a store failed. Its own words are not meant for models. */
function kindOf(thrown: unknown): string {
  const { kind } = classify(thrown);
  return storeWords[kind] ?? kind;
}

/** Returns the promise of the first connection of a store, where it is still being made. */
function openingOf(store: AskedStore | undefined): Promise<unknown> | undefined {
  try {
    const opening = store?.opening?.();
    return isThenable(opening) ? Promise.resolve(opening) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns what a store says about its own silence. */
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
