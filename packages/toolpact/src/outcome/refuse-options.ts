import { isRecord, rankNames } from '../json/index.ts';
import { ToolpactError } from './toolpact-error.ts';

/** The rule for an option: any value (`true`), a sort of value, or one of some words. */
export type OptionRule = true | keyof typeof sorts | readonly string[];

/** A table of all the options of a type: the compiler refuses one that lacks an option or has another. */
export type OptionNames<TOptions> = { readonly [K in TOptions extends unknown ? keyof TOptions : never]-?: OptionRule };

const sorts = {
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a function': (value: unknown) => typeof value === 'function',
  'an object': isRecord,
  'an array': (value: unknown) => Array.isArray(value),
  'a number above 0': (value: unknown) => typeof value === 'number' && value > 0,
  'a number from 0': (value: unknown) => typeof value === 'number' && value >= 0,
  'a whole number from 1': (value: unknown) => Number.isInteger(value) && (value as number) >= 1,
} satisfies Record<string, (value: unknown) => boolean>;

/** Creates the table of options from an object that names all of them anyway, such as that of their defaults: each can be any value. */
export function knownOptions<TNamed extends object>(named: TNamed): { readonly [K in keyof TNamed]: true } {
  return Object.fromEntries(Object.keys(named).map((name) => [name, true])) as { readonly [K in keyof TNamed]: true };
}

/**
 * Throws for options that are no object, for an option that does not exist, with the nearest that does, and for one that cannot be what it is.
 * An empty `what` names no part. `foreign` gives the names by which other libraries call these options: they may be spelled nothing alike.
 */
export function refuseOptions<TOptions extends object>(
  what: string,
  options: TOptions | undefined,
  known: OptionNames<NoInfer<TOptions>>,
  foreign: Readonly<Record<string, keyof NoInfer<TOptions>>> = {},
): void {
  if (options === undefined) return;
  if (!isRecord(options)) {
    const names = Object.keys(known);
    refuseOption(what, 'options', names.length > mostNamed ? 'an object' : `an object with ${list(names, 'or')}`);
  }
  const rules: Readonly<Record<string, OptionRule>> = known;
  for (const [option, value] of Object.entries(options)) {
    const rule = Object.hasOwn(rules, option) ? rules[option] : undefined;
    if (rule === undefined) refuseUnknown(what, option, Object.keys(rules), foreign);
    if (value !== undefined && !isAllowed(value, rule)) refuseOption(what, option, rule, value);
  }
}

/** More names than these do not help in an error. */
const mostNamed = 8;

/** Throws for an option, and says what it can be; of words, which one was perhaps meant. */
export function refuseOption(what: string, option: string, rule: string | readonly string[], value?: unknown): never {
  const allowed = typeof rule === 'string' ? rule : list(rule, 'or');
  const [nearest] = typeof rule === 'object' && typeof value === 'string' ? rankNames(value, rule, 1) : [];
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
  throw new ToolpactError('invalid_option', `${about(what)}${option} must be ${allowed}${hint}`, { option });
}

/** Throws for options of `what` that are not numbers above 0. */
export function assertPositive(what: string, numbers: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value !== 'number' || !(value > 0)) refuseOption(what, name, 'a number above 0');
  }
}

/** Adds the place of what is wrong, so that whoever read the rules from a file can name its line. */
export function inPlace(place: readonly (string | number)[], check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ToolpactError)) throw error;
    const { option } = error.details;
    throw new ToolpactError(error.code, error.message, {
      ...error.details,
      place: [...place, ...(typeof option === 'string' ? [option.split('.').at(-1) ?? ''] : [])],
    });
  }
}

function about(what: string): string {
  return what === '' ? '' : `${what}: `;
}

function refuseUnknown(what: string, option: string, known: readonly string[], foreign: Readonly<Record<string, PropertyKey>>): never {
  const nearest = Object.hasOwn(foreign, option) ? String(foreign[option]) : (rankNames(option, known, 1)[0] ?? null);
  const hint = nearest === null ? `It takes ${known.length === 0 ? 'none' : list(known, 'and')}.` : `Did you mean "${nearest}"?`;
  throw new ToolpactError('unknown_option', `${about(what)}the option "${option}" does not exist. ${hint}`, { option, nearest });
}

function isAllowed(value: unknown, rule: OptionRule): rule is true {
  if (rule === true) return true;
  return typeof rule === 'string' ? sorts[rule](value) : rule.includes(value as string);
}

/** Writes names as a sentence lists them. */
function list(names: readonly string[], before: 'and' | 'or'): string {
  return names
    .map((name) => `"${name}"`)
    .join(', ')
    .replace(/, (?="[^"]*"$)/, ` ${before} `);
}
