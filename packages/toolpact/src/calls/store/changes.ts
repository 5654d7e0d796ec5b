import type { CallPlace, CallState, Store } from '../../ports/index.ts';
import { nextTurn, type StopTimer, systemClock } from '../../time/index.ts';
import { askStore } from './ask-store.ts';
import { ledgerOf } from './ledger-of.ts';

/** Hears how a call stands whenever that has changed; undefined where the store does not have it. */
type ChangeListener = (state: CallState | undefined) => void;

/** Follows calls of a store. All that a process follows share one look at the store. */
export interface CallChanges {
  /**
   * Hears of the changes of a call that other processes tell of; returns the function that stops it. Where a hint gets lost, it hears of them
   * with the next one.
   */
  readonly follow: (place: CallPlace, listener: ChangeListener) => () => void;
  /** Waits until a call stands otherwise than it was seen, but no longer than this. */
  readonly next: (seen: CallState, maxMs: number, signal: AbortSignal) => Promise<void>;
}

interface Followed {
  readonly place: CallPlace;
  readonly listeners: Set<ChangeListener>;
  /** How many wait for a change, so that it is looked at now and then. */
  waiting: number;
  state: string;
}

/** How often calls that are waited for are looked at although nothing was heard: a hint may get lost, and a process that dies gives none. */
const lookEveryMs = 1_000;
const placesPerLook = 500;

const byStore = new WeakMap<Store, CallChanges>();

/** Returns what follows the calls of a store. */
export function changesOf(store: Store): CallChanges {
  const existing = byStore.get(store);
  if (existing !== undefined) return existing;
  const changes = createChanges(store);
  byStore.set(store, changes);
  return changes;
}

function createChanges(store: Store): CallChanges {
  const ledger = ledgerOf(store);
  const followed = new Map<string, Followed>();
  const dirty = new Set<string>();
  let isLooking = false;
  let stop: (() => void) | undefined;

  function mark(place: CallPlace | undefined): void {
    if (place === undefined) for (const name of followed.keys()) dirty.add(name);
    else if (followed.has(nameOf(place))) dirty.add(nameOf(place));
    if (dirty.size > 0 && !isLooking) void look();
  }

  /** Looks at the calls that may have changed, one look after the other. */
  async function look(): Promise<void> {
    isLooking = true;
    while (dirty.size > 0) {
      const names = [...dirty].slice(0, placesPerLook);
      for (const name of names) dirty.delete(name);
      const places = names.flatMap((name) => followed.get(name)?.place ?? []);
      const answer = await askStore(() => ledger.look(places));
      // A call that cannot be read now is looked at again.
      if (answer.ok) tell(places, answer.value);
    }
    isLooking = false;
  }

  function tell(places: readonly CallPlace[], states: readonly CallState[]): void {
    const stateByName = new Map(states.map((state) => [nameOf(state), state]));
    for (const place of places) {
      const call = followed.get(nameOf(place));
      const state = stateByName.get(nameOf(place));
      const text = textOf(state);
      if (call === undefined || call.state === text) continue;
      call.state = text;
      for (const listener of [...call.listeners]) listener(state);
    }
  }

  function begin(): void {
    const stopWatch = ledger.watch(mark);
    const stopTimer: StopTimer = systemClock.every(
      lookEveryMs,
      () => {
        for (const { place, waiting } of followed.values()) if (waiting > 0) mark(place);
      },
      { background: true },
    );
    stop = () => {
      stopWatch();
      stopTimer();
    };
  }

  function follow(place: CallPlace, listener: ChangeListener, seen?: CallState): () => void {
    const name = nameOf(place);
    const call = followed.get(name) ?? {
      place: { tenant: place.tenant, id: place.id },
      listeners: new Set(),
      waiting: 0,
      state: textOf(seen),
    };
    followed.set(name, call);
    call.listeners.add(listener);
    if (seen !== undefined) call.waiting += 1;
    if (stop === undefined) begin();
    return () => {
      call.listeners.delete(listener);
      if (seen !== undefined) call.waiting -= 1;
      if (call.listeners.size > 0 || followed.get(name) !== call) return;
      followed.delete(name);
      dirty.delete(name);
      if (followed.size > 0) return;
      stop?.();
      stop = undefined;
    };
  }

  return {
    follow: (place, listener) => follow(place, listener),
    async next(seen, maxMs, signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = (): void => resolve();
      const stopFollowing = follow(seen, end, seen);
      // Somebody waits for this, so the process does not end meanwhile.
      const stopTimer = systemClock.after(maxMs, end);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
      // Those who follow it already may have seen another state of it, and it may have changed since it was seen.
      const call = followed.get(nameOf(seen));
      if (call !== undefined && call.state !== textOf(seen)) call.state = '';
      mark(seen);
      await promise;
      stopFollowing();
      stopTimer();
      signal.removeEventListener('abort', end);
      // A store that answers at once, and each time otherwise, must not keep those who wait from giving up.
      await nextTurn();
    },
  };
}

function nameOf({ tenant, id }: CallPlace): string {
  return JSON.stringify([tenant, id]);
}

/** Returns all that counts as a change. */
function textOf(state: CallState | undefined): string {
  return state === undefined ? '' : `${state.epoch} ${state.stage} ${state.isCancelled} ${state.isDead} ${state.changes}`;
}
