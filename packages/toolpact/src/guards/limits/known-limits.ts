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
  /** Gives the counts of a tenant whose windows are not over. */
  readonly of: (tenant: string) => readonly KnownLimit[];
}

const maxKnown = 1_000;

/** Makes the memory of one guard. */
export function createKnownLimits(now: () => number): KnownLimits {
  const known = new Map<string, KnownLimit>();
  return {
    note(limit) {
      const id = `${limit.tenant}\n${limit.key}`;
      known.delete(id);
      known.set(id, limit);
      if (known.size <= maxKnown) return;
      const { value: oldest } = known.keys().next();
      if (oldest !== undefined) known.delete(oldest);
    },
    of: (tenant) => [...known.values()].filter((limit) => limit.tenant === tenant && limit.until > now()),
  };
}
