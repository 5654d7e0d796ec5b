/** The result of one item: its value, or the thrown error. */
export type Settled<TValue> =
  | { readonly ok: true; readonly index: number; readonly value: TValue }
  | { readonly ok: false; readonly index: number; readonly error: unknown };

/** Works on a few items at a time and gives the result of each, in their order. A failed item does not affect the others. */
export async function mapLimited<TItem, TValue>(
  items: readonly TItem[],
  limit: number,
  work: (item: TItem) => Promise<TValue>,
): Promise<Settled<TValue>[]> {
  const settled: Settled<TValue>[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      try {
        settled[index] = { ok: true, index, value: await work(item) };
      } catch (error) {
        settled[index] = { ok: false, index, error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return settled;
}
