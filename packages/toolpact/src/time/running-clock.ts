import { type Clock, type StopTimer, systemClock } from './clock.ts';
import { nextTurn } from './next-turn.ts';

/** A clock whose timers count only the time in which this process was running. */
export interface RunningClock extends Clock {
  /** Returns the time that timers of this clock have not counted, in milliseconds. */
  readonly lostMs: () => number;
}

const maxTicks = 8;

/**
 * Creates a clock for those who judge others by time. A busy machine may stop a process for a while, and one long task may keep its event loop
 * busy; afterwards all timers are overdue at once, in an order that says nothing. So a timer of this clock waits in several short steps, and a
 * step that took much too long counts as one step. Before it fires, everything else that is due may run.
 */
export function createRunningClock(base: Clock = systemClock): RunningClock {
  let lost = 0;
  return {
    ...base,
    lostMs: () => lost,
    after(ms, run, options) {
      const ticks = Math.max(1, Math.min(maxTicks, Math.floor(ms)));
      const tickMs = ms / ticks;
      let left = ticks;
      let begunAt = base.monotonic();
      let isOver = false;
      let stopTick: StopTimer = base.after(tickMs, tick, options);

      function count(): void {
        const now = base.monotonic();
        lost += Math.max(0, now - begunAt - tickMs);
        begunAt = now;
      }
      function tick(): void {
        count();
        left -= 1;
        if (left > 0) stopTick = base.after(tickMs, tick, options);
        else void nextTurn().then(() => isOver || run());
      }
      return () => {
        if (isOver) return;
        isOver = true;
        stopTick();
        count();
      };
    },
  };
}
