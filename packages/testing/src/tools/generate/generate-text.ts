import type { Random } from './generate-random.ts';

const maxRounds = 3;
const maxCharacters = 2_000;

/**
 * Writes a text that a regular expression probably matches, or nothing where the expression uses what only an engine understands
 * (looking ahead or back, references). The caller has to test the text.
 */
export function generateText(pattern: string, random: Random): string | undefined {
  let at = 0;
  let written = 0;
  try {
    const text = alternatives();
    return at === pattern.length ? text : undefined;
  } catch {
    return undefined;
  }

  function alternatives(): string {
    const found = [sequence()];
    while (pattern[at] === '|') {
      at += 1;
      found.push(sequence());
    }
    return random.pick(found);
  }

  function sequence(): string {
    let text = '';
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const start = at;
      const first = atom();
      const end = at;
      const [least, most] = rounds();
      const after = at;
      const wanted = random.int(least, Math.max(least, Math.min(most, least + maxRounds)));
      for (let round = 0; round < wanted; round += 1) {
        // Each round draws again from the same part of the pattern.
        at = start;
        text += round === 0 ? first : atom();
        written += 1;
        if (written > maxCharacters) throw new RangeError('too long');
      }
      at = Math.max(end, after);
    }
    return text;
  }

  function atom(): string {
    const char = pattern[at] ?? '';
    at += 1;
    if (char === '^' || char === '$') return '';
    if (char === '.') return random.pick([...letters]);
    if (char === '(') return group();
    if (char === '[') return random.pick(charClass());
    if (char === '\\') return random.pick(escaped());
    return char;
  }

  function group(): string {
    if (pattern[at] === '?') {
      const named = /^\?(?::|<[A-Za-z]\w*>)/.exec(pattern.slice(at));
      if (named === null) throw new TypeError('cannot look around');
      at += named[0].length;
    }
    const text = alternatives();
    if (pattern[at] !== ')') throw new TypeError('not closed');
    at += 1;
    return text;
  }

  function charClass(): readonly string[] {
    const negated = pattern[at] === '^';
    if (negated) at += 1;
    const found = new Set<string>();
    while (pattern[at] !== ']') {
      if (at >= pattern.length) throw new TypeError('not closed');
      const from = classMember();
      if (from.length === 1 && pattern[at] === '-' && pattern[at + 1] !== ']') {
        at += 1;
        const [to = ''] = classMember();
        const [first, last] = [from[0]?.charCodeAt(0) ?? 0, to.charCodeAt(0)];
        for (let code = first; code <= Math.min(last, first + 200); code += 1) found.add(String.fromCharCode(code));
      } else for (const char of from) found.add(char);
    }
    at += 1;
    const usable = negated ? [...letters].filter((char) => !found.has(char)) : [...found];
    if (usable.length === 0) throw new TypeError('no character fits');
    return usable;
  }

  function classMember(): readonly string[] {
    const char = pattern[at] ?? '';
    at += 1;
    return char === '\\' ? escaped() : [char];
  }

  function escaped(): readonly string[] {
    const char = pattern[at] ?? '';
    at += 1;
    const known = escapes[char];
    if (known !== undefined) return known;
    if (char === 'u' || char === 'x') {
      const digits = /^(?:\{([\da-f]{1,6})\}|([\da-f]{4}|[\da-f]{2}))/i.exec(pattern.slice(at));
      if (digits === null) throw new TypeError('no such character');
      at += digits[0].length;
      return [String.fromCodePoint(Number.parseInt(digits[1] ?? digits[2] ?? '', 16))];
    }
    if (/[\dkcpP]/.test(char)) throw new TypeError('cannot refer');
    return [char];
  }

  function rounds(): readonly [number, number] {
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(pattern.slice(at));
    if (found === null) return [1, 1];
    at += found[0].length;
    const [, sign, least, comma, most] = found;
    if (sign !== undefined) return signs[sign] ?? [1, 1];
    return [Number(least), comma === undefined ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)];
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-. /';
const signs: Readonly<Record<string, readonly [number, number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};
const escapes: Readonly<Record<string, readonly string[]>> = {
  d: [...'0123456789'],
  D: [...'abcXYZ_'],
  w: [...'abcdefXYZ0189_'],
  W: [...' .-'],
  s: [' '],
  S: [...'abcXYZ019'],
  b: [''],
  B: [''],
  n: ['\n'],
  r: ['\r'],
  t: ['\t'],
};
