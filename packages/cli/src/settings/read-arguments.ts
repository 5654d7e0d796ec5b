import { parseArgs } from 'node:util';
import { usageError } from '../cli-error.ts';
import { didYouMean } from './did-you-mean.ts';

/** A flag that is not a setting. */
export interface Flag {
  /** `texts` may be given several times. */
  readonly kind: 'text' | 'texts' | 'switch';
  readonly about: string;
  /** The placeholder of the value in help. */
  readonly value?: string;
  readonly choices?: readonly string[];
}

/** The value of a flag: all of them where it may have several. */
export type FlagValue = string | boolean | readonly string[];

/** The words after the command, sorted. */
export interface Arguments {
  readonly words: readonly string[];
  readonly flags: ReadonlyMap<string, FlagValue>;
}

/** Sorts words into flags and the rest. Throws for flags that are unknown, given twice, or without their value. */
export function readArguments(command: string, argv: readonly string[], known: ReadonlyMap<string, { readonly kind: string }>): Arguments {
  const isSwitch = (name: string): boolean => known.get(name)?.kind === 'switch';
  const options = Object.fromEntries(
    [...known].map(([name]) => [name, { type: isSwitch(name) ? ('boolean' as const) : ('string' as const) }]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const flags = new Map<string, FlagValue>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const negated = token.name.startsWith('no-') && isSwitch(token.name.slice(3));
    const name = negated ? token.name.slice(3) : token.name;
    if (!known.has(name)) throw unknownFlag(command, token.rawName, known);
    const value = flagValue(token, name, negated, isSwitch(name));
    const before = flags.get(name);
    const isMany = known.get(name)?.kind === 'texts';
    if (before !== undefined && !isMany) throw usageError(`${token.rawName} is given twice.`);
    flags.set(name, isMany ? [...((before ?? []) as readonly string[]), String(value)] : value);
  }
  return { words, flags };
}

function flagValue(
  {
    value,
    inlineValue,
    rawName,
  }: { readonly value?: string | undefined; readonly inlineValue?: boolean | undefined; readonly rawName: string },
  name: string,
  negated: boolean,
  isSwitch: boolean,
): string | boolean {
  if (isSwitch) {
    if (value === undefined) return !negated;
    if (negated || !['true', 'false'].includes(value)) throw usageError(`${rawName} takes no value; write --${name} or --no-${name}.`);
    return value === 'true';
  }
  // A flag in the place of a value is a forgotten value, unless it was joined with `=`.
  if (value === undefined || (inlineValue !== true && value.startsWith('--'))) throw usageError(`${rawName} needs a value.`);
  return value;
}

function unknownFlag(command: string, rawName: string, known: ReadonlyMap<string, unknown>): Error {
  const near = didYouMean(rawName.replace(/^-+/, ''), known.keys(), (name) => `--${name}`);
  return usageError(`toolpact ${command} has no flag ${rawName}.${near}`, `toolpact help ${command} lists them.`);
}
