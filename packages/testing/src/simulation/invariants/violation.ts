/** A broken promise. */
export interface Violation {
  readonly invariant: string;
  readonly message: string;
  /** True time. */
  readonly at: number;
}
