import type { Outcome } from '../../outcome/index.ts';
import type { GuardDecision, GuardedCall } from '../../ports/index.ts';
import type { StepRun } from '../steps.ts';

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
