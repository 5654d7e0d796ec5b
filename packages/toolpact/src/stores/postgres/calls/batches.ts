import process from 'node:process';
import { systemClock } from '../../../time/index.ts';

/** How batches are made. */
export interface BatchesOptions<TItem, TResult> {
  /** Does all items of a batch, all or none, and gives one result for each, at once or later. */
  readonly run: (items: readonly TItem[]) => Promise<readonly (TResult | Promise<TResult>)[]>;
  /** Items with the same id are never under way at once and keep their order. */
  readonly idOf: (item: TItem) => string;
  readonly sizeOf: (item: TItem) => number;
  /** Checks whether an item may be to blame for what failed: then each is done again by itself, so that the others do not fail with it. */
  readonly mayDivide: (error: unknown) => boolean;
}

interface Entry<TItem, TResult> {
  readonly item: TItem;
  readonly resolve: (result: TResult | Promise<TResult>) => void;
}

const maxItems = 256;
const maxSize = 4_000_000;
/** A batch that takes longer waits for somebody, who may be a person at a prompt: the others do not wait with it. */
const slowMs = 50;

/** Creates batches and gives the way to add to them: what comes while one is under way goes together next. */
export function createBatches<TItem, TResult>(options: BatchesOptions<TItem, TResult>): (item: TItem) => Promise<TResult> {
  const { run, idOf, sizeOf, mayDivide } = options;
  const underWay = new Set<string>();
  let waiting: Entry<TItem, TResult>[] = [];
  let isScheduled = false;
  /** The batch that the others wait for. */
  let ahead: readonly Entry<TItem, TResult>[] | undefined;

  const schedule = (): void => {
    if (isScheduled || ahead !== undefined || waiting.length === 0) return;
    isScheduled = true;
    // After all that is ready to run now, but not a turn of the event loop later: what comes then goes together while this is under way.
    process.nextTick(start);
  };

  const start = (): void => {
    isScheduled = false;
    const batch = take();
    if (batch.length === 0) return;
    ahead = batch;
    const makeWay = (): void => {
      if (ahead === batch) ahead = undefined;
      schedule();
    };
    const stopTimer = systemClock.after(slowMs, makeWay, { background: true });
    void settle(batch).then(() => {
      stopTimer();
      makeWay();
    });
  };

  /** Takes as many as go together, and leaves the others in order. */
  const take = (): Entry<TItem, TResult>[] => {
    const [batch, left]: [Entry<TItem, TResult>[], Entry<TItem, TResult>[]] = [[], []];
    const overtaken = new Set<string>();
    let size = 0;
    for (const entry of waiting) {
      const [id, itemSize] = [idOf(entry.item), sizeOf(entry.item)];
      const isFull = batch.length >= maxItems || (batch.length > 0 && size + itemSize > maxSize);
      if (isFull || underWay.has(id) || overtaken.has(id)) {
        overtaken.add(id);
        left.push(entry);
        continue;
      }
      size += itemSize;
      underWay.add(id);
      batch.push(entry);
    }
    waiting = left;
    return batch;
  };

  const settle = async (batch: readonly Entry<TItem, TResult>[]): Promise<void> => {
    try {
      const results = await run(batch.map(({ item }) => item));
      for (const [index, entry] of batch.entries()) finish(entry, results[index] as TResult | Promise<TResult>);
    } catch (error) {
      if (batch.length > 1 && mayDivide(error)) for (const entry of batch) await settle([entry]);
      else for (const entry of batch) finish(entry, Promise.reject(error));
    }
  };

  /** Gives an item its result. Until that is there the next one with the same id does not begin. */
  const finish = ({ item, resolve }: Entry<TItem, TResult>, result: TResult | Promise<TResult>): void => {
    resolve(result);
    const end = (): void => {
      underWay.delete(idOf(item));
      schedule();
    };
    if (result instanceof Promise) result.then(end, end);
    else end();
  };

  return (item) =>
    new Promise((resolve) => {
      waiting.push({ item, resolve });
      schedule();
    });
}
