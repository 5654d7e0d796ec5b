/** A broken promise. */
export interface Violation {
  readonly invariant: string;
  readonly message: string;
  /** True time. */
  readonly at: number;
  /** Reported, but not a failure: what is not promised today. */
  readonly isSoft?: true;
}
