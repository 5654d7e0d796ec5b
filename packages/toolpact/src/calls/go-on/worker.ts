import { classify } from '../../classify/index.ts';
import { createProblemLog, type EventDraft } from '../../events/index.ts';
import { assertPositive, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { TakenCall } from '../../ports/index.ts';
import { insideOf } from '../../runtime/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import type { ContextSupply } from './go-on.ts';

/** How a worker behaves. */
export interface WorkerOptions {
  /** Supplies what the application gives to a call and no store keeps: `auth` and `app`. @default nothing */
  readonly context?: ContextSupply;
  /** How often the store is asked for calls. @default 1_000 */
  readonly everyMs?: number;
  /** How many calls it runs at once. @default 8 */
  readonly concurrency?: number;
}

/** A worker that runs. */
export interface Worker {
  /** Asks the store now; resolves once each call that it took has ended, or waits again, and notices were sent. Gives how many calls there were. */
  readonly look: () => Promise<number>;
  /** Takes no more calls, and waits for those that it runs. */
  readonly stop: () => Promise<void>;
}

/**
 * Creates a worker for the calls of a toolbox: it takes over the calls of processes that are gone, and goes on with those that slept or waited,
 * without anyone calling again; and it sends the notices of questions that they left. Many workers may share one store. What goes wrong with the store is a `problem` event of the toolbox and a line
 * on the console, at most once a minute; the worker goes on. Throws where the toolbox has no store.
 */
export function createWorker(toolbox: object, options: WorkerOptions = {}): Worker {
  return startWorker(toolbox, options, false);
}

/**
 * Starts a worker.
 * @param isShown whether a listener of the toolbox shows its problems, so that the console need not
 * @param isBackground whether the process may end although it runs
 */
export function startWorker(toolbox: object, options: WorkerOptions, isShown: boolean, isBackground = false): Worker {
  refuseOptions<WorkerOptions>('createWorker', options, { context: true, everyMs: true, concurrency: true });
  const { everyMs = 1000, concurrency = 8, context = () => ({}) } = options;
  assertPositive('createWorker', { everyMs, concurrency });
  if (typeof context !== 'function')
    throw new ToolpactError('invalid_option', 'createWorker: context must be a function', { option: 'context' });
  const supply = insideOf(toolbox).calls;
  const { emit } = (toolbox ?? {}) as { readonly emit: (event: EventDraft) => void };
  if (supply === undefined)
    throw new ToolpactError('missing_store', 'a worker needs a toolbox with a store: createToolbox(tools, { store: sqliteStore(…) })');
  const tools = [...insideOf(toolbox).plans.keys()];
  const running = new Set<Promise<void>>();
  const { add } = createProblemLog(({ where, error }) => {
    emit({ type: 'problem', where, message: classify(error).message });
    return isShown;
  });
  const report = (error: unknown): void => add({ where: 'a worker', error });
  let taking: Promise<readonly Promise<void>[]> | undefined;
  let isStopped = false;

  /** Takes calls for as long as any are due; gives their runs. */
  async function takeAll(): Promise<readonly Promise<void>[]> {
    const runs: Promise<void>[] = [];
    await supply?.signWorkers();
    while (!isStopped) {
      while (running.size >= concurrency) await Promise.race(running);
      const taken = isStopped ? [] : ((await supply?.takeDue(concurrency - running.size, tools)) ?? []);
      for (const call of taken) runs.push(begin(call));
      if (taken.length === 0) break;
    }
    return runs;
  }

  function begin(call: TakenCall): Promise<void> {
    const run: Promise<void> = Promise.resolve(supply?.goOn(call, context))
      .then(() => undefined, report)
      .finally(() => running.delete(run));
    running.add(run);
    return run;
  }

  function take(): Promise<readonly Promise<void>[]> {
    taking ??= takeAll().finally(() => {
      taking = undefined;
    });
    return taking;
  }

  const sendNotices = async (): Promise<void> => supply.sendNotices();
  const tick = (): void => {
    take().catch(report);
    // Not before the calls: a receiver may be slow.
    sendNotices().catch(report);
  };
  const stopTimer: StopTimer = systemClock.every(everyMs, tick, { background: isBackground });
  tick();
  return {
    async look() {
      const [begun] = await Promise.all([take(), sendNotices()]);
      await Promise.all(begun);
      return begun.length;
    },
    async stop() {
      isStopped = true;
      stopTimer();
      await Promise.allSettled([taking]);
      await Promise.all(running);
    },
  };
}
