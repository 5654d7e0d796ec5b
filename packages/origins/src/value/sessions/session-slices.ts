import { ToolpactError } from 'toolpact';
import type { Change } from './change.ts';
import type { AnySlice } from './slice.ts';
import { applyChange, createSliceState, type SliceState } from './slice-state.ts';
import { type SessionSnapshot, toSnapshot } from './snapshot.ts';

/** How full a slice is. */
interface SliceStats {
  readonly items: number;
  readonly version: number;
  readonly dropped: number;
}

/** The slices of a session as they are now, and how often each was written. */
export interface SessionSlices {
  readonly states: ReadonlyMap<string, SliceState>;
  /** Returns a slice; throws for a name that the session does not have. */
  readonly stateOf: (name: string) => SliceState;
  /** Makes one change real; false when a compare-and-set found another version. */
  readonly apply: (name: string, change: Change) => boolean;
  /** Takes all slices from a snapshot or, when one cannot be read, none. */
  readonly replace: (snapshot: SessionSnapshot, logs: boolean) => void;
  readonly snapshot: (id: string, at: number) => SessionSnapshot;
  readonly stats: () => Readonly<Record<string, SliceStats>>;
}

/** Creates the slices of a session, all empty. */
export function createSessionSlices(slices: Readonly<Record<string, AnySlice>>): SessionSlices {
  const states = new Map<string, SliceState>();
  for (const [name, slice] of Object.entries(slices)) {
    if (!Array.isArray(slice?.reducers))
      throw new ToolpactError('invalid_definition', `the slice "${name}" is not made by stateSlice or logSlice`, { slice: name });
    states.set(name, createSliceState(slice));
  }
  let version = 0;

  function stateOf(name: string): SliceState {
    const state = states.get(name);
    if (state === undefined)
      throw new ToolpactError('invalid_argument', `the session has no slice named "${name}"; it has ${[...states.keys()].join(', ')}`);
    return state;
  }

  return {
    states,
    stateOf,
    apply(name, change) {
      if (!applyChange(stateOf(name), change)) return false;
      version += 1;
      return true;
    },
    replace(snapshot, logs) {
      const restored = new Map<string, SliceState>();
      for (const [name, { slice, version: current }] of states) {
        const saved = Object.hasOwn(snapshot.slices, name) ? snapshot.slices[name] : undefined;
        if (saved === undefined || (slice.kind === 'log' && !logs)) continue;
        try {
          // Going back is a write too: the version only grows, so that a compare-and-set notices.
          const state = createSliceState(slice, saved.items, Math.max(saved.version, current + 1));
          state.dropped += saved.dropped ?? 0;
          restored.set(name, state);
        } catch (cause) {
          throw new TypeError(`its slice "${name}" holds an item without a key`, { cause });
        }
      }
      for (const [name, state] of restored) states.set(name, state);
      version = Math.max(version, snapshot.version) + 1;
    },
    snapshot: (id, at) => toSnapshot(id, version, at, states),
    stats: () =>
      Object.fromEntries(
        [...states].map(([name, { entries, version: written, dropped }]) => [name, { items: entries.size, version: written, dropped }]),
      ),
  };
}
