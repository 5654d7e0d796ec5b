import type { FailureKind } from '../outcome/index.ts';
import type { Finding } from './evidence.ts';

/** The conclusion from the evidence. */
export interface Decision {
  readonly kind: FailureKind;
  /** Set where it differs from the catalogue's. */
  readonly retryable?: boolean | undefined;
  readonly finding?: Finding | undefined;
}

/** Says which findings count, and looks at the decision again with what else is known. */
export interface Belief {
  readonly believes: (finding: Finding) => boolean;
  readonly correct: (decision: Decision, findings: readonly Finding[]) => Decision;
}
