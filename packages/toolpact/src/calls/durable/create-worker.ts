import { createWorkerOf } from '../ledger/create-worker-of.ts';
import type { Worker, WorkerOptions } from './worker-options.ts';

export type { Worker, WorkerOptions } from './worker-options.ts';

/**
 * Starts a worker for the calls of a toolbox's journal: it takes over the calls of processes that are gone, and goes on with those that slept
 * or waited, without anyone calling again. Many workers may share one store. What goes wrong with the store is a `problem` event of the
 * toolbox and a line on the console, at most once a minute; the worker goes on. Throws where the toolbox has no store.
 */
export function createWorker(toolbox: object, options: WorkerOptions = {}): Worker {
  return createWorkerOf(toolbox, options, false);
}
