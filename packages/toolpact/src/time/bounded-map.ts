/** A map that forgets: what has expired, and the oldest entries when there are too many or they weigh too much. */
export interface BoundedMap<TValue> {
  readonly get: (key: string) => TValue | undefined;
  /** Writes an entry, which becomes the newest. */
  readonly set: (key: string, value: TValue, expiresAt: number, weight?: number) => void;
  readonly delete: (key: string) => void;
  /** Returns what has not expired, the oldest first. */
  readonly values: () => readonly TValue[];
  readonly size: () => number;
}

/** How much a bounded map holds. */
export interface BoundedMapOptions {
  readonly maxEntries: number;
  /** @default no limit */
  readonly maxWeight?: number;
  readonly now: () => number;
}

/** Creates a map whose size has a limit. Nothing is swept by a timer: an entry goes when it is read too late or pushed out. */
export function createBoundedMap<TValue>({ maxEntries, maxWeight = Number.POSITIVE_INFINITY, now }: BoundedMapOptions): BoundedMap<TValue> {
  const entries = new Map<string, { readonly value: TValue; readonly expiresAt: number; readonly weight: number }>();
  let total = 0;

  function remove(key: string): void {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  }
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined || now() < entry.expiresAt) return entry?.value;
      remove(key);
      return undefined;
    },
    set(key, value, expiresAt, weight = 0) {
      remove(key);
      if (weight > maxWeight) return;
      entries.set(key, { value, expiresAt, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (entries.size <= maxEntries && total <= maxWeight) break;
        remove(oldest);
      }
    },
    delete: remove,
    values: () => [...entries.values()].filter(({ expiresAt }) => now() < expiresAt).map(({ value }) => value),
    size: () => entries.size,
  };
}
