/** An answer that was kept, as text: each reader gets its own value. */
export interface KeptAnswer {
  readonly text: string;
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly freshUntil: number;
}

/** Keeps answers, fresh or not: one that has gone stale can still be confirmed by its upstream. */
export interface ResponseCache {
  readonly get: (key: string) => KeptAnswer | undefined;
  readonly set: (key: string, answer: KeptAnswer) => void;
}

/** How much is kept. */
export interface ResponseCacheOptions {
  readonly maxEntries: number;
  readonly maxChars: number;
}

/** Creates a cache that evicts the least recently used responses when it is full. */
export function createResponseCache({ maxEntries, maxChars }: ResponseCacheOptions): ResponseCache {
  const kept = new Map<string, KeptAnswer>();
  let chars = 0;

  function remove(key: string): void {
    chars -= kept.get(key)?.text.length ?? 0;
    kept.delete(key);
  }

  return {
    get(key) {
      const answer = kept.get(key);
      if (answer === undefined) return undefined;
      kept.delete(key);
      kept.set(key, answer);
      return answer;
    },
    set(key, answer) {
      remove(key);
      if (answer.text.length > maxChars) return;
      kept.set(key, answer);
      chars += answer.text.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= maxEntries && chars <= maxChars) break;
        remove(oldest);
      }
    },
  };
}
