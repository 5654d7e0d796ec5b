import { ToolpactError } from '../outcome/index.ts';

/** Throws for a number that is stated and not more than 0. */
export function checkPositive(what: string, numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [option, value] of Object.entries(numbers)) {
    if (value !== undefined && !(value > 0))
      throw new ToolpactError('invalid_option', `${what}: ${option} must be more than 0`, { option });
  }
}
