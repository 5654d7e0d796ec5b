import { whenReady } from '../../json/index.ts';
import type { Awaitable, RecordDraft, Store } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { askStore } from '../store-access/ask-store.ts';

/** Where calls that run for long are found; most calls are over before they would be written here. */
export const runningSpace = 'call-running';

/** Keeps the calls that run for long in an index of their own. */
export interface RunningCalls {
  /** Says that a recorded call runs; the function that this returns says that its end is recorded. */
  readonly begin: (start: RecordDraft) => () => void;
}

/** A call is written down once it has run for one to two of these. */
const lookEveryMs = 1_000;

interface Running {
  readonly start: RecordDraft;
  wasSeen: boolean;
  shown?: Awaitable<unknown>;
}

/** Makes what keeps the calls of this process that run for long. An index with each call would make every call slower. */
export function createRunningCalls(store: Store): RunningCalls {
  const young = new Set<Running>();
  let stopTimer: StopTimer | undefined;

  function look(): void {
    if (young.size === 0) {
      stopTimer?.();
      stopTimer = undefined;
    }
    for (const running of young) {
      if (running.wasSeen) {
        young.delete(running);
        running.shown = askStore(() => store.put({ ...running.start, space: runningSpace, group: undefined, value: { v: 1 } }));
      }
      running.wasSeen = true;
    }
  }

  return {
    begin(start) {
      const running: Running = { start, wasSeen: false };
      young.add(running);
      stopTimer ??= systemClock.every(lookEveryMs, look, { background: true });
      return () => {
        young.delete(running);
        if (running.shown !== undefined) void whenReady(running.shown, () => forgetRunning(store, start.tenant, start.key));
      };
    },
  };
}

/** Takes a call that has ended out of the index. Where that fails it is passed over, because it has an end. */
export function forgetRunning(store: Store, tenant: string, key: string): Awaitable<unknown> {
  return askStore(() => store.remove({ space: runningSpace, tenant, key }));
}
