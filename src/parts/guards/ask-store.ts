import { classify } from '../../core/outcome/index.ts';
import type { GuardedCall } from '../../core/runtime/index.ts';

/** What a store answered, or why it did not. */
export type StoreAnswer<TValue> = { readonly ok: true; readonly value: TValue } | { readonly ok: false; readonly why: string };

/** Says that a store gave what cannot be read here. Unlike the words of a store, these may be shown. */
export class UnreadableRecord extends Error {}

/** How long guards wait for a store that does not answer. */
export const storeTimeoutMs = 2000;

/** How often somebody else may be quicker before a store is taken to lie. */
export const mostTries = 100;

/** What is said then. */
export const changedTooOften = 'it changed hands too often';

/**
 * Tells how long a call may wait for a store, so that one that hangs does not use up the call's time: a quarter of what is left before its
 * tool runs, half of it afterwards. A call that cannot run without an answer has nothing better to do with its time.
 */
export function patienceOf(call: Pick<GuardedCall, 'ended' | 'remainingMs' | 'attempts'>, isNeeded = false): number {
  const { ended, remainingMs, attempts } = call;
  if (ended !== undefined || (isNeeded && attempts === 0)) return storeTimeoutMs;
  return Math.max(10, Math.min(storeTimeoutMs, Math.floor(remainingMs / (attempts === 0 ? 4 : 2))));
}

/** Asks a store and waits for it only so long. Never rejects: a store may throw, hang or be gone. */
export function askStore<TValue>(ask: () => Promise<TValue>, timeoutMs: number = storeTimeoutMs): Promise<StoreAnswer<TValue>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, why: `the store did not answer within ${timeoutMs} ms` }), timeoutMs);
    const end = (answer: StoreAnswer<TValue>): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const fail = (thrown: unknown): void =>
      end({ ok: false, why: thrown instanceof UnreadableRecord ? thrown.message : `the store failed: ${classify(thrown).kind}` });
    try {
      ask().then((value) => end({ ok: true, value }), fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}

/** Makes what asks a store for something that nobody can go on without, and throws where it fails or does not answer. */
export function demandOf(what: string): <TValue>(ask: () => Promise<TValue>) => Promise<TValue> {
  return async (ask) => {
    const answer = await askStore(ask);
    if (answer.ok) return answer.value;
    throw new Error(`${what} cannot be read: ${answer.why}.`);
  };
}
