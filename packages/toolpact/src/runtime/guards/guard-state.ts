import type { Outcome } from '../../outcome/index.ts';
import type { GuardDecision, GuardedCall } from '../../ports/index.ts';
import type { StepRun } from '../steps.ts';

/** The state that the guards of one call have set. */
export interface GuardState {
  /** Makes repeated runs the same as one. */
  key: string | undefined;
  /** Whether a result that comes too late is still wanted, and the whole of one too large. */
  keepsLateResult: boolean;
  keepsFullResult: boolean;
  fullResult: unknown;
  /** Runs and remembers the steps of the call. */
  memory: StepRun | undefined;
  /** Replaced where one is added or removed, so that a list that is being read stays as it is. */
  listeners: readonly ((outcome: Outcome) => void)[];
  readonly fences: ((step: string) => Promise<void> | void)[];
  /** The decision of each guard, kept where a guard asked for it. */
  decisions: GuardDecision[] | undefined;
  readonly view: GuardedCall;
}
