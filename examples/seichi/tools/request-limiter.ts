import { fail } from 'toolpact';

/** How many requests an upstream is sent in a window of time. */
export interface RequestLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** Spreads requests over time, per upstream, for everybody who shares it. */
export interface RequestLimiter {
  /** Waits for its turn; fails with `rate_limited` when that would take longer than `patienceMs`. */
  readonly pass: (upstream: string, limit: RequestLimit, patienceMs: number, signal: AbortSignal | undefined) => Promise<void>;
  /** Sends nothing more to an upstream for so long, because it asked for that. */
  readonly hold: (upstream: string, forMs: number) => void;
}

/** The clock of a limiter. */
export interface LimiterClock {
  readonly now: () => number;
  /** Waits; rejects when the signal fires. */
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

interface Bucket {
  tokens: number;
  filledAt: number;
  heldUntil: number;
}

/** Creates a limiter with one token bucket per upstream. A turn is taken before it is waited for, so that no caller overtakes another. */
export function createRequestLimiter({ now, pause }: LimiterClock): RequestLimiter {
  const buckets = new Map<string, Bucket>();

  function bucketOf(upstream: string, tokens: number): Bucket {
    const bucket = buckets.get(upstream) ?? { tokens, filledAt: now(), heldUntil: 0 };
    buckets.set(upstream, bucket);
    return bucket;
  }

  return {
    async pass(upstream, { requests, windowMs }, patienceMs, signal) {
      signal?.throwIfAborted();
      const bucket = bucketOf(upstream, requests);
      const at = now();
      const perToken = windowMs / requests;
      bucket.tokens = Math.min(requests, bucket.tokens + Math.max(0, at - bucket.filledAt) / perToken);
      bucket.filledAt = at;
      const waitMs = Math.max(bucket.heldUntil - at, Math.ceil((1 - bucket.tokens) * perToken), 0);
      if (waitMs > patienceMs) {
        const why = bucket.heldUntil > at ? 'it asked to be left alone' : `at most ${requests} requests are sent in ${windowMs / 1000} s`;
        throw fail('rate_limited', `No request was sent to ${upstream}: ${why}.`, { retryAfterMs: waitMs });
      }
      bucket.tokens -= 1;
      if (waitMs === 0) return;
      try {
        await pause(waitMs, signal);
      } catch (stopped) {
        // A turn that is not used is given back.
        bucket.tokens += 1;
        throw stopped;
      }
    },
    hold(upstream, forMs) {
      const bucket = bucketOf(upstream, 0);
      bucket.heldUntil = Math.max(bucket.heldUntil, now() + forMs);
    },
  };
}
