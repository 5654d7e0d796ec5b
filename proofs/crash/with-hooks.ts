import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from 'toolpact';
import type { Ledger, Store } from 'toolpact/extend';
import type { Lifetime, Phase, Told } from './lifetime.ts';

/** Hooks of a store. */
export interface StoreHooks {
  readonly reach: (phase: Phase) => void;
  readonly tell: (told: Told) => void;
  readonly lateMs: number;
  /** Makes it a slow store: every n-th answer comes late. */
  readonly late?: Lifetime['late'];
  /** Makes it a store that lies: every n-th call with a key is acknowledged and forgotten. */
  readonly forgets?: number | undefined;
}

/** A call as it is told about: by the id that its caller gave it. */
interface KnownCall {
  readonly id: string;
  readonly isKeyed: boolean;
}

/** Wraps a store so that it reports the moments just before and just after important writes, and late answers. */
export function withHooks(inner: Store, { reach, tell, lateMs, late, forgets }: StoreHooks): Store {
  const store = withLateness(inner, { lateMs, late }, () => tell({ type: 'late' }));
  const ledger = store.calls as Ledger;
  const isForgotten = forgetter(forgets);
  const known = new Map<string, KnownCall>();
  const know = (invocationId: string, start: JsonObject, isKeyed: boolean): KnownCall => {
    const { event } = start as { readonly event?: { readonly callId?: string } };
    const call = { id: event?.callId ?? '', isKeyed };
    known.set(invocationId, call);
    return call;
  };
  const calls: Ledger = {
    ...ledger,
    async begin(call) {
      const { id, isKeyed } = know(call.id, call.start, call.key !== undefined);
      reach(isKeyed ? 'before the call begins' : 'before the call is listed');
      if (isKeyed) tell({ type: 'claiming', id });
      if (isForgotten(call.id, isKeyed)) return { is: 'begun', epoch: 1 };
      const begun = await ledger.begin(call);
      if (begun.is === 'begun') reach(isKeyed ? 'after the call begins' : 'after the call is listed');
      return begun;
    },
    async take(at, taker) {
      const taken = await ledger.take(at, taker);
      if (taken.is !== 'taken') return taken;
      know(taken.call.id, taken.call.start, taken.call.key !== undefined);
      if (taken.call.wasDead) reach('after a lost call is taken');
      return taken;
    },
    async end(run, end) {
      const { id = '', isKeyed = false } = known.get(run.id) ?? {};
      reach(isKeyed ? 'before the call ends' : 'before its end is listed');
      if (isForgotten(run.id, isKeyed)) return { is: 'written' };
      const written = await ledger.end(run, end);
      if (written.is !== 'written') return written;
      if (isKeyed && end.guessAbout === undefined) tell({ type: 'settled', id });
      reach(isKeyed ? 'after the call ends' : 'after its end is listed');
      return written;
    },
  };
  return { ...store, calls };
}

/** Reports once that the store fails or has not answered for a while, and delays every n-th operation. */
function withLateness(store: Store, { lateMs, late }: Pick<StoreHooks, 'lateMs' | 'late'>, tell: () => void): Store {
  let isTold = false;
  const tellOnce = (): void => {
    if (!isTold) tell();
    isTold = true;
  };
  const watched =
    (run: (...given: never[]) => Promise<unknown>) =>
    async (...given: never[]): Promise<unknown> => {
      const timer = setTimeout(tellOnce, lateMs);
      const isLate = late !== undefined && Math.random() < 1 / late.oneOf;
      // The operation is done before its answer is delayed, or only afterwards.
      const isDone = Math.random() < 0.5;
      try {
        if (isLate && !isDone) await delay(late.byMs);
        const answer = await run(...given);
        if (isLate && isDone) await delay(late.byMs);
        return answer;
      } catch (error) {
        tellOnce();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    };
  const { watch, ...asked } = store.calls as Ledger;
  const mapped = <TPart extends object>(part: TPart): TPart =>
    Object.fromEntries(Object.entries(part).map(([name, run]) => [name, watched(run as never)])) as TPart;
  const { get, put, remove, add } = store;
  return { ...store, ...mapped({ get, put, remove, add }), calls: { ...mapped(asked), watch } };
}

function forgetter(every: number | undefined): (id: string, isKeyed: boolean) => boolean {
  const kept = new Map<string, boolean>();
  return (id, isKeyed) => {
    if (every === undefined || !isKeyed) return false;
    const isKept = kept.get(id) ?? (kept.size + 1) % every !== 0;
    kept.set(id, isKept);
    return !isKept;
  };
}
