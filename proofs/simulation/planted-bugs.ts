/** A small mistake in the library that the simulation must find. */
export interface PlantedBug {
  readonly name: string;
  /** A text of the library that is there once, and what stands in its place. */
  readonly from: string | RegExp;
  readonly to: string;
  /** Within how many seeds it is found. */
  readonly within: number;
}

/** The mistakes. Each is made in the text of the library, as the bundler writes it. */
export const plantedBugs: readonly PlantedBug[] = [];
