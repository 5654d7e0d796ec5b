import type { GuardedCall, RunPlace } from '../../ports/index.ts';
import type { MadeAgain } from '../call-registry.ts';
import type { KeptProgress } from './keep-progress.ts';
import type { LiveCall } from './live-call.ts';

/** The ledger record of a call. Each call has one, from its first guard on. */
export interface CallRecord {
  readonly again: MadeAgain | undefined;
  /** The run that has begun, once it has. */
  live?: LiveCall;
  /** Whether a row of it is in the ledger, or is none of ours to write. */
  isKept: boolean;
  /** The id of a row that may have begun without this process having heard of it. */
  unheard?: string;
  /** Its row in the list, where nothing was promised about it. */
  listing?: Promise<RunPlace | undefined>;
  /** Whether an engine may have it. */
  isSent?: boolean;
  /** The latest progress of a call to which nothing was promised. */
  progress?: KeptProgress;
  trace: () => unknown;
}

/** Under which a call keeps its record among the notes of its guards. */
const recordNote = 'call-record';

/** Lets the guards of a call find its record. */
export function keepRecord(call: GuardedCall, record: CallRecord): void {
  call.notes.set(recordNote, record);
}

/** Finds the record of a call. */
export function recordOf(call: GuardedCall): CallRecord {
  return call.notes.get(recordNote) as CallRecord;
}
