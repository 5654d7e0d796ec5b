import { toNameKey } from '../../contract/index.ts';

const longest = 64;

/** Gives names that every provider takes to tools whose servers call them anything; no two come out the same, or differ in case or separators only. */
export function createToolNames(prefix?: string): (name: unknown) => string {
  const taken = new Set<string>();
  return (name) => {
    if (typeof name !== 'string' || name === '') throw new TypeError('it has no name');
    const clean = `${prefix === undefined ? '' : `${toWord(prefix)}:`}${toWord(name)}`;
    for (let count = 1; ; count += 1) {
      const suffix = count === 1 ? '' : `_${count}`;
      const given = `${clean.slice(0, longest - suffix.length)}${suffix}`;
      const key = toNameKey(given);
      if (taken.has(key)) continue;
      taken.add(key);
      return given;
    }
  };
}

function toWord(name: string): string {
  const word = name.replace(/[^A-Za-z0-9_.-]/g, '_');
  return /^[A-Za-z]/.test(word) ? word : `t_${word}`;
}
