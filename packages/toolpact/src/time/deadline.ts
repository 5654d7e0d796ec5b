import { maxTimerMs } from './clock.ts';

/** A place in a list of deadlines. */
interface DeadlinePlace {
  deadlineAt: number;
  earlier: DeadlinePlace | undefined;
  later: DeadlinePlace | undefined;
}

/** Something that must end within its time. Entries are their own list nodes. */
export interface DeadlineEntry extends DeadlinePlace {
  lane: DeadlineLane | undefined;
  onDeadline(): void;
}

/**
 * All running entries that share one duration, in a ring that begins and ends here. They expire in the order they were armed, so one timer for
 * the first serves them all. It keeps the process alive only while something runs.
 */
interface DeadlineLane extends DeadlinePlace {
  readonly ms: number;
  timer?: Timer | undefined;
  /** The clock that made the timer: that of a test may have been removed again, with its timers. */
  madeBy?: unknown;
  /** Whether its last entry has ended: it is about to be let go, unless something is armed meanwhile. */
  ended?: boolean;
}

type Timer = ReturnType<typeof setTimeout> & { readonly ref?: () => void; readonly unref?: () => void };

const lanes = new Map<number, DeadlineLane>();
/** The most lanes that may be kept, those that are empty included. None in workerd, where a timer ends with the request that set it: each entry has its own there. */
const maxLanes = (globalThis as { Cloudflare?: unknown }).Cloudflare ? 0 : 64;

/** Starts an entry's deadline. `now` is on the clock of `performance.now()`. */
export function armDeadline(entry: DeadlineEntry, durationMs: number, now: number): void {
  if (!(durationMs < maxTimerMs)) return;
  const lane = (maxLanes > 0 ? lanes.get(durationMs) : undefined) ?? createLane(durationMs);
  const last = lane.earlier as DeadlinePlace;
  entry.deadlineAt = now + durationMs;
  entry.lane = lane;
  entry.earlier = last;
  entry.later = lane;
  last.later = entry;
  lane.earlier = entry;
  if (last !== lane) return;
  if (lane.timer === undefined || lane.madeBy !== setTimeout) schedule(lane);
  else if (keepers === 0) lane.timer.ref?.();
}

let keepers = 0;

/**
 * States that something else, such as a listening server, keeps the process alive until the given function is called. Deadlines then
 * need not, which would cost each call three steps.
 */
export function keepProcess(): () => void {
  keepers += 1;
  return () => {
    keepers -= 1;
    for (const lane of lanes.values()) {
      lane.timer?.ref?.();
      release(lane);
    }
  };
}

function createLane(ms: number): DeadlineLane {
  const lane: DeadlineLane = { ms, deadlineAt: Number.POSITIVE_INFINITY, earlier: undefined, later: undefined };
  lane.earlier = lane;
  lane.later = lane;
  lanes.set(ms, lane);
  return lane;
}

/** Ends an entry's deadline; does nothing when none is armed. */
export function disarmDeadline(entry: DeadlineEntry): void {
  const { lane, earlier, later } = entry;
  if (lane === undefined) return;
  (earlier as DeadlinePlace).later = later;
  (later as DeadlinePlace).earlier = earlier;
  entry.lane = undefined;
  entry.earlier = undefined;
  entry.later = undefined;
  // Let an empty lane go once the promises that are settled now have been handled: calls that follow one another at once share one release. Not a turn of the
  // event loop later: that would cost a server a turn for each request.
  if (lane.later !== lane || lane.ended || (keepers > 0 && lanes.size <= maxLanes)) return;
  lane.ended = true;
  nextTick(release, lane);
}

type Run = (lane: DeadlineLane) => void;
const nextTick =
  (globalThis as { process?: { nextTick?: (run: Run, lane: DeadlineLane) => void } }).process?.nextTick ??
  ((run: Run, lane: DeadlineLane) => run(lane));

/** The timer of an empty lane serves its next entry; where that is not possible, or lanes are many, it is removed. */
function release(lane: DeadlineLane): void {
  lane.ended = false;
  if (lane.later !== lane) return;
  if (lane.timer?.unref !== undefined && lanes.size <= maxLanes) return void lane.timer.unref();
  clearTimeout(lane.timer);
  lanes.delete(lane.ms);
}

function schedule(lane: DeadlineLane): void {
  // A handler may have blocked for a part of its time, or all of it.
  lane.timer = setTimeout(expire, Math.max(1, (lane.later as DeadlinePlace).deadlineAt - performance.now()), lane);
  lane.madeBy = setTimeout;
}

function expire(lane: DeadlineLane): void {
  lane.timer = undefined;
  // A timer may fire a fraction early on the performance clock; half a millisecond is forgiven rather than re-armed.
  const now = performance.now() + 0.5;
  for (let due = lane.later as DeadlineEntry; due.deadlineAt <= now; due = lane.later as DeadlineEntry) {
    disarmDeadline(due);
    try {
      due.onDeadline();
    } catch {
      // One that throws must not keep the others from their deadlines.
    }
  }
  // An `onDeadline` above may have started the timer of this lane again.
  if (lane.timer === undefined && lane.later !== lane) schedule(lane);
}
