import type { ServedToolbox } from '@toolpact/server';
import type { Worker } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { startWorker } from 'toolpact/internal';
import type { CallLog } from '../print/call-log.ts';

/**
 * Starts the worker of a server, so that calls that slept, waited or lost their process go on without another command. Undefined where no
 * call can: no tool has steps, no store outlives the process, or an engine has the calls.
 */
export function startServeWorker(toolbox: ServedToolbox, log: CallLog): Worker | undefined {
  const { plans, calls: supply, engine } = insideOf(toolbox);
  const hasSteps = [...plans.values()].some(({ steps }) => steps);
  if (!hasSteps || supply?.store.durable !== true || engine !== undefined) return undefined;
  const { store } = supply;
  // The log of the server writes every problem event.
  const worker = startWorker(toolbox, {}, true);
  log.note('info', 'working', `resuming sleeping, waiting and orphaned calls from the ${store.name} store (--no-worker turns this off)`, {
    store: store.name,
  });
  return worker;
}
