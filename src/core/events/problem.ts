/** Something went wrong in a handler, reducer, sink or store. It never reaches a call; it is kept, counted and told. */
export interface EventProblem {
  readonly where: string;
  readonly error: unknown;
  readonly eventId?: string;
}

/** Keeps the last problems, counts them all and tells a listener about each. */
export interface ProblemLog {
  readonly add: (problem: EventProblem) => void;
  readonly last: () => readonly EventProblem[];
  readonly count: () => number;
}

const mostKept = 100;

/** Creates a log of problems. Without a listener they go to the console, once a minute. */
export function createProblemLog(listener: (problem: EventProblem) => unknown = complain): ProblemLog {
  const kept: EventProblem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      kept.push(problem);
      if (kept.length > mostKept) kept.shift();
      try {
        onRejected(listener(problem), () => undefined);
      } catch {
        // The listener is broken as well; the problem is kept and counted all the same.
      }
    },
    last: () => [...kept],
    count: () => count,
  };
}

/** Hears what a result is rejected with, if it is a promise: of whatever library, from whatever realm. */
export function onRejected(result: unknown, listener: (error: unknown) => void): void {
  if (typeof result === 'object' && result !== null) Promise.resolve(result).catch(listener);
}

let lastComplaint = Number.NEGATIVE_INFINITY;

function complain({ where, error }: EventProblem): void {
  const now = performance.now();
  if (now - lastComplaint < 60_000) return;
  lastComplaint = now;
  console.error(`toolpact: ${where} failed`, error);
}
