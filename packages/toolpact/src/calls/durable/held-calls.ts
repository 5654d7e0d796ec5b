import type { CallContext } from '../../contract/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../time/index.ts';
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

/**
 * How many calls, and characters of their contexts, are held in all and for one tenant. The others are left to workers. Arguments are not held: they
 * are read from the store again.
 */
const most = { calls: 10_000, characters: 20_000_000 };
const mostOfTenant = { calls: 5_000, characters: 10_000_000 };

interface Held {
  readonly tenant: string;
  readonly context: CallContext;
  readonly characters: number;
  readonly suspension: Suspension;
  readonly stop: StopTimer | undefined;
}

/** How much is held. */
interface Weight {
  calls: number;
  characters: number;
}

/** Makes what holds calls. `run` goes on with one. */
export function createHeldCalls(
  now: () => number,
  run: (tenant: string, key: string, context: CallContext) => Promise<Outcome | undefined>,
): HeldCalls {
  const held = new Map<string, Held>();
  const total: Weight = { calls: 0, characters: 0 };
  const tenants = new Map<string, Weight>();
  const going = new Map<string, Promise<unknown>>();
  const nameOf = (tenant: string, key: string): string => JSON.stringify([tenant, key]);

  function release(name: string): CallContext | undefined {
    const call = held.get(name);
    if (call === undefined) return undefined;
    call.stop?.();
    held.delete(name);
    weigh(call, -1);
    return call.context;
  }

  function weigh({ tenant, characters }: Pick<Held, 'tenant' | 'characters'>, sign: 1 | -1): void {
    const ofTenant = tenants.get(tenant) ?? { calls: 0, characters: 0 };
    for (const weight of [total, ofTenant]) {
      weight.calls += sign;
      weight.characters += sign * characters;
    }
    if (ofTenant.calls === 0) tenants.delete(tenant);
    else tenants.set(tenant, ofTenant);
  }

  function hasRoom(tenant: string, characters: number): boolean {
    const fits = (weight: Weight | undefined, limit: Weight): boolean =>
      (weight?.calls ?? 0) < limit.calls && (weight?.characters ?? 0) + characters <= limit.characters;
    return fits(total, most) && fits(tenants.get(tenant), mostOfTenant);
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
      const { signal: _signal, onProgress: _progress, isControlFlow: _steers, invocationId: _id, ...context } = call.context;
      const characters = charactersOf(context);
      if (!hasRoom(tenant, characters)) return;
      const { wakeAt, remainingMs } = suspension;
      const waitMs = wakeAt === undefined ? undefined : wakeAt - now();
      const wake = (): void => void goOn(tenant, key).catch(() => undefined);
      const stop = waitMs === undefined || waitMs > maxTimerMs ? undefined : systemClock.after(waitMs, wake, { background: true });
      held.set(name, { tenant, context: { ...context, timeoutMs: remainingMs }, characters, suspension, stop });
      weigh({ tenant, characters }, 1);
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

/** Counts the characters that a caller can put into a context; what the application brings along is its own. */
function charactersOf({ ids = {}, ...context }: CallContext): number {
  const texts = [...Object.values(context), ...Object.keys(ids), ...Object.values(ids)];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
