import { isObject, isRecord, rankNames } from '../json/index.ts';
import { ToolpactError } from './toolpact-error.ts';

/**
 * A table with all the names of an options type, each exactly once: the compiler refuses one that lacks a name or has another. A list
 * says what an option can be: its words, or sorts of values as `sortOf` names them. Any other entry says nothing.
 */
export type OptionNames<TOptions> = { readonly [K in TOptions extends unknown ? keyof TOptions : never]-?: unknown };

/**
 * Throws for options that are no object, for an option that does not exist, with the nearest that does, and for one that cannot be what it is.
 * `foreign` gives the names by which other libraries call these options: they may be spelled nothing alike.
 */
export function refuseOptions<TOptions extends object>(
  what: string,
  options: TOptions | undefined,
  known: OptionNames<NoInfer<TOptions>>,
  foreign: Readonly<Record<string, keyof NoInfer<TOptions>>> = {},
): void {
  if (options === undefined) return;
  if (!isRecord(options)) refuseOption(what, 'options', ['an object']);
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, option)) {
      const nearest = Object.hasOwn(foreign, option) ? String(foreign[option]) : (rankNames(option, Object.keys(known), 1)[0] ?? null);
      const hint = nearest ? `. Did you mean "${nearest}"?` : '';
      throw new ToolpactError('unknown_option', `${what}: the option "${option}" does not exist${hint}`, { option, nearest });
    }
    const allowed = known[option as keyof typeof known];
    if (value !== undefined && Array.isArray(allowed) && !allowed.includes(sortOf(value))) refuseOption(what, option, allowed);
  }
}

/** Throws for an option, and says what it can be. */
export function refuseOption(what: string, option: string, allowed: readonly string[]): never {
  throw new ToolpactError('invalid_option', `${what}: ${option} must be ${allowed.join(' or ')}`, { option });
}

function sortOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && value > 0) return 'more than 0';
  return Array.isArray(value) ? 'an array' : `${isObject(value) ? 'an' : 'a'} ${typeof value}`;
}
