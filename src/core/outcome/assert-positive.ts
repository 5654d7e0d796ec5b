import { ToolpactError } from './toolpact-error.ts';

/** Throws for options that are not numbers above 0. */
export function assertPositive(numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0))
      throw new ToolpactError('invalid_option', `${name} must be more than 0`, { option: name });
  }
}
