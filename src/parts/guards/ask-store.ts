import { classify } from '../../core/outcome/index.ts';

/** What a store answered, or why it did not. */
export type StoreAnswer<TValue> = { readonly ok: true; readonly value: TValue } | { readonly ok: false; readonly why: string };

/** How long guards wait for a store that does not answer. */
export const storeTimeoutMs = 2000;

/** Asks a store and waits for it only so long. Never rejects: a store may throw, hang or be gone. */
export function askStore<TValue>(ask: () => Promise<TValue>, timeoutMs: number = storeTimeoutMs): Promise<StoreAnswer<TValue>> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ ok: false, why: `the store did not answer within ${timeoutMs} ms` }), timeoutMs);
    const end = (answer: StoreAnswer<TValue>): void => {
      clearTimeout(timer);
      resolve(answer);
    };
    const fail = (thrown: unknown): void => end({ ok: false, why: `the store failed: ${classify(thrown).kind}` });
    try {
      ask().then((value) => end({ ok: true, value }), fail);
    } catch (thrown) {
      fail(thrown);
    }
  });
}
