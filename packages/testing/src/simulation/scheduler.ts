import type { Random } from './random.ts';

/** Something that happens at a moment of the true time. */
export interface Happening {
  readonly at: number;
  readonly run: () => void;
  /** Drawn, so that what is due at once comes in an order of the seed. */
  readonly tie: number;
  readonly place: number;
  isOff: boolean;
}

/** Decides what happens next, one thing at a time. Between two things everything that only waited for promises has run. */
export interface Scheduler {
  /** The true time in milliseconds, which no simulated process can read. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Happening;
  /** Lets things happen until the given moment, or until nothing is left. Rejects with what a happening threw. */
  readonly runUntil: (at: number) => Promise<void>;
  /** How many things have happened. */
  readonly steps: () => number;
}

/** Makes a scheduler whose order a seed draws. */
export function createScheduler(random: Random): Scheduler {
  const heap: Happening[] = [];
  let time = 0;
  let places = 0;
  let steps = 0;
  /** What happens must not inherit the asynchronous context of what happened before. */
  const inRoot = process.getBuiltinModule('node:async_hooks').AsyncLocalStorage.snapshot();

  const isBefore = (one: Happening, other: Happening): boolean =>
    one.at !== other.at ? one.at < other.at : one.tie !== other.tie ? one.tie < other.tie : one.place < other.place;

  function push(happening: Happening): void {
    let at = heap.push(happening) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(happening, heap[parent] as Happening)) break;
      heap[at] = heap[parent] as Happening;
      at = parent;
    }
    heap[at] = happening;
  }

  function pop(): Happening | undefined {
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Happening, heap[child] as Happening)) child += 1;
      if (!isBefore(heap[child] as Happening, last)) break;
      heap[at] = heap[child] as Happening;
      at = child;
    }
    heap[at] = last;
    return first;
  }

  return {
    now: () => time,
    after(ms, run) {
      places += 1;
      const happening: Happening = { at: time + Math.max(0, ms), run, tie: random.next(), place: places, isOff: false };
      push(happening);
      return happening;
    },
    runUntil: (until) =>
      new Promise((resolve, reject) => {
        const step = (): void => {
          while (heap[0]?.isOff) pop();
          const next = heap[0];
          if (next === undefined || next.at > until) {
            time = Math.max(time, until);
            resolve();
            return;
          }
          pop();
          time = next.at;
          steps += 1;
          try {
            inRoot(next.run);
          } catch (thrown) {
            reject(thrown);
            return;
          }
          // A turn of the event loop: the microtasks of this step have all run before the next one begins.
          setImmediate(step);
        };
        setImmediate(step);
      }),
    steps: () => steps,
  };
}
