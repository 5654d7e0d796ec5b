import type { CallPlace } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';

/** Lets those who watch calls hear of changes. */
export interface ChangeHints {
  readonly watch: (listener: ChangeListener) => () => void;
  /** Hears of what this store has changed. */
  readonly tell: (places: readonly CallPlace[]) => void;
  readonly close: () => void;
}

type ChangeListener = (at: CallPlace | undefined) => void;

/** How often the file is asked, while someone watches, whether another connection has changed it. */
const pollEveryMs = 250;

/** Creates the hints of a store. `fileVersion` gives a number that is another one when another connection has written to the file. */
export function createChangeHints(fileVersion: () => unknown): ChangeHints {
  const listeners = new Set<{ readonly hear: ChangeListener }>();
  let stopPolling: StopTimer | undefined;
  let version: unknown;

  const hearAll = (at: CallPlace | undefined): void => {
    for (const { hear } of listeners) {
      try {
        hear(at);
      } catch {
        // A listener that throws must not keep the others from hearing.
      }
    }
  };
  const poll = (): void => {
    const seen = look();
    if (seen === undefined || seen === version) return;
    version = seen;
    hearAll(undefined);
  };
  /** The file may be busy for a moment: then the next poll finds out. */
  const look = (): unknown => {
    try {
      return fileVersion();
    } catch {
      return undefined;
    }
  };
  const stop = (): void => {
    stopPolling?.();
    stopPolling = undefined;
  };

  return {
    watch(hear) {
      const listener = { hear };
      listeners.add(listener);
      if (stopPolling === undefined) {
        version = look();
        stopPolling = systemClock.every(pollEveryMs, poll, { background: true });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    tell(places) {
      if (listeners.size > 0) for (const place of places) hearAll(place);
    },
    close() {
      listeners.clear();
      stop();
    },
  };
}
