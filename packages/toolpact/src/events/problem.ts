import { classify } from '../classify/index.ts';
import { toLogRecord } from '../json/index.ts';
import { createEvent } from './create-event.ts';
import type { EventOf } from './event.ts';

/** Something went wrong in a handler, reducer, sink or store. It never reaches a call; it is kept, counted and reported. */
export interface EventProblem {
  readonly where: string;
  readonly error: unknown;
  readonly eventId?: string;
}

/** Keeps the last problems, counts them all and gives each to a listener. */
export interface ProblemLog {
  readonly add: (problem: EventProblem) => void;
  readonly last: () => readonly EventProblem[];
  readonly count: () => number;
}

const maxKept = 100;

/** Creates a log of problems. `listener` says whether it took the problem; otherwise one console line a minute is written. */
export function createProblemLog(listener: (problem: EventProblem) => boolean): ProblemLog {
  const kept: EventProblem[] = [];
  let count = 0;
  return {
    add(problem) {
      count += 1;
      kept.push(problem);
      if (kept.length > maxKept) kept.shift();
      if (!listener(problem)) printProblem(problem);
    },
    last: () => [...kept],
    count: () => count,
  };
}

let lastPrinted = Number.NEGATIVE_INFINITY;

/** Writes a problem to the console, once a minute. */
export function printProblem({ where, error }: EventProblem): void {
  try {
    const now = performance.now();
    if (now - lastPrinted < 60_000) return;
    lastPrinted = now;
    console.error(toLogRecord(`toolpact: ${where} failed. ${classify(error).message}`));
  } catch {
    // The console itself is broken; there is nowhere left to write to.
  }
}

/** Shows a problem as an event: plain data, its message redacted. */
export function toProblemEvent({ where, error, eventId }: EventProblem): EventOf<'problem'> {
  return createEvent({ type: 'problem', where, message: classify(error).message, ...(eventId !== undefined && { eventId }) });
}
