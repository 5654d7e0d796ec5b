import type { Random } from './random.ts';
import type { Happening, Scheduler } from './scheduler.ts';

/** The clock of one simulated process: a wall clock that may be set, one that never goes back, and timers. */
export interface VirtualClock {
  readonly wall: () => number;
  readonly monotonic: () => number;
  readonly setTimer: (run: () => void, ms: number, isRepeated: boolean) => object;
  readonly clearTimer: (timer: object) => void;
  /** Takes all timers away, as the end of a process does. */
  readonly stop: () => void;
}

/** The true time 0 on all wall clocks that were not set. */
const epochMs = Date.UTC(2026, 0, 1);

/** How late a timer of a process that is not busy fires. */
const latestMs = 2;

interface Timer {
  next: Happening | undefined;
}

/** The wall clock of a machine, which its processes share: how far it is ahead of the true time. */
export interface MachineClock {
  aheadMs: number;
}

/** Creates the clock of a process. @param deliver runs what is due, once the process may run */
export function createVirtualClock(
  scheduler: Scheduler,
  random: Random,
  deliver: (run: () => void) => void,
  machine: MachineClock,
): VirtualClock {
  const bornAt = scheduler.now() - random.between(0, 1000);
  const timers = new Set<Timer>();
  const begin = (timer: Timer, run: () => void, ms: number, isRepeated: boolean): void => {
    timer.next = scheduler.after(ms + random.between(0, latestMs), () =>
      deliver(() => {
        if (!timers.has(timer)) return;
        if (isRepeated) begin(timer, run, ms, isRepeated);
        else timers.delete(timer);
        run();
      }),
    );
  };
  return {
    wall: () => epochMs + scheduler.now() + machine.aheadMs,
    monotonic: () => scheduler.now() - bornAt,
    setTimer(run, ms, isRepeated) {
      const timer: Timer = { next: undefined };
      timers.add(timer);
      // Node's own timers take at least a millisecond; 0 stands for a turn of the event loop.
      begin(timer, run, isRepeated ? Math.max(1, ms) : Math.max(0, ms), isRepeated);
      return timer;
    },
    clearTimer(timer) {
      const known = timer as Timer;
      if (!timers.delete(known)) return;
      if (known.next !== undefined) known.next.isOff = true;
    },
    stop() {
      for (const { next } of timers) if (next !== undefined) next.isOff = true;
      timers.clear();
    },
  };
}
