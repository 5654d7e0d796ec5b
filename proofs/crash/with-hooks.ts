import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from 'toolpact/stores/memory';
import type { Lifetime, Phase, Told } from './lifetime.ts';

/** What a store tells, and to whom. */
export interface StoreHooks {
  readonly reach: (phase: Phase) => void;
  readonly tell: (told: Told) => void;
  /** Tells which call the key in a claim belongs to; keys that tools make are stored as fingerprints. */
  readonly idOf: (key: string) => string;
  readonly lateMs: number;
  /** Makes it a slow store: one of so many answers comes late. */
  readonly late?: Lifetime['late'];
  /** Makes it a store that lies: so-manieth keys are acknowledged and forgotten. */
  readonly forgets?: number | undefined;
}

type Moment = readonly [before: Phase | undefined, after: Phase | undefined];

const moments: Readonly<Record<string, Moment>> = {
  call: ['before the start is written', 'after the start is written'],
  'call-end': ['before the end is written', 'after the end is written'],
  'call-taken': [undefined, 'after a lost call is taken'],
  'claim running': ['before the key is claimed', 'after the key is claimed'],
  'claim done': ['before the key is settled', 'after the key is settled'],
};

/** Gives the same store, which tells of the moments just before and just after what matters is written, and when it is late. */
export function withHooks(inner: Store, { reach, tell, idOf, lateMs, late, forgets }: StoreHooks): Store {
  const store = withLateness(inner, { lateMs, late }, () => tell({ type: 'late' }));
  const isForgotten = forgetter(forgets);
  return {
    ...store,
    async put(draft, expect) {
      const { state } = draft.value as { readonly state?: string };
      const name = draft.space === 'claim' ? `claim ${state}` : draft.space;
      const [, key = ''] = draft.space === 'claim' ? (JSON.parse(draft.key) as string[]) : [];
      const id = idOf(key);
      // Renewals are no moment of their own.
      const [before, after] = (name === 'claim running' && expect !== 0 ? undefined : moments[name]) ?? [];
      if (before !== undefined) reach(before);
      if (name === 'claim running' && expect === 0) tell({ type: 'claiming', id });
      if (isForgotten(draft.space, draft.key)) return { ok: true, version: (expect ?? 0) + 1 };
      const result = await store.put(draft, expect);
      if (name === 'claim done' && result.ok) tell({ type: 'settled', id });
      if (after !== undefined && result.ok) reach(after);
      return result;
    },
  };
}

/** Tells once when the store fails or has not answered for a while, and makes one of so many operations late. */
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
      // What is asked is done before its answer is late, or only then.
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
  const operations = ['get', 'put', 'remove', 'list', 'find', 'add'] as const;
  return { ...store, ...Object.fromEntries(operations.map((name) => [name, watched(store[name] as never)])) };
}

function forgetter(every: number | undefined): (space: string, key: string) => boolean {
  const kept = new Map<string, boolean>();
  return (space, key) => {
    if (every === undefined || space !== 'claim') return false;
    const isKept = kept.get(key) ?? (kept.size + 1) % every !== 0;
    kept.set(key, isKept);
    return !isKept;
  };
}
