import { ToolpactError, type ToolpactEvent } from 'toolpact';
import { maxTimerMs, type ProblemLog, refuseOptions, sleep, withTimeLimit } from 'toolpact/internal';

/** Takes events in batches, as slowly as it likes. */
export type AsyncSink = (events: readonly ToolpactEvent[]) => unknown;

/** How a slow sink is fed. */
export interface QueueOptions {
  /** Names the sink in problems. @default 'a sink' */
  readonly name?: string;
  /** How many events may wait; beyond that the oldest are dropped and counted. @default 1_000 */
  readonly maxQueue?: number;
  /** How many events the sink gets at once. @default 100 */
  readonly maxBatch?: number;
  /** How long `close` waits for the sink, in milliseconds; what it has not taken by then is dropped and counted. @default 5_000 */
  readonly closeMs?: number;
}

/** The waiting line in front of a slow sink. */
export interface SinkQueue {
  /** Events waiting now. */
  readonly queued: number;
  /** Events given to the sink. */
  readonly delivered: number;
  /** Events lost because too many were waiting, or because the sink was too slow when the line was closed. */
  readonly dropped: number;
  /** Events in batches the sink failed on; they are not given again. */
  readonly failed: number;
  /** Resolves when nothing waits any more; for a sink that hangs, never. */
  readonly flush: () => Promise<void>;
  /** Takes no more events; what waits is still delivered, unless the sink takes longer than `closeMs`. Never rejects. */
  readonly close: () => Promise<void>;
}

/** Puts a bounded line in front of a sink: an event that `listen` brings costs its emitter a push, whatever the sink does. */
export function createSinkQueue(
  sink: AsyncSink,
  options: QueueOptions,
  problems: ProblemLog,
  listen: (push: (event: ToolpactEvent) => void) => () => void,
): SinkQueue {
  refuseOptions<QueueOptions>('createSinkQueue', options, { name: true, maxQueue: true, maxBatch: true, closeMs: true });
  const { name = 'a sink', maxQueue = 1000, maxBatch = 100, closeMs = 5000 } = options;
  if (!(maxQueue >= 1 && maxBatch >= 1)) throw new ToolpactError('invalid_option', 'maxQueue and maxBatch of a sink must be at least 1');
  if (!(closeMs >= 0 && closeMs <= maxTimerMs))
    throw new ToolpactError('invalid_option', `closeMs of a sink must be from 0 to ${maxTimerMs}`, { option: 'closeMs' });
  let waiting: ToolpactEvent[] = [];
  let start = 0;
  let [delivered, dropped, failed] = [0, 0, 0];
  let running: Promise<void> | undefined;

  const queued = (): number => waiting.length - start;

  function push(event: ToolpactEvent): void {
    waiting.push(event);
    if (queued() > maxQueue) {
      start += 1;
      dropped += 1;
    }
    // Dropped events are cut off a good many at a time, so that dropping stays cheap.
    if (start > maxQueue) {
      waiting = waiting.slice(start);
      start = 0;
    }
    running ??= later().then(drain);
  }

  async function drain(): Promise<void> {
    while (queued() > 0) {
      for (let left = queued(); left > 0 && queued() > 0; left -= maxBatch) await deliver();
      // Events that came in meanwhile wait a turn: a sink that emits events itself must not block the event loop.
      if (queued() > 0) await later();
    }
    empty();
    running = undefined;
  }

  async function deliver(): Promise<void> {
    const batch = waiting.slice(start, start + maxBatch);
    start += batch.length;
    try {
      await sink(batch);
      delivered += batch.length;
    } catch (error) {
      failed += batch.length;
      problems.add({ where: name, error });
    }
  }

  function empty(): void {
    waiting = [];
    start = 0;
  }

  async function flush(): Promise<void> {
    while (running !== undefined) await running;
  }

  const stop = listen(push);
  return {
    flush,
    async close() {
      stop();
      await withTimeLimit(flush(), {
        ms: closeMs,
        onLate: () => {
          problems.add({
            where: name,
            error: new Error(`it did not finish within ${closeMs} ms; ${queued()} waiting events were dropped`),
          });
          dropped += queued();
          empty();
        },
      });
    },
    get queued() {
      return queued();
    },
    get delivered() {
      return delivered;
    },
    get dropped() {
      return dropped;
    },
    get failed() {
      return failed;
    },
  };
}

/** A turn of the event loop: the call that emitted is answered before the sink gets to work. */
function later(): Promise<void> {
  return sleep(0);
}
