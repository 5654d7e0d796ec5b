import type { Effects, Reconciled, StandardSchemaV1, WaitForOptions } from '../contract/index.ts';
import type { Effect, Failure, Pending } from '../outcome/index.ts';

/**
 * Remembers one durable call over all its runs. After a crash the tool runs again from its top, with the same memory: what has ended is
 * answered from it. `journal` brings one that lies in a store, an engine its own; a guard gives it to a call with `remember`.
 */
export interface CallMemory {
  /** Names the call, the same in all its runs: the keys of its steps are made from it. @default the idempotency key, or the invocation id */
  readonly callName?: string | undefined;
  /**
   * Runs a step and records how it ended before it gives that; or gives what was recorded, without running it. A step that was begun and has
   * no recorded end may run again if it is `none` or `idempotent`. One that `writes` must not: its `reconcile` says what became of it, or it
   * ends as `interrupted` with effect `unknown`. `execute` rejects only where the step did not begin; nothing is recorded then.
   */
  readonly step: (entry: StepEntry, execute: () => Promise<StepEnd>) => Promise<StepEnd>;
  /** Waits until a time has passed since this was first asked; or gives how the call answers meanwhile, which ends this run. @default within the deadline */
  readonly sleep?: (id: string, ms: number) => Promise<Pending | undefined>;
  /** Gives the answer to a question, once there is one; or how the call answers until then, which ends this run. Without it, tools cannot ask. */
  readonly waitFor?: (id: string, question: StepQuestion) => Promise<{ readonly answer: unknown } | Pending>;
  /** Gives what the recorded steps did to the outside world, those included that this run has not asked for yet. */
  readonly effect?: () => Effect;
  /** Names a recorded step that this run has not asked for. Asked when the tool has returned: it has changed since the step was recorded. */
  readonly unasked?: () => string | undefined;
}

/** One step of a call, as its memory sees it. */
export interface StepEntry {
  /** Differs for every step of a call: its occurrence and its name. */
  readonly id: string;
  readonly name: string;
  /** How often the name has begun in this attempt, this time included. */
  readonly occurrence: number;
  readonly effects: Effects;
  /** The idempotency key of the step, for services. */
  readonly key: string;
  /** Which attempt of this run asks. A new attempt forgets failures and keeps results. */
  readonly attempt: number;
  /** Finds out what became of the step where its end is not recorded. */
  readonly reconcile: (() => Reconciled | Promise<Reconciled>) | undefined;
  /** Results of more characters cannot be kept. */
  readonly maxChars: number;
  /** Turns something that the step threw or returned into the failure that callers would read. */
  readonly toFailure: (thrown: unknown, effect: Effect) => Failure;
}

/** How a step ended. `toStepRecord` makes it JSON, and `fromStepRecord` reads that. */
export interface StepEnd {
  /** The returned value. */
  readonly value?: unknown;
  /** The thrown value. */
  readonly thrown?: unknown;
  /** Whether it threw, or returned a failure. */
  readonly failed: boolean;
  readonly effect: Effect;
}

/** A question in the middle of a call. `toQuestion` creates one that can be shown and that checks answers. */
export interface StepQuestion {
  readonly name: string;
  readonly schema: StandardSchemaV1;
  readonly options: WaitForOptions;
}
