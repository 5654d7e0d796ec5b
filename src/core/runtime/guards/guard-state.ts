import type { Outcome } from '../../outcome/index.ts';
import type { Guard, GuardDecision, GuardedCall, GuardedToolbox, Promised } from '../../ports/index.ts';
import type { StepRun } from '../steps.ts';

/** Guards in their order. */
export interface ArrangedGuards {
  /** All of them, as they were given. */
  readonly use?: readonly Guard[];
  /** Adds the tools that guards bring; undefined where none brings any. */
  readonly addTools?: ((tools: readonly object[]) => readonly object[]) | undefined;
  /** Those that stand around every call, also one that will not run. */
  readonly outer: readonly Guard[];
  readonly guards: readonly Guard[];
  readonly provides: ReadonlySet<Promised>;
  /** Whether some guard keeps the events of calls. */
  readonly watched: boolean;
  /** Whether no call of a batch may run before all have passed their gates. */
  readonly hasApproval: boolean;
}

/**
 * Runs guards. `defineGuard` gives it to each guard, so that only an application with guards loads it: imported by the toolbox, it would make
 * the main entry larger by 1.9 kB gzipped, and most applications with a toolbox alone do not need it. Calls, settings and plans are opaque here, because they hold this engine themselves.
 */
export interface GuardEngine {
  /** Sorts guards into the order of their phases. */
  arrange(use: readonly Guard[]): ArrangedGuards;
  run(call: object, guards: readonly Guard[], run: () => Promise<Outcome>): Promise<Outcome>;
  /** Makes what guards add to a toolbox. */
  methods(settings: object, plans: ReadonlyMap<string, object>, toolbox: Pick<GuardedToolbox, 'answer' | 'emit' | 'context'>): object;
  /** Holds all calls of a batch back until each has passed its approval, then lets a few through at a time, in order. */
  batchBarrier(expected: number, room: number): (index: number) => Turn;
}

/** One call's place in a batch. */
export interface Turn {
  readonly pass: () => Promise<void>;
  readonly leave: () => void;
}

/** What guards have asked for in one call. */
export interface GuardState {
  /** Makes repeated runs the same as one. */
  key: string | undefined;
  /** Whether a result that comes too late is still wanted, and the whole of one too large. */
  keepsLateResult: boolean;
  keepsFullResult: boolean;
  fullResult: unknown;
  /** What remembers the steps of the call. */
  memory: StepRun | undefined;
  readonly listeners: Set<(outcome: Outcome) => void>;
  readonly fences: ((step: string) => Promise<void> | void)[];
  /** What each guard did, where a guard asked to keep it. */
  decisions: GuardDecision[] | undefined;
  readonly view: GuardedCall;
}
