import type { StatementSync } from 'node:sqlite';
import type { LedgerStatements } from './ledger-statements.ts';
import type { SqliteStatements } from './sqlite-statements.ts';

/** Deletes what has expired, a slice at a time, so that no write waits for long. All of it runs inside transactions. */
export interface SweepSlices {
  /** Goes round and round all that is kept; gives whether it has come round. */
  readonly sweepOn: () => boolean;
  /** Looks at what comes after a place; from the first where none is given. */
  readonly sweepFrom: (place?: SweepPlace) => SweptSlice;
}

/** Where a sweep goes on in each table; undefined where it has come to the end. */
interface SweepPlace {
  readonly records: number | undefined;
  readonly calls: number | undefined;
}

interface SweptSlice {
  readonly deleted: number;
  /** Where to go on; undefined where there is nothing left. */
  readonly next: SweepPlace | undefined;
}

const sliceSize = 512;
/** A call lies in a dozen indexes, so that deleting one takes longer. */
const callsSliceSize = 256;
const firstPlace: SweepPlace = { records: 0, calls: 0 };

/** Creates what sweeps one file. */
export function createSweepSlices(sql: SqliteStatements & LedgerStatements, now: () => number): SweepSlices {
  let sweptTo: SweepPlace | undefined;

  const sweepTable = (end: StatementSync, sweep: StatementSync, after: number | undefined, size = sliceSize) => {
    if (after === undefined) return { deleted: 0, next: undefined };
    const { last, seen } = end.get(after, size) as { last: number | null; seen: number };
    const { changes } = sweep.run({ after, last, now: now() });
    return { deleted: Number(changes), next: seen < size ? undefined : (last ?? undefined) };
  };
  const sweepFrom = (place = firstPlace): SweptSlice => {
    const counters = Number(sql.sweepCounters.run(now(), sliceSize).changes);
    const records = sweepTable(sql.recordsEnd, sql.sweepRecords, place.records);
    const calls = sweepTable(sql.callsEnd, sql.sweepCalls, place.calls, callsSliceSize);
    const isOver = records.next === undefined && calls.next === undefined && counters < sliceSize;
    if (isOver) {
      sql.sweepProcesses.run(now());
      sql.sweepGrants.run(now());
    }
    const next = { records: records.next, calls: calls.next };
    return { deleted: records.deleted + calls.deleted, next: isOver ? undefined : next };
  };
  return {
    sweepFrom,
    sweepOn() {
      sweptTo = sweepFrom(sweptTo).next;
      return sweptTo === undefined;
    },
  };
}
