import type { CallContext } from '../../../core/contract/index.ts';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { GuardedCall } from '../../../core/ports/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../../core/time/index.ts';
import type { Suspension } from './memory-waits.ts';

/** Calls that sleep or wait and that this process began: it still has what their callers brought along, and wakes them itself. */
export interface HeldCalls {
  /** Holds a call until it goes on: at once where its answer came before. */
  readonly hold: (call: GuardedCall, key: string, suspension: Suspension) => void;
  /** Goes on with a held call. A run that is under way ends first: it may not know of this answer, and the call is held again only then. */
  readonly goOn: (tenant: string, key: string) => Promise<Outcome | undefined>;
  /** Holds a call no longer: it has ended. */
  readonly drop: (tenant: string, key: string) => void;
  /** Whether a call is held here. */
  readonly has: (tenant: string, key: string) => boolean;
  /** Checks an answer to a question of a held call; gives what is wrong with it. */
  readonly check: (tenant: string, key: string, question: string, answer: unknown) => Promise<string | undefined>;
}

/** The most calls that are held; the others are left to workers. */
const maxHeld = 10_000;

interface Held {
  readonly context: CallContext;
  readonly suspension: Suspension;
  readonly stop: StopTimer | undefined;
}

/** Makes what holds calls. `run` goes on with one. */
export function createHeldCalls(
  now: () => number,
  run: (tenant: string, key: string, context: CallContext) => Promise<Outcome | undefined>,
): HeldCalls {
  const held = new Map<string, Held>();
  const going = new Map<string, Promise<unknown>>();
  const nameOf = (tenant: string, key: string): string => JSON.stringify([tenant, key]);

  function release(name: string): CallContext | undefined {
    const found = held.get(name);
    found?.stop?.();
    held.delete(name);
    return found?.context;
  }

  function goOn(tenant: string, key: string): Promise<Outcome | undefined> {
    const name = nameOf(tenant, key);
    const next = (going.get(name) ?? Promise.resolve()).then(() => {
      const context = release(name);
      return context && run(tenant, key, context);
    });
    const over = next
      .catch(() => undefined)
      .finally(() => {
        if (going.get(name) === over) going.delete(name);
      });
    going.set(name, over);
    return next;
  }

  return {
    hold(call, key, suspension) {
      const { tenantId: tenant } = call;
      const name = nameOf(tenant, key);
      release(name);
      if (held.size >= maxHeld) return;
      const { signal: _signal, onProgress: _progress, isControlFlow: _steers, invocationId: _id, ...context } = call.context;
      const { wakeAt, remainingMs } = suspension;
      const waitMs = wakeAt === undefined ? undefined : wakeAt - now();
      const wake = (): void => void goOn(tenant, key).catch(() => undefined);
      const stop = waitMs === undefined || waitMs > maxTimerMs ? undefined : systemClock.after(waitMs, wake, { background: true });
      held.set(name, { context: { ...context, timeoutMs: remainingMs }, suspension, stop });
      void suspension.isAnswered().then(
        (is) => is && wake(),
        () => undefined,
      );
    },
    goOn,
    drop: (tenant, key) => void release(nameOf(tenant, key)),
    has: (tenant, key) => held.has(nameOf(tenant, key)),
    check: async (tenant, key, question, answer) => held.get(nameOf(tenant, key))?.suspension.check(question, answer),
  };
}
