/** The cost of one piece of work for one rival. */
export interface Cost {
  readonly rival: string;
  /** Processor time in microseconds: the least of all laps, because other programs can only add to it. */
  readonly processorUs: number;
}

/** Gives the least cost of each rival. */
export function leastCosts(laps: ReadonlyMap<string, readonly number[]>): Cost[] {
  return [...laps].map(([rival, costs]) => ({ rival, processorUs: Math.min(...costs) }));
}
