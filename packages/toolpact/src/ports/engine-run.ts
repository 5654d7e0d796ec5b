import type { Effect } from '../outcome/index.ts';
import type { RunPlace, StoredQuestion, StoredStep } from './ledger.ts';
import type { Suspension } from './suspension.ts';

/**
 * One run of a remembered call that an engine makes in place of this process. The store keeps the call, its questions and its end; the engine
 * keeps its steps and sleeps. Whoever takes the call over from a process that died goes on watching the same run of the engine.
 */
export interface EngineRun {
  readonly place: RunPlace;
  /** Names the call for the keys of its steps. */
  readonly origin: string;
  /** The steps and sleeps of the call that this one goes on with. */
  readonly steps: () => readonly StoredStep[];
  /** All that was asked, by this call and by those it goes on with. */
  readonly questions: readonly StoredQuestion[];
  /** The name of the first step that is done again. */
  readonly from?: string | undefined;
  /** Whether the call was asked to stop before this process took it. */
  readonly isCancelled: boolean;
  /** Whether another process has the call. */
  readonly isLost: () => boolean;
  /** Whether the engine may have the call. */
  readonly hasBegun: () => boolean;
  /** Says that from now on the engine may have the call. */
  readonly begin: () => void;
  /** Stores the steps and sleeps of a call that failed, for one that goes on where it ended. */
  readonly keep: (steps: readonly EngineStep[]) => Promise<void>;
  /** Says how the call waits, which is answered as pending. */
  readonly suspend: (suspension: Suspension) => void;
}

/** A step or a sleep that ended on an engine. A sleep has no record. */
export interface EngineStep {
  readonly id: string;
  readonly name: string;
  readonly record?: { readonly effect: Effect } | undefined;
}
