import { hash } from 'node:crypto';
import { decodeText, encodeText } from '../stored-text.ts';

/** An index holds no more than some 2,700 bytes of all its columns together. */
const maxCharacters = 200;

/** Begins a hash. Text that was encoded has none, so that no other name is taken for a long one. */
const mark = '\t';

/** Writes a name as a column with an index holds it: one that is too long as its hash. */
export function toBoundedName(name: string): string {
  const text = encodeText(name);
  return text.length > maxCharacters ? mark + hash('sha256', text) : text;
}

/** Writes those names whole which {@link toBoundedName} writes as hashes, by these; null where there are none. */
export function toLongNames(...names: readonly (string | undefined)[]): string | null {
  const long = names.flatMap((name) => {
    const bounded = name === undefined ? '' : toBoundedName(name);
    return isLongName(bounded) ? [[bounded.slice(mark.length), encodeText(name as string)]] : [];
  });
  return long.length === 0 ? null : JSON.stringify(Object.fromEntries(long));
}

/** Checks whether only the hash of a name is there. */
export function isLongName(bounded: string): boolean {
  return bounded.startsWith(mark);
}

/** Reads a name that {@link toBoundedName} wrote; `longNames` holds the long ones, by their hashes. */
export function readBoundedName(bounded: string, longNames: Readonly<Record<string, string>> | null): string {
  return decodeText(isLongName(bounded) ? (longNames?.[bounded.slice(mark.length)] ?? bounded) : bounded);
}
