import { isRecord, rankNames } from '../json/index.ts';
import { ToolpactError } from './toolpact-error.ts';

/** A table with all the names of an options type, each exactly once: the compiler refuses one that lacks a name or has another. */
export type OptionNames<TOptions> = { readonly [K in TOptions extends unknown ? keyof TOptions : never]-?: unknown };

/** Throws for options that are no object, and for an option that does not exist; names the nearest option that does. */
export function refuseOptions<TOptions extends object>(
  what: string,
  options: TOptions | undefined,
  known: OptionNames<NoInfer<TOptions>>,
): void {
  if (options === undefined) return;
  if (!isRecord(options)) throw new ToolpactError('invalid_option', `${what}: options must be an object`);
  const names = Object.keys(known);
  const option = Object.keys(options).find((name) => !names.includes(name));
  if (option === undefined) return;
  const nearest = names.find((name) => name.startsWith(option)) ?? rankNames(option, names, 1)[0] ?? null;
  const hint = nearest ? `. Did you mean ${JSON.stringify(nearest)}?` : '';
  throw new ToolpactError('unknown_option', `${what}: the option "${option}" does not exist${hint}`, { option, nearest });
}
