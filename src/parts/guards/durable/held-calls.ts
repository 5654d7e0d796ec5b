import type { CallContext } from '../../../core/contract/index.ts';
import type { GuardedCall } from '../../../core/runtime/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../../core/time/index.ts';
import type { Suspension } from './memory-waits.ts';

/** Calls that sleep or wait and that this process began: it still has what their callers brought along, and wakes them itself. */
export interface HeldCalls {
  /** Holds a call until it goes on. */
  readonly hold: (call: GuardedCall, key: string, suspension: Suspension) => void;
  /** Gives what a held call goes on with, and holds it no longer; undefined when it is not held here. */
  readonly release: (tenant: string, key: string) => CallContext | undefined;
  /** Whether a call is held here. */
  readonly has: (tenant: string, key: string) => boolean;
  /** Checks an answer to what a held call asks; gives what is wrong with it. */
  readonly check: (tenant: string, key: string, answer: unknown) => Promise<string | undefined>;
}

/** So many calls are held; the others are left to workers. */
const mostHeld = 10_000;

interface Held {
  readonly context: CallContext;
  readonly suspension: Suspension;
  readonly stop: StopTimer | undefined;
}

/** Makes what holds calls. `wake` is asked when the time of one has come. */
export function createHeldCalls(now: () => number, wake: (tenant: string, key: string) => void): HeldCalls {
  const held = new Map<string, Held>();
  const nameOf = (tenant: string, key: string): string => JSON.stringify([tenant, key]);

  function release(tenant: string, key: string): CallContext | undefined {
    const name = nameOf(tenant, key);
    const found = held.get(name);
    found?.stop?.();
    held.delete(name);
    return found?.context;
  }
  return {
    hold(call, key, suspension) {
      const { tenantId: tenant } = call;
      release(tenant, key);
      if (held.size >= mostHeld) return;
      const { signal: _signal, onProgress: _progress, isControlFlow: _steers, invocationId: _id, ...context } = call.context;
      const { wakeAt, remainingMs } = suspension;
      const waitMs = wakeAt === undefined ? undefined : wakeAt - now();
      const stop =
        waitMs === undefined || waitMs > maxTimerMs ? undefined : systemClock.after(waitMs, () => wake(tenant, key), { background: true });
      held.set(nameOf(tenant, key), { context: { ...context, timeoutMs: remainingMs }, suspension, stop });
    },
    release,
    has: (tenant, key) => held.has(nameOf(tenant, key)),
    check: async (tenant, key, answer) => held.get(nameOf(tenant, key))?.suspension.check?.(answer),
  };
}
