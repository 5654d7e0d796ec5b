import { isObject } from '../json/index.ts';
import { printProblem } from './problem.ts';

/** Hears what a result is rejected with, if it is a promise: of whatever library, from whatever realm. */
export function onRejected(result: unknown, listener: (error: unknown) => void): void {
  if (isObject(result)) Promise.resolve(result).catch(listener);
}

/** Runs foreign code so that it cannot break a call. @param failed hears what it throws or rejects with; by default the console does, once a minute. */
export function isolate(
  run: () => unknown,
  failed = (error: unknown): void => printProblem({ where: 'a listener or report sink', error }),
): void {
  try {
    onRejected(run(), failed);
  } catch (error) {
    failed(error);
  }
}
