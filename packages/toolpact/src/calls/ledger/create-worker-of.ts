import { insideOf } from '../../runtime/index.ts';
import { startWorker as startOldWorker } from '../durable/start-worker.ts';
import type { Worker, WorkerOptions } from '../durable/worker-options.ts';
import { startWorker } from './worker.ts';

/** Starts a worker for the calls of a toolbox. @param isShown whether a listener of the toolbox shows its problems, so that the console need not */
export function createWorkerOf(toolbox: object, options: WorkerOptions, isShown: boolean): Worker {
  return insideOf(toolbox).calls === undefined
    ? startOldWorker(toolbox, options, isShown)
    : startWorker(toolbox, options as never, isShown);
}
