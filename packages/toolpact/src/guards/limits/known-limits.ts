import { createBoundedMap } from '../../time/index.ts';
import type { LimitKey } from './limit-key.ts';

/** A count that calls of this process were added to. */
export interface KnownLimit extends LimitKey {
  /** The tool, where the calls of one tool are counted. */
  readonly tool?: string;
  readonly limit: number;
  /** When it is forgotten: at the end of its window. */
  readonly until: number;
}

/** Remembers which counts there are: a store holds counts by name and cannot list them. */
export interface KnownLimits {
  readonly note: (limit: KnownLimit) => void;
  /** Returns the counts of a tenant whose windows are not over. */
  readonly of: (tenant: string) => readonly KnownLimit[];
}

/** Creates the memory of one guard. */
export function createKnownLimits(now: () => number): KnownLimits {
  const known = createBoundedMap<KnownLimit>({ maxEntries: 1_000, now });
  return {
    note: (limit) => known.set(`${limit.tenant}\n${limit.key}`, limit, limit.until),
    of: (tenant) => known.values().filter((limit) => limit.tenant === tenant),
  };
}
