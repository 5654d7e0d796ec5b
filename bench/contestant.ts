/** Something that is timed. */
export interface Contestant {
  readonly name: string;
  /** The contestant its time is divided by. */
  readonly base?: string;
  /** Calls once; what it gives back is checked once, then dropped. */
  readonly call: () => unknown;
  /** Whether the value of a call is the right answer. */
  readonly isRight: (value: unknown) => boolean;
  /** The most it may take, in microseconds or as a multiple of its base. */
  readonly atMost?: { readonly ratio: number } | { readonly us: number };
  /** Whether only the time of the processor counts, not that of other programs: for what never waits. */
  readonly alone?: true;
}
