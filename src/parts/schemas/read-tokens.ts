/** A part of a regular expression, by what it does. */
export interface PatternToken {
  readonly kind: 'open' | 'close' | 'or' | 'anchor' | 'quantifier' | 'escape' | 'class' | 'any' | 'char';
  readonly text: string;
}

const kinds: readonly (readonly [kind: PatternToken['kind'], token: RegExp])[] = [
  ['open', /\((?:\?(?:<?[=!]|<[^>=!][^>]*>|[a-z-]*:))?/y],
  ['close', /\)/y],
  ['or', /\|/y],
  ['anchor', /[\^$]|\\[bB]/y],
  ['quantifier', /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y],
  [
    'escape',
    /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[\s\S])/y,
  ],
  ['class', /\[(?:\\[\s\S]|[^\]\\])*\]/y],
  ['any', /\./y],
  ['char', /[\s\S]/uy],
];

/** Splits a valid regular expression into its parts. */
export function readTokens(pattern: string): PatternToken[] {
  const tokens: PatternToken[] = [];
  for (let at = 0; at < pattern.length; ) {
    for (const [kind, token] of kinds) {
      token.lastIndex = at;
      const text = token.exec(pattern)?.[0];
      if (text === undefined) continue;
      tokens.push({ kind, text });
      at += text.length;
      break;
    }
  }
  return tokens;
}

/** Reads how often a quantifier repeats, such as 2 and infinity for `{2,}`. */
export function readRounds(quantifier: string): { readonly least: number; readonly most: number } {
  const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? [];
  if (least === '') return { least: quantifier[0] === '+' ? 1 : 0, most: quantifier[0] === '?' ? 1 : Number.POSITIVE_INFINITY };
  return { least: Number(least), most: comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most) };
}

/** Counts the states that a pattern has once its repetitions are written out. Unicode properties count more: each holds hundreds of ranges. */
export function countStates(tokens: readonly PatternToken[]): number {
  const groups: { total: number; last: number }[] = [{ total: 0, last: 0 }];
  for (const { kind, text } of tokens) {
    const group = groups.at(-1) as { total: number; last: number };
    if (kind === 'open') groups.push({ total: 0, last: 0 });
    else if (kind === 'close') {
      groups.pop();
      const outer = groups.at(-1);
      if (outer === undefined) return Number.POSITIVE_INFINITY;
      outer.last = group.total + 1;
      outer.total += outer.last;
    } else if (kind === 'quantifier') {
      const { least, most } = readRounds(text);
      group.total += group.last * (Math.max(1, Number.isFinite(most) ? most : least) - 1);
    } else if (kind !== 'or' && kind !== 'anchor') {
      group.last = /\\[pP]\{/.test(text) ? 50 : 1;
      group.total += group.last;
    }
  }
  return groups[0]?.total ?? 0;
}
