/** One column of the matrix. The letters are one per fault, in their order. */
export interface Column {
  readonly name: string;
  readonly title: string;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  /** See `Code` in judge.ts. */
  readonly codes: string;
  /** See `AppLevel` in judge.ts; a dot where it does not count. */
  readonly app: string;
  /** Leaks to the model, by fault: `secret`, `stack`, or both. */
  readonly leaks: Readonly<Record<string, string>>;
}

/** A measurement as it is checked in. */
export interface Measurement {
  /** The day on which it was made. */
  readonly date: string;
  readonly faults: readonly string[];
  readonly columns: readonly Column[];
}
