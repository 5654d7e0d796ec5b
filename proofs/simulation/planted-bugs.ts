/** A small mistake in the library that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** What is there once in the text of the library, as the bundler writes it, and what stands in its place. */
  readonly from: RegExp;
  readonly to: string;
  /** The invariants that it breaks in a seed in which the library without it does not. */
  readonly breaks: readonly string[];
  /** Within how many seeds it is found. */
  readonly within: number;
}

/** The mistakes. */
export const plantedBugs: readonly PlantedBug[] = [];
