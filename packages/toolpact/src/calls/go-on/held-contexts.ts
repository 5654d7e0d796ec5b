import type { CallContext } from '../../contract/index.ts';
import type { CallPlace, GuardedCall, Suspension } from '../../ports/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../time/index.ts';

/** Contexts of waiting calls that no store keeps (`auth`, `app`), so that this process can continue the calls. */
export interface HeldContexts {
  /** Holds the context of a call that waits; `wake` is called once its time has come. */
  readonly hold: (call: GuardedCall, place: CallPlace, suspension: Suspension, wake: () => void) => void;
  /** Returns the context of a call back, and holds it no longer. */
  readonly release: (place: CallPlace) => CallContext | undefined;
  /** Checks an answer to a question of a held call; gives what is wrong with it. */
  readonly check: (place: CallPlace, question: string, answer: unknown) => Promise<string | undefined>;
  readonly has: (place: CallPlace) => boolean;
}

/** How many calls, and characters of their contexts, are held in all and for one tenant. The others are left to workers. */
const most = { calls: 10_000, characters: 20_000_000 };
const mostOfTenant = { calls: 5_000, characters: 10_000_000 };

interface Held {
  readonly tenant: string;
  readonly context: CallContext;
  readonly characters: number;
  readonly check: Suspension['check'];
  readonly stop: StopTimer | undefined;
}

/** How much is held. */
interface Weight {
  calls: number;
  characters: number;
}

/** Creates what holds contexts. */
export function createHeldContexts(): HeldContexts {
  const held = new Map<string, Held>();
  const total: Weight = { calls: 0, characters: 0 };
  const tenants = new Map<string, Weight>();

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

  function release(place: CallPlace): CallContext | undefined {
    const name = nameOf(place);
    const call = held.get(name);
    if (call === undefined) return undefined;
    call.stop?.();
    held.delete(name);
    weigh(call, -1);
    return call.context;
  }

  return {
    hold(call, place, { wakeMs, check }, wake) {
      release(place);
      const {
        signal: _signal,
        onProgress: _progress,
        isControlFlow: _steers,
        invocationId: _id,
        timeoutMs: _time,
        ...context
      } = call.context;
      const { tenant } = place;
      const characters = charactersOf(context);
      if (!hasRoom(tenant, characters)) return;
      const stop = wakeMs === undefined || wakeMs > maxTimerMs ? undefined : systemClock.after(wakeMs, wake, { background: true });
      held.set(nameOf(place), { tenant, context, characters, check, stop });
      weigh({ tenant, characters }, 1);
    },
    release,
    check: async (place, question, answer) => held.get(nameOf(place))?.check(question, answer),
    has: (place) => held.has(nameOf(place)),
  };
}

function nameOf({ tenant, id }: CallPlace): string {
  return JSON.stringify([tenant, id]);
}

/** Counts the characters that a caller can put into a context; what the application brings along is its own. */
function charactersOf({ ids = {}, ...context }: CallContext): number {
  const texts = [...Object.values(context), ...Object.keys(ids), ...Object.values(ids)];
  return texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}
