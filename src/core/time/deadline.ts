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
 * All running entries that share one duration. They expire in the order they were armed, so one timer for the head serves them all. It keeps
 * the process alive only while something runs.
 */
interface DeadlineLane {
  readonly durationMs: number;
  head: DeadlineEntry | undefined;
  tail: DeadlineEntry | undefined;
  timer: Timer | undefined;
  /** What made the timer: the clock of a test may have been taken away again, with its timers. */
  madeBy: unknown;
  /** Whether the timer keeps the process alive. */
  holds: boolean;
  /** Whether it is about to be let go, unless something is armed meanwhile. */
  releasing: boolean;
}

type Timer = ReturnType<typeof setTimeout> & { readonly ref?: () => void; readonly unref?: () => void };

const lanes = new Map<number, DeadlineLane>();
/** So many lanes may be kept, those that are empty included. */
const mostLanes = 64;

/** Starts an entry's deadline. `now` is on the clock of `performance.now()`. */
export function armDeadline(entry: DeadlineEntry, durationMs: number, now: number): void {
  if (!(durationMs < maxTimerMs)) return;
  let lane = lanes.get(durationMs);
  if (lane === undefined) {
    lane = { durationMs, head: undefined, tail: undefined, timer: undefined, madeBy: undefined, holds: false, releasing: false };
    lanes.set(durationMs, lane);
  }
  entry.deadlineAt = now + durationMs;
  entry.deadlineLane = lane;
  entry.earlier = lane.tail;
  if (lane.tail === undefined) {
    lane.head = entry;
    if (lane.timer === undefined || lane.madeBy !== setTimeout) schedule(lane, entry);
    else if (!lane.holds) hold(lane);
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
 * Lets an empty lane go once the promises that are settled now have been handled. Calls that follow one another at once then share one release.
 * Not a turn of the event loop later: that would cost a server a turn for each request.
 */
function releaseSoon(lane: DeadlineLane): void {
  if (lane.releasing) return;
  lane.releasing = true;
  const { process } = globalThis as { process?: { nextTick?: (run: (lane: DeadlineLane) => void, lane: DeadlineLane) => void } };
  if (process?.nextTick === undefined) release(lane);
  else process.nextTick(release, lane);
}

/** The timer of an empty lane serves its next entry; where that is not possible, or lanes are many, it is removed. */
function release(lane: DeadlineLane): void {
  lane.releasing = false;
  if (lane.head !== undefined || !lane.holds) return;
  lane.holds = false;
  if (lane.timer?.unref !== undefined && lanes.size <= mostLanes) lane.timer.unref();
  else remove(lane);
}

function remove(lane: DeadlineLane): void {
  clearTimeout(lane.timer);
  lane.timer = undefined;
  if (lanes.get(lane.durationMs) === lane) lanes.delete(lane.durationMs);
}

function hold(lane: DeadlineLane): void {
  lane.holds = true;
  lane.timer?.ref?.();
}

function schedule(lane: DeadlineLane, { deadlineAt }: DeadlineEntry): void {
  // A handler may have blocked for a part of its time, or all of it.
  lane.timer = setTimeout(expire, Math.max(1, deadlineAt - performance.now()), lane);
  lane.madeBy = setTimeout;
  lane.holds = true;
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
  // An `onDeadline` above may have started the timer of this lane again.
  if (lane.timer !== undefined) return;
  if (lane.head === undefined) remove(lane);
  else schedule(lane, lane.head);
}
