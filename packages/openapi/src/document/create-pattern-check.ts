import { compilePattern, countPatternStates } from '../schemas/compile-pattern.ts';

/** How many states the patterns of one description may have together. Each pattern is bounded too, but a description may hold any number of them. */
const maxStates = 100_000;

/**
 * Creates the check of one description's patterns: whether a pattern can be checked here. Others are left to the API: some are not of this
 * language, some cannot be checked in bounded time, and some come after too many large ones.
 */
export function createPatternCheck(): (pattern: string) => boolean {
  const known = new Map<string, boolean>();
  let states = 0;
  return (pattern) => {
    let isSafe = known.get(pattern);
    if (isSafe === undefined) {
      const own = countPatternStates(pattern);
      isSafe = states + own <= maxStates && compiles(pattern);
      if (isSafe) states += own;
      known.set(pattern, isSafe);
    }
    return isSafe;
  };
}

function compiles(pattern: string): boolean {
  try {
    compilePattern(pattern);
    return true;
  } catch {
    return false;
  }
}
