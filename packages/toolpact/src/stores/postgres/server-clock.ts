import { systemClock } from '../../time/index.ts';
import type { PgSession } from './pg-session.ts';

/** How far the clock of the database is ahead of this process's, in milliseconds. */
export interface ServerClock {
  /** Gives the difference where it is known. */
  readonly offset: () => number | undefined;
  /** Runs something with the difference; asks the database for its time where that is not known. */
  readonly withOffset: <TValue>(run: (offset: number) => Promise<TValue>) => Promise<TValue>;
}

/** How long a measured difference counts. It is measured again at once where a clock was set or the machine slept. */
const measuredForMs = 600_000;
const steppedMs = 250;
/** Clocks that differ by less are taken for the same, so that moments are stored as they were given. */
const sameMs = 500;

/**
 * Makes what translates moments: guards say when a record expires by the clock of their machine, the database decides by its own. Machines
 * whose clocks differ by hours so agree on what has expired.
 */
export function createServerClock(session: PgSession, now: () => number): ServerClock {
  let known: { readonly offset: number; readonly drift: number; readonly at: number } | undefined;
  let measuring: Promise<number> | undefined;
  // Moves only where the wall clock is set, or where the machine sleeps.
  const drift = () => now() - systemClock.monotonic();

  async function measure(): Promise<number> {
    const before = now();
    const text = "SELECT date_part('epoch', clock_timestamp()) * 1000 AS now";
    const [row] = await session.query<{ now: number }>({ name: 'toolpact_clock', text, values: [] }, true);
    const tookMs = Math.abs(now() - before);
    const raw = Math.round((row?.now ?? before) - (before + tookMs / 2));
    const offset = Math.abs(raw) <= Math.max(sameMs, tookMs) ? 0 : raw;
    known = { offset, drift: drift(), at: systemClock.monotonic() };
    return offset;
  }
  function offset(): number | undefined {
    const isKnown =
      known !== undefined && Math.abs(drift() - known.drift) < steppedMs && systemClock.monotonic() - known.at < measuredForMs;
    return isKnown ? known?.offset : undefined;
  }
  return {
    offset,
    async withOffset(run) {
      const difference = offset();
      if (difference !== undefined) return run(difference);
      measuring ??= measure().finally(() => {
        measuring = undefined;
      });
      return run(await measuring);
    },
  };
}
