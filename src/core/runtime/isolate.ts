import { classify } from '../outcome/index.ts';
import { isThenable } from './is-thenable.ts';

/** Runs somebody else's code so that it cannot break a call: what it throws or rejects with is written to the console, once a minute. */
export function isolate(run: () => unknown): void {
  try {
    const result = run();
    if (isThenable(result)) result.then(undefined, complain);
  } catch (thrown) {
    complain(thrown);
  }
}

let lastComplaint = Number.NEGATIVE_INFINITY;

function complain(thrown: unknown): void {
  try {
    const now = performance.now();
    if (now - lastComplaint < 60_000) return;
    lastComplaint = now;
    console.error(`toolpact: a hook or report sink failed. ${classify(thrown).message}`);
  } catch {
    // The console itself is broken; there is nobody left to tell.
  }
}
