import type { Ledger } from 'toolpact/extend';
import { type CallFilter, filtersOf, pairsOf, tenants } from './drafted-calls.ts';

/** The time of a page of 50 calls. */
export interface PageTime {
  readonly filter: CallFilter;
  /** The median of several rounds. */
  readonly ms: number;
  readonly slowestMs: number;
}

/** Reads a page of 50 by each filter and each pair of filters, some times each. The slowest comes first. */
export async function timePages(calls: Ledger, total: number, rounds = 7): Promise<readonly PageTime[]> {
  const taken: PageTime[] = [];
  for (const filter of pairsOf(filtersOf(total))) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const startedAt = performance.now();
      await calls.list({ tenant: tenants.large, limit: 50, ...filter });
      times.push(performance.now() - startedAt);
    }
    times.sort((one, other) => one - other);
    taken.push({ filter, ms: times[rounds >> 1] ?? Number.NaN, slowestMs: times.at(-1) ?? Number.NaN });
  }
  return taken.sort((one, other) => other.ms - one.ms);
}

/** Reads all pages of a filter, and gives the ids in their order. */
export async function readAll(calls: Ledger, filter: CallFilter): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await calls.list({ tenant: tenants.large, limit: 50, ...filter, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
    if (cursor === undefined) return ids;
  }
}
