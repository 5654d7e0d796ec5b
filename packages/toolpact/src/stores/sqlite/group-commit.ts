import type { DatabaseSync } from 'node:sqlite';
import { systemClock } from '../../time/index.ts';
import { isBusy } from './sqlite-schema.ts';

/** Gathers writes into transactions. */
export interface GroupCommit {
  /**
   * Runs a write in the next transaction, together with all others of this turn of the event loop; resolves once that is committed. The
   * write must leave nothing half done where it throws.
   */
  readonly write: <T>(run: () => T) => Promise<T>;
  /** Resolves when all writes so far are settled. */
  readonly drain: () => Promise<void>;
}

interface Entry {
  readonly run: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** Set when its group broke: from then on it gets a transaction of its own. */
  isAlone: boolean;
  hasFailed: boolean;
  /** The returned or thrown value. */
  result: unknown;
}

/** The most writes of one transaction: many more would hold up the event loop for long. */
const largestGroup = 1000;

/** Creates a group commit: syncing a file costs far more than a row, so writes that come together share it. */
export function createGroupCommit(db: DatabaseSync, busyMs: number): GroupCommit {
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  let queue: Entry[] = [];
  let isScheduled = false;
  let giveUpAt: number | undefined;
  let tries = 0;

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    setImmediate(flush);
  };

  const flush = (): void => {
    try {
      begin.run();
    } catch (error) {
      giveUpAt ??= performance.now() + busyMs;
      if (isBusy(error) && performance.now() < giveUpAt) {
        // A transaction of others lasts about as long as the disk takes to sync; one that lasts longer is not asked after so often.
        tries += 1;
        systemClock.after(Math.min(tries, 10), flush);
        return;
      }
      giveUpAt = undefined;
      tries = 0;
      isScheduled = false;
      for (const { reject } of queue.splice(0)) reject(error);
      return;
    }
    giveUpAt = undefined;
    tries = 0;
    isScheduled = false;
    const group = queue.splice(0, queue[0]?.isAlone ? 1 : largestGroup);
    const broken = runGroup(group);
    if (broken === undefined) for (const entry of group) settle(entry);
    else if (group.length === 1) group[0]?.reject(broken.error);
    else queue = [...group.map((entry) => ({ ...entry, isAlone: true, hasFailed: false })), ...queue];
    schedule();
  };

  /** Runs the writes of a group and commits them; gives the error that rolled all of them back, if there was one. */
  const runGroup = (group: readonly Entry[]): { readonly error: unknown } | undefined => {
    for (const entry of group) {
      try {
        entry.result = entry.run();
      } catch (error) {
        entry.hasFailed = true;
        entry.result = error;
        // Some failures end the transaction by themselves.
        if (!db.isTransaction) return { error };
      }
    }
    try {
      commit.run();
      return undefined;
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      return { error };
    }
  };

  const write = <T>(run: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      queue.push({ run, resolve, reject, isAlone: false, hasFailed: false, result: undefined });
      schedule();
    });

  return {
    write,
    // Writes are settled in order, so when the last one is settled, all are, also if it failed.
    drain: () => (isScheduled ? write(() => undefined).catch(() => undefined) : Promise.resolve()),
  };
}

function settle({ hasFailed, result, resolve, reject }: Entry): void {
  if (hasFailed) reject(result);
  else resolve(result as never);
}
