import { createBoundedMap, systemClock } from '../../time/index.ts';
import type { Claim } from './claim.ts';

/** For so long a silent claim is remembered by those that watch it. */
const rememberedMs = 600_000;

/** Checks whether the owner of a claim is dead. */
export type LeaseWatch = (id: string, seen: { readonly version: number; readonly claim: Claim }) => boolean;

interface Watched {
  /** The owner's last write. */
  readonly write: string;
  /** When that write was first seen here. */
  readonly firstAt: number;
  /** When it was first seen to be older than its lease. */
  suspectAt: number | undefined;
}

/**
 * Makes the watch over the claims of other processes: an owner is dead once it has not written for a whole lease. That is measured by the
 * monotonic clock of this process, from the moment the last write was first seen here, by one call or by several: wall clocks that differ or
 * are set do not count. A process that itself stood still sees a silent owner first of all, so that a second look, a moment later, decides.
 */
export function createLeaseWatch(monotonic: () => number = systemClock.monotonic): LeaseWatch {
  const watched = createBoundedMap<Watched>({ maxEntries: 10_000, now: monotonic });
  return (id, { version, claim: { owner, leaseMs } }) => {
    const write = `${owner} ${version}`;
    const now = monotonic();
    let seen = watched.get(id);
    if (seen?.write !== write) {
      seen = { write, firstAt: now, suspectAt: undefined };
      watched.set(id, seen, now + leaseMs + rememberedMs);
    }
    if (now - seen.firstAt < leaseMs) return false;
    seen.suspectAt ??= now;
    return now - seen.suspectAt >= secondLookMs(leaseMs);
  };
}

/** As long as the longest pause between two looks of one call, or as the owner takes to write again. */
function secondLookMs(leaseMs: number): number {
  return Math.min(250, leaseMs / 3);
}
