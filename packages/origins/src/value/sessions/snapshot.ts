import type { JsonValue } from 'toolpact';
import { ToolpactError } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { itemsOf, type SliceState } from './slice-state.ts';

/** A session as JSON. */
export interface SessionSnapshot {
  readonly v: 1;
  readonly id: string;
  /** How often the session had been written. */
  readonly version: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly slices: Readonly<Record<string, SliceSnapshot>>;
}

/** One slice of a snapshot. */
export type SliceSnapshot = {
  readonly kind: 'state' | 'log';
  readonly version: number;
  readonly dropped: number;
  readonly items: readonly JsonValue[];
};

/** A snapshot, or why a value is not one. */
export type ReadSnapshot = { readonly ok: true; readonly snapshot: SessionSnapshot } | { readonly ok: false; readonly problem: string };

/** Writes slices down as JSON. Throws a TypeError that names the slice whose items have no JSON form. */
export function toSnapshot(id: string, version: number, at: number, slices: ReadonlyMap<string, SliceState>): SessionSnapshot {
  const written = [...slices].map(([name, state]): [string, SliceSnapshot] => {
    try {
      const items = JSON.parse(JSON.stringify(itemsOf(state))) as JsonValue[];
      return [name, { kind: state.slice.kind, version: state.version, dropped: state.dropped, items }];
    } catch (cause) {
      throw new ToolpactError('invalid_argument', `the slice "${name}" holds something that has no JSON form`, { slice: name }, { cause });
    }
  });
  return { v: 1, id, version, at, slices: Object.fromEntries(written) };
}

/** Checks that a value, such as one from a store, is a snapshot this version can read. */
export function readSnapshot(value: unknown): ReadSnapshot {
  if (!isRecord(value)) return { ok: false, problem: 'it is not an object' };
  if (value.v !== 1) return { ok: false, problem: `it has the version ${JSON.stringify(value.v)}; 1 is known` };
  if (typeof value.id !== 'string' || !isCount(value.version) || !isRecord(value.slices)) {
    return { ok: false, problem: 'it lacks its id, version or slices' };
  }
  for (const [name, slice] of Object.entries(value.slices)) {
    if (!isRecord(slice) || !Array.isArray(slice.items) || !isCount(slice.version) || !isCount(slice.dropped ?? 0)) {
      return { ok: false, problem: `its slice "${name}" is broken` };
    }
  }
  return { ok: true, snapshot: value as unknown as SessionSnapshot };
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
