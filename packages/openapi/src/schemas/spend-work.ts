/** How much one validation may cost, in steps of well under a microsecond. */
const maxWork = 1_000_000;
/** How much more may be spent to find all that is wrong with a value, and not the first mistake alone. */
const maxWorkForAll = 50_000;

let left = maxWork;

/** Says that checking a value would cost too much. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork';
}

/** Runs a validation, which never waits, within a budget of its own. */
export function withinBudget<TResult>(run: () => TResult, all = false): TResult {
  // Schemas of other tools may be checked inside this one.
  const before = left;
  left = all ? maxWorkForAll : maxWork;
  try {
    return run();
  } finally {
    left = before;
  }
}

/** Takes work from the budget of the validation that runs; throws when it is used up. */
export function spendWork(steps: number): void {
  left -= steps;
  if (left < 0) throw new TooMuchWork('it costs too much to check');
}
