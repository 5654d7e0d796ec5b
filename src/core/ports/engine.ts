import type { Effects } from '../contract/index.ts';
import type { Effect, Failure } from '../outcome/index.ts';

/**
 * Remembers the steps of one durable call over all its runs. After a crash the tool runs again from its top, with the same memory: what has
 * ended is answered from it. A guard gives it to a call with `remember`.
 */
export interface CallMemory {
  /**
   * Runs a step and records how it ended before it gives that; or gives what was recorded, without running it. A step that was begun and has
   * no recorded end may run again if it is `none` or `idempotent`. One that `writes` must not: it ends as `interrupted` with effect `unknown`.
   */
  readonly step: (entry: StepEntry, execute: () => Promise<StepEnd>) => Promise<StepEnd>;
}

/** One step of a call, as its memory sees it. */
export interface StepEntry {
  /** Differs for every step of a call: its occurrence and its name. */
  readonly id: string;
  readonly name: string;
  readonly effects: Effects;
  /** Which attempt of this run asks. A new attempt forgets failures and keeps results. */
  readonly attempt: number;
  /** Results of more characters cannot be kept. */
  readonly maxChars: number;
  /** Makes what callers would read of something that the step threw or returned. */
  readonly toFailure: (thrown: unknown, effect: Effect) => Failure;
}

/** How a step ended. `toStepRecord` makes it JSON, and `fromStepRecord` reads that. */
export interface StepEnd {
  /** What it returned. */
  readonly value?: unknown;
  /** What it threw. */
  readonly thrown?: unknown;
  /** Whether it threw, or returned a failure. */
  readonly failed: boolean;
  readonly effect: Effect;
}
