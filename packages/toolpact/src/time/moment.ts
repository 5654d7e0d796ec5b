import { systemClock } from './clock.ts';

/** A moment on both clocks of this machine: one stands still while the machine sleeps, the other may be set. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** Returns the present moment. */
export function thisMoment(): Moment {
  return { monotonic: systemClock.monotonic(), wall: systemClock.now() };
}

/** Gives the most time that may have passed since a moment: where the clocks disagree, the longer time counts. */
export function longestSince({ monotonic, wall }: Moment): number {
  const now = thisMoment();
  return Math.max(now.monotonic - monotonic, now.wall - wall);
}
