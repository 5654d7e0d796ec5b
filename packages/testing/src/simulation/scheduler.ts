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

/** Somebody who asks the store for something. */
export interface Asker {
  readonly crash: () => void;
  readonly pause: (ms: number) => void;
}

/** The possible fates of a request in an exhaustive search, apart from arriving when it is chosen. */
const requestFates = [
  'is done',
  'is lost, and its process dies',
  'is done, and its process dies',
  'is done while its process stands still',
] as const;

/** Decides, in place of a seed, which of the requests that are on their way the store gets next, and what befalls it. */
export interface Search {
  /** Returns a number below `options`; 0 is what happens where nothing is searched. */
  readonly choose: (options: number, what: string) => number;
  /** How many requests something may befall. */
  readonly mostFaults: number;
  readonly pauseMs: number;
}

/** Decides what happens next, one thing at a time. Between two things everything that only waited for promises has run. */
export interface Scheduler {
  /** The true time in milliseconds, which no simulated process can read. */
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => Happening;
  /** Brings a request to the store. @param mayFail whether a search lets something befall it */
  readonly request: (ms: number, run: () => void, asker: Asker, mayFail: boolean) => void;
  /** Lets things happen until the given moment, or until nothing is left. Rejects with what a happening threw. */
  readonly runUntil: (at: number) => Promise<void>;
  /** How many things have happened. */
  readonly steps: () => number;
}

/** Events due this soon come before the next request: answers, and the immediate reactions of their receivers. */
const soonMs = 25;

/** Creates a scheduler whose order a seed draws, or whose requests come as a search chooses. */
export function createScheduler(random: Random, search?: Search): Scheduler {
  const heap: Happening[] = [];
  const requests: { readonly run: () => void; readonly asker: Asker; readonly mayFail: boolean }[] = [];
  let faults = 0;
  let time = 0;
  let places = 0;
  let steps = 0;
  /** Runs events outside the asynchronous context of earlier ones. */
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

  function after(ms: number, run: () => void): Happening {
    places += 1;
    const happening: Happening = { at: time + Math.max(0, ms), run, tie: random.next(), place: places, isOff: false };
    push(happening);
    return happening;
  }

  /** Lets the store get one of the requests that are on their way. */
  function bringRequest({ choose, mostFaults, pauseMs }: Search): void {
    const [request] = requests.splice(choose(requests.length, 'request'), 1);
    if (request === undefined) return;
    const { run, asker, mayFail } = request;
    const fate = mayFail && faults < mostFaults ? choose(requestFates.length, 'fate') : 0;
    if (fate > 0) faults += 1;
    if (fate === 3) asker.pause(pauseMs);
    if (fate !== 1) run();
    if (fate === 1 || fate === 2) asker.crash();
  }

  return {
    now: () => time,
    after,
    request(ms, run, asker, mayFail) {
      if (search === undefined) after(ms, run);
      else requests.push({ run, asker, mayFail });
    },
    runUntil: (until) =>
      new Promise((resolve, reject) => {
        const step = (): void => {
          while (heap[0]?.isOff) pop();
          const next = heap[0];
          if (search !== undefined && requests.length > 0 && (next === undefined || next.at > time + soonMs)) {
            inRoot(() => bringRequest(search));
            setImmediate(step);
            return;
          }
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
