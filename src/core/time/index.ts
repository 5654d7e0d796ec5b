export { createBoundedMap } from './bounded-map.ts';
export { type Clock, elapsedMs, longestSince, type Moment, maxTimerMs, type StopTimer, systemClock, thisMoment } from './clock.ts';
export { armDeadline, type DeadlineEntry, disarmDeadline } from './deadline.ts';
export { nextTurn } from './next-turn.ts';
export { retryPauseMs } from './retry-pause.ts';
export { createRunningClock } from './running-clock.ts';
export { createSingleFlight } from './single-flight.ts';
export { sleep } from './sleep.ts';
export { withTimeLimit } from './with-time-limit.ts';
