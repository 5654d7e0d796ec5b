import { ToolpactError } from './toolpact-error.ts';

/** Throws with a sentence that says what a function takes, unless the condition holds. */
export function expectArgument(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new ToolpactError('invalid_argument', sentence);
}
