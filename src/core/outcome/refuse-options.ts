import { ToolpactError } from './toolpact-error.ts';

/** Throws for an option that is not known: one that is left when all known ones are taken out, and is not among `known`. */
export function refuseOptions(what: string, options: object, known: object = {}): void {
  const option = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (option !== undefined) throw new ToolpactError('unknown_option', `${what}: the option "${option}" does not exist`, { option });
}
