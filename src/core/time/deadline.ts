import { maxTimerMs } from './clock.ts';

/** Something that must end within its time. Entries are their own list nodes, so arming and disarming allocate nothing. */
export interface DeadlineEntry {
  deadlineAt: number;
  deadlineLane: DeadlineLane | undefined;
  earlier: DeadlineEntry | undefined;
  later: DeadlineEntry | undefined;
  onDeadline(): void;
}

/**
 * All running entries that share one duration. They expire in the order they were armed, so one timer for the head serves them all. A lane
 * is there, and its timer keeps the process alive, only while something runs.
 */
interface DeadlineLane {
  readonly durationMs: number;
  head: DeadlineEntry | undefined;
  tail: DeadlineEntry | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether it is about to be removed, unless something is armed meanwhile. */
  releasing: boolean;
}

const lanes = new Map<number, DeadlineLane>();

/** Starts an entry's deadline. `now` is on the clock of `performance.now()`. */
export function armDeadline(entry: DeadlineEntry, durationMs: number, now: number): void {
  if (!(durationMs < maxTimerMs)) return;
  let lane = lanes.get(durationMs);
  if (lane === undefined) {
    lane = { durationMs, head: undefined, tail: undefined, timer: undefined, releasing: false };
    lanes.set(durationMs, lane);
  }
  entry.deadlineAt = now + durationMs;
  entry.deadlineLane = lane;
  entry.earlier = lane.tail;
  if (lane.tail === undefined) {
    lane.head = entry;
    if (lane.timer === undefined) schedule(lane, entry);
  } else {
    lane.tail.later = entry;
  }
  lane.tail = entry;
}

/** Waits for a time. */
export function passing(ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    setTimeout(resolve, Math.min(ms, maxTimerMs));
  });
}

/** Ends an entry's deadline; does nothing when none is armed. */
export function disarmDeadline(entry: DeadlineEntry): void {
  const lane = entry.deadlineLane;
  if (lane === undefined) return;
  entry.deadlineLane = undefined;
  if (entry.earlier === undefined) lane.head = entry.later;
  else entry.earlier.later = entry.later;
  if (entry.later === undefined) lane.tail = entry.earlier;
  else entry.later.earlier = entry.earlier;
  entry.earlier = undefined;
  entry.later = undefined;
  if (lane.head === undefined) releaseSoon(lane);
}

/**
 * Removes an empty lane at the end of this turn of the event loop. Calls that follow one another at once then share one timer, which costs
 * more than all the rest of a deadline.
 */
function releaseSoon(lane: DeadlineLane): void {
  if (lane.releasing) return;
  lane.releasing = true;
  const { setImmediate } = globalThis as { setImmediate?: (run: (lane: DeadlineLane) => void, lane: DeadlineLane) => unknown };
  if (setImmediate === undefined) release(lane);
  else setImmediate(release, lane);
}

function release(lane: DeadlineLane): void {
  lane.releasing = false;
  if (lane.head !== undefined) return;
  clearTimeout(lane.timer);
  lane.timer = undefined;
  if (lanes.get(lane.durationMs) === lane) lanes.delete(lane.durationMs);
}

function schedule(lane: DeadlineLane, { deadlineAt }: DeadlineEntry): void {
  // A handler may have blocked for a part of its time, or all of it.
  lane.timer = setTimeout(expire, Math.max(1, deadlineAt - performance.now()), lane);
}

function expire(lane: DeadlineLane): void {
  lane.timer = undefined;
  // A timer may fire a fraction early on the performance clock; half a millisecond is forgiven rather than re-armed.
  const now = performance.now() + 0.5;
  while (lane.head !== undefined && lane.head.deadlineAt <= now) {
    const due = lane.head;
    disarmDeadline(due);
    try {
      due.onDeadline();
    } catch {
      // The others must hear of theirs.
    }
  }
  // An `onDeadline` above may have started the timer of this lane again. An empty lane is removed by its release.
  if (lane.timer === undefined && lane.head !== undefined) schedule(lane, lane.head);
}
