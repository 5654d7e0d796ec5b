import { createBoundedMap } from '../../../core/time/index.ts';
import type { Claim } from './claim.ts';

/** Clocks differ by less than this, and no process that goes on stands still for longer. */
export const graceMs = 600_000;

/** Tells whether the owner of a claim is dead. */
export type LeaseWatch = (id: string, sight: { readonly version: number; readonly claim: Claim }) => boolean;

/**
 * Makes the watch over the claims of other processes: an owner is dead once it has not written for a whole lease. That is measured from the
 * moment its last write was first seen here, by one call or by several, so that clocks that differ rob nobody. Only what is older than any
 * difference of clocks is dead at first sight.
 */
export function createLeaseWatch(now: () => number): LeaseWatch {
  const clock = () => performance.now();
  const firstSeen = createBoundedMap<{ readonly write: string; readonly at: number }>({ maxEntries: 10_000, now: clock });
  return (id, { version, claim: { owner, leaseMs, writtenAt } }) => {
    const write = `${owner} ${version}`;
    let seen = firstSeen.get(id);
    if (seen?.write !== write) {
      seen = { write, at: clock() };
      firstSeen.set(id, seen, clock() + leaseMs + graceMs);
    }
    return clock() - seen.at >= leaseMs || now() - writtenAt >= 2 * leaseMs + graceMs;
  };
}
