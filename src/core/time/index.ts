export { type BoundedMap, type BoundedMapOptions, createBoundedMap } from './bounded-map.ts';
export { type Clock, maxTimerMs, type StopTimer, systemClock, type TimerOptions, toTimerMs } from './clock.ts';
export { armDeadline, type DeadlineEntry, disarmDeadline } from './deadline.ts';
export { nextTurn } from './next-turn.ts';
export { retryPauseMs } from './retry-pause.ts';
export { createRunningClock, type RunningClock } from './running-clock.ts';
export { createSingleFlight, type SingleFlight } from './single-flight.ts';
export { type SleepOptions, sleep } from './sleep.ts';
export { type TimeLimit, withTimeLimit } from './with-time-limit.ts';
