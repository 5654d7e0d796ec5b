import { classify } from '../../classify/index.ts';
import { createProblemLog, type EventDraft } from '../../events/index.ts';
import { assertPositive, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { OpenCall } from '../../ports/index.ts';
import { insideOf } from '../../runtime/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { listOpenCalls } from './open-calls.ts';
import type { Worker, WorkerOptions } from './worker-options.ts';
import { createWorkerSign } from './worker-sign.ts';

const pageSize = 200;

/** Starts a worker. @param isShown whether a listener of the toolbox shows its problems, so that the console need not */
export function startWorker(toolbox: object, options: WorkerOptions, isShown: boolean): Worker {
  refuseOptions<WorkerOptions>('createWorker', options, { store: true, context: true, everyMs: true, concurrency: true });
  const { everyMs = 1000, concurrency = 8, context = () => ({}) } = options;
  assertPositive('createWorker', { everyMs, concurrency });
  if (typeof context !== 'function')
    throw new ToolpactError('invalid_option', 'createWorker: context must be a function', { option: 'context' });
  const journal = insideOf(toolbox).worker;
  const { emit } = (toolbox ?? {}) as { readonly emit: (event: EventDraft) => void };
  if (journal === undefined) throw new ToolpactError('missing_guard', 'a worker needs a toolbox with the journal guard');
  const { store = journal.store } = options;
  const running = new Map<string, Promise<void>>();
  const sign = createWorkerSign(store);
  const { add } = createProblemLog(({ where, error }) => {
    emit({ type: 'problem', where, message: classify(error).message });
    return isShown;
  });
  const report = (error: unknown): void => add({ where: 'a worker', error });
  let looking: Promise<number> | undefined;
  let stopTimer: StopTimer | undefined;
  let isStopped = false;

  function begin(open: OpenCall, name: string): Promise<void> {
    const run = journal?.takeOver(open, context).then(() => undefined, report) ?? Promise.resolve();
    const ended = run.finally(() => running.delete(name));
    running.set(name, ended);
    return ended;
  }

  async function lookThrough(): Promise<number> {
    sign();
    const alive = new Map<string, Promise<boolean>>();
    const isAlive = (owner: string): Promise<boolean> => {
      const known = alive.get(owner) ?? (journal?.isAlive(owner) as Promise<boolean>);
      alive.set(owner, known);
      return known;
    };
    const begun: Promise<void>[] = [];
    for (let after: number | undefined; !isStopped; ) {
      const { calls, last } = await listOpenCalls(store, after, pageSize);
      for (const open of calls) {
        const name = JSON.stringify([open.tenant, open.key]);
        const isTheirs = running.has(name) || (open.suspended ? open.wakeAt === undefined : await isAlive(open.owner));
        if (isTheirs) continue;
        while (running.size >= concurrency) await Promise.race(running.values());
        if (isStopped) break;
        begun.push(begin(open, name));
      }
      if (last === undefined || !(last > (after ?? Number.NEGATIVE_INFINITY))) break;
      after = last;
    }
    await Promise.all(begun);
    return begun.length;
  }

  const look = (): Promise<number> => {
    looking ??= lookThrough().finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const tick = (): void => void look().catch(report);
  stopTimer = systemClock.every(everyMs, tick);
  tick();
  return {
    look,
    async stop() {
      isStopped = true;
      stopTimer?.();
      stopTimer = undefined;
      await looking?.catch(() => undefined);
      await Promise.all(running.values());
    },
  };
}
