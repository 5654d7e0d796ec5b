import type { Ledger } from '../../../ports/index.ts';
import { type StopTimer, systemClock } from '../../../time/index.ts';
import { isLongName, readBoundedName } from '../bounded-name.ts';
import type { PgSignals } from '../pg-signals.ts';

/** Hears of changes of calls, and stops when its store is closed. */
export interface CallWatch {
  readonly watch: Ledger['watch'];
  readonly close: () => void;
}

/** How often those who watch are told to look although nothing was heard: where no connection stands for that, and where one does, over which something may get lost. */
const lookEveryMs = { unheard: 1_000, heard: 5_000 };

/** Creates the watch of a store. Whoever watches shares one connection, which is made in the background; where there is none, all look now and then. */
export function createCallWatch(hearCalls: () => Promise<PgSignals['hearCalls'] | undefined>): CallWatch {
  type Listener = Parameters<Ledger['watch']>[0];
  const listeners = new Set<{ readonly tell: Listener }>();
  let hearing: Promise<(() => void) | undefined> | undefined;
  let isHeard = false;
  let stopTimer: StopTimer | undefined;

  const tell = (...told: Parameters<Listener>): void => {
    for (const listener of listeners) {
      try {
        listener.tell(...told);
      } catch {
        // Whoever hears badly must not keep others from hearing.
      }
    }
  };
  const hear = (): void => {
    if (hearing !== undefined) return;
    const own: Promise<(() => void) | undefined> = listen().catch(() => {
      if (hearing === own) hearing = undefined;
      return undefined;
    });
    hearing = own;
  };
  const listen = async (): Promise<(() => void) | undefined> => {
    const begin = await hearCalls();
    const stop = await begin?.((told) => tell(toPlace(told)));
    isHeard = stop !== undefined;
    // Changes before the connection stood were not heard.
    tell(undefined);
    return stop;
  };
  const begin = (): void => {
    hear();
    let silentMs = 0;
    stopTimer = systemClock.every(
      lookEveryMs.unheard,
      () => {
        hear();
        silentMs += lookEveryMs.unheard;
        if (isHeard && silentMs < lookEveryMs.heard) return;
        silentMs = 0;
        tell(undefined);
      },
      { background: true },
    );
  };
  const end = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    void hearing?.then((stop) => stop?.());
    hearing = undefined;
    isHeard = false;
  };
  return {
    watch(listener) {
      const own = { tell: listener };
      listeners.add(own);
      if (stopTimer === undefined) begin();
      return () => {
        if (listeners.delete(own) && listeners.size === 0) end();
      };
    },
    close() {
      listeners.clear();
      end();
    },
  };
}

/** Reads which call a statement has told of; undefined where only its hash is there. */
function toPlace(told: string | undefined): { readonly tenant: string; readonly id: string } | undefined {
  if (told === undefined) return undefined;
  const [tenant = '', id = ''] = JSON.parse(told) as readonly string[];
  return isLongName(tenant) || isLongName(id) ? undefined : { tenant: readBoundedName(tenant, null), id: readBoundedName(id, null) };
}
