import { onRejected, printProblem } from '../events/index.ts';

/** Runs foreign code so that it cannot break a call: what it throws or rejects with is written to the console, once a minute. */
export function isolate(run: () => unknown): void {
  const failed = (error: unknown): void => printProblem({ where: 'a listener or report sink', error });
  try {
    onRejected(run(), failed);
  } catch (error) {
    failed(error);
  }
}
