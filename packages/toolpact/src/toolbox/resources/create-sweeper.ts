import { type StopTimer, systemClock } from '../../time/index.ts';
import type { SessionTable } from './create-session-table.ts';
import { isExpired, type Session } from './session.ts';

/** Looks for sessions whose time is over. */
export interface Sweeper {
  /** Ends what has expired; gives its number. */
  readonly sweep: () => number;
  /** Starts a timer that looks for expired sessions, unless it runs already. It keeps no process alive and stops when there are no sessions. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** Creates a sweeper. What it finds is taken out of the table and handed to `onExpired`. */
export function createSweeper(table: SessionTable, sweepMs: number, now: () => number, onExpired: (session: Session) => void): Sweeper {
  let stopTimer: StopTimer | undefined;

  function sweep(): number {
    const time = now();
    const expired = table.all().filter((session) => isExpired(session, time));
    for (const session of expired.reverse()) {
      table.remove(session);
      onExpired(session);
    }
    if (table.size() === 0) stop();
    return expired.length;
  }

  function start(): void {
    if (stopTimer !== undefined) return;
    stopTimer = systemClock.every(sweepMs, sweep, { background: true });
  }

  function stop(): void {
    stopTimer?.();
    stopTimer = undefined;
  }

  return { sweep, start, stop };
}
