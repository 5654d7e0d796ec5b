/** One line of the table. */
export interface Finding {
  readonly name: string;
  /** Nanoseconds per call. */
  readonly best?: number;
  readonly median?: number;
  /** How many times its base it takes, by the best and by the median round. */
  readonly ratio?: number;
  readonly medianRatio?: number;
  /** The finding, if it is not a time per call. */
  readonly found?: string;
  readonly target?: string;
  readonly met?: boolean;
}

/** Lines that belong together. */
export interface Chapter {
  readonly title: string;
  readonly findings: readonly Finding[];
}
