import { refuseOption } from './refuse-options.ts';

/** Throws for options of `what` that are not numbers above 0. */
export function assertPositive(what: string, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0)) refuseOption(what, name, 'more than 0');
  }
}
