import type { History } from './history.ts';
import type { Graph, Library } from './library.ts';
import type { ObservedDisturbance } from './observations.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';
import { createVirtualClock, type MachineClock, type VirtualClock } from './virtual-clock.ts';

/** A simulated process: the real code over its own clock and its own view of the store. */
export interface SimulatedProcess {
  readonly name: string;
  readonly library: Library;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly isAlive: () => boolean;
  readonly isPaused: () => boolean;
  /** Runs something in this process: now, later if it stands still, never if it is dead. */
  readonly deliver: (run: () => void) => void;
  /** Hears of its death. */
  readonly onDeath: (run: () => void) => void;
  /** Ends it without a word: nothing of it runs any more. */
  readonly crash: () => void;
  /** Lets it stand still, as SIGSTOP does; what it asked before goes on outside. */
  readonly pause: (ms: number) => void;
  readonly resume: () => void;
  /** Notes that something keeps it from working as usual, for those who judge what it does. */
  readonly disturb: (untilMs?: number) => void;
}

interface ProcessParts {
  readonly name: string;
  readonly graph: Graph;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly history: History;
  readonly machine: MachineClock;
  readonly disturbances: ObservedDisturbance[];
}

/** The longest time that the things which waited for a process that stood still take to come, once it goes on. */
const catchUpMs = 3;

/** Starts a simulated process. */
export function startProcess({ name, graph, scheduler, random, history, machine, disturbances }: ProcessParts): SimulatedProcess {
  let isAlive = true;
  let isPaused = false;
  let waiting: (() => void)[] = [];
  const mourners: (() => void)[] = [];
  const deliver = (run: () => void): void => {
    if (!isAlive) return;
    if (isPaused) waiting.push(run);
    else run();
  };
  const clock = createVirtualClock(scheduler, random.fork('timers'), deliver, machine);
  const drawn = random.fork('drawn');
  graph.give({
    now: clock.wall,
    monotonic: clock.monotonic,
    random: drawn.next,
    setTimer: (run, ms, isRepeated) => (isAlive ? clock.setTimer(run, ms, isRepeated) : {}),
    clearTimer: (timer) => clock.clearTimer(timer as object),
    print: (text) => history.note(name, `prints: ${text.slice(0, 300)}`),
  });
  const process: SimulatedProcess = {
    name,
    library: graph.library,
    clock,
    random,
    isAlive: () => isAlive,
    isPaused: () => isPaused,
    deliver,
    onDeath: (run) => void mourners.push(run),
    crash() {
      if (!isAlive) return;
      isAlive = false;
      process.disturb(Number.POSITIVE_INFINITY);
      waiting = [];
      for (const run of mourners) run();
      clock.stop();
      history.note('fault', `${name} dies`);
    },
    pause(ms) {
      if (!isAlive || isPaused) return;
      isPaused = true;
      process.disturb(scheduler.now() + ms);
      history.note('fault', `${name} stands still for ${Math.round(ms)} ms`);
      scheduler.after(ms, process.resume);
    },
    resume() {
      if (!isAlive || !isPaused) return;
      isPaused = false;
      process.disturb();
      history.note('fault', `${name} goes on`);
      const due = waiting;
      waiting = [];
      // All of it is due at once; what comes first is for the machine to decide.
      for (const run of due) scheduler.after(random.between(0, catchUpMs), () => deliver(run));
    },
    disturb: (untilMs = scheduler.now()) => void disturbances.push({ process: name, from: scheduler.now(), until: untilMs }),
  };
  return process;
}
