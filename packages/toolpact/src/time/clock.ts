/** Stops a timer. Stopping twice, or after it has run, does nothing. */
export type StopTimer = () => void;

/** How a timer behaves. */
export interface TimerOptions {
  /** Lets the process end although the timer is running, on platforms where timers keep a process alive. @default false */
  readonly background?: boolean;
}

/** Where code reads the time and sets its timers. Tests pass their own. */
export interface Clock {
  /** Reads the wall clock, in milliseconds since 1970. It may jump, forwards and backwards. */
  readonly now: () => number;
  /** Reads a clock that never goes back, in milliseconds since an arbitrary moment. */
  readonly monotonic: () => number;
  /** Runs something once, after a time. */
  readonly after: (ms: number, run: () => void, options?: TimerOptions) => StopTimer;
  /** Runs something again and again. */
  readonly every: (ms: number, run: () => void, options?: TimerOptions) => StopTimer;
}

/** The longest time that a timer can wait. A timer that is set for longer fires at once. */
export const maxTimerMs = 2 ** 31 - 1;

/** Gives the nearest time that a timer can wait. */
export function toTimerMs(ms: number): number {
  return Math.max(1, Math.min(ms, maxTimerMs));
}

/** Returns the milliseconds between two moments of one clock: to the microsecond, and never 0. */
export function elapsedMs(from: number, to: number): number {
  return Math.max(1, Math.round((to - from) * 1000)) / 1000;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, run, options) {
    const timer = setTimeout(run, toTimerMs(ms));
    if (options?.background === true) release(timer);
    return () => clearTimeout(timer);
  },
  every(ms, run, options) {
    const timer = setInterval(run, toTimerMs(ms));
    if (options?.background === true) release(timer);
    return () => clearInterval(timer);
  },
};

function release(timer: unknown): void {
  (timer as { readonly unref?: () => void }).unref?.();
}
