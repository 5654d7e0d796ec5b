import { type PatternToken, readRounds } from './read-tokens.ts';

/** The characters of a pattern as states: which characters each takes, which may come first and which may come next. */
export interface PatternAutomaton {
  readonly sets: readonly bigint[];
  readonly first: readonly number[];
  readonly follow: readonly ReadonlySet<number>[];
  /** Whether two loops lead from one state to the same next one. */
  readonly doubled: boolean;
  /** Whether a repetition counts its rounds, so that its states stand for more than themselves. */
  readonly counts: boolean;
}

/** A part of the pattern, by the states it can begin and end with. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
}

const nothing: Fragment = { first: [], last: [], nullable: true };
const maxStates = 200;
/** Counting to so few makes an automaton only a little larger. */
const fewRounds = 4;

/** Reads a pattern as an automaton. Gives undefined for what has no exact one: lookarounds, back references, Unicode properties, many states. */
export function readAutomaton(tokens: readonly PatternToken[], flags: string): PatternAutomaton | undefined {
  const atoms = tokens.filter(({ kind }) => kind === 'escape' || kind === 'class' || kind === 'any' || kind === 'char');
  if (atoms.length > maxStates || tokens.some(isBeyond)) return undefined;
  const samples = samplesOf(atoms, flags);
  if (samples === undefined) return undefined;
  const sets: bigint[] = [];
  const follow: Set<number>[] = [];
  let [doubled, counts, at] = [false, false, 0];

  const known = new Map<string, bigint>();
  const setOf = (kind: PatternToken['kind'], text: string): bigint => {
    // Most of a pattern is single characters, which need no search.
    if (kind === 'char') return 1n << BigInt(samples.indexOf(text));
    let set = known.get(text);
    if (set === undefined) {
      const one = new RegExp(`^(?:${text})$`, flags);
      set = samples.reduce((sum, sample, index) => (one.test(sample) ? sum | (1n << BigInt(index)) : sum), 0n);
      known.set(text, set);
    }
    return set;
  };
  const connect = (from: readonly number[], to: readonly number[]): void => {
    for (const start of from) {
      for (const end of to) {
        if (follow[start]?.has(end)) doubled = true;
        follow[start]?.add(end);
      }
    }
  };
  const alternatives = (): Fragment => {
    let whole = sequence();
    while (tokens[at]?.kind === 'or') {
      at += 1;
      const other = sequence();
      whole = {
        first: [...whole.first, ...other.first],
        last: [...whole.last, ...other.last],
        nullable: whole.nullable || other.nullable,
      };
    }
    return whole;
  };
  const sequence = (): Fragment => {
    let whole = nothing;
    while (at < tokens.length && tokens[at]?.kind !== 'or' && tokens[at]?.kind !== 'close') {
      const next = repeated(atom());
      connect(whole.last, next.first);
      whole = {
        first: whole.nullable ? [...whole.first, ...next.first] : whole.first,
        last: next.nullable ? [...whole.last, ...next.last] : next.last,
        nullable: whole.nullable && next.nullable,
      };
    }
    return whole;
  };
  const repeated = (inner: Fragment): Fragment => {
    const token = tokens[at];
    if (token?.kind !== 'quantifier') return inner;
    at += 1;
    const { least, most } = readRounds(token.text);
    if (most > 1) connect(inner.last, inner.first);
    if (least > fewRounds || (Number.isFinite(most) && most > fewRounds)) counts = true;
    return { ...inner, nullable: inner.nullable || least === 0 };
  };
  const atom = (): Fragment => {
    const { kind, text } = tokens[at] as PatternToken;
    at += 1;
    if (kind === 'open') {
      const inner = alternatives();
      at += 1;
      return inner;
    }
    if (kind === 'anchor') return nothing;
    sets.push(setOf(kind, text));
    follow.push(new Set());
    const state = [sets.length - 1];
    return { first: state, last: state, nullable: false };
  };

  const { first } = alternatives();
  return { sets, first, follow, doubled, counts };
}

/** Checks whether every text has at most one way through an automaton, so that a backtracking engine never goes back far. */
export function isDeterministic({ sets, first, follow, doubled }: PatternAutomaton): boolean {
  const isApart = (states: Iterable<number>): boolean => {
    let taken = 0n;
    for (const state of states) {
      const set = sets[state] ?? 0n;
      if ((taken & set) !== 0n) return false;
      taken |= set;
    }
    return true;
  };
  return !doubled && isApart(first) && follow.every(isApart);
}

/** Checks whether all the ways through an automaton, taken together, have few states: then a linear engine keeps them in a small table. */
export function isSmallTogether({ sets, first, follow, counts }: PatternAutomaton, most: number): boolean {
  if (counts) return false;
  const letters = [...new Set(lettersOf(sets))];
  const seen = new Set<string>();
  const waiting: (readonly number[])[] = [[...new Set(first)]];
  for (let reached = waiting.pop(); reached !== undefined; reached = waiting.pop()) {
    const name = reached.join();
    if (seen.has(name)) continue;
    seen.add(name);
    if (seen.size > most) return false;
    for (const letter of letters) {
      const next = new Set<number>();
      for (const state of reached) if (((sets[state] ?? 0n) & letter) !== 0n) for (const after of follow[state] ?? []) next.add(after);
      // A text may begin to fit at any place.
      for (const state of first) next.add(state);
      waiting.push([...next].sort((a, b) => a - b));
    }
  }
  return true;
}

/** One sample of each kind of character that the sets distinguish. */
function* lettersOf(sets: readonly bigint[]): Generator<bigint> {
  const width = Math.max(0, ...sets.map((set) => set.toString(2).length));
  const kinds = new Set<string>();
  for (let index = 0; index < width; index += 1) {
    const letter = 1n << BigInt(index);
    const kind = sets.map((set) => ((set & letter) === 0n ? '0' : '1')).join('');
    if (kinds.has(kind)) continue;
    kinds.add(kind);
    yield letter;
  }
}

function isBeyond({ kind, text }: PatternToken): boolean {
  if (kind === 'open') return /[=!]$/.test(text);
  return (kind === 'escape' && /^\\[1-9kpP]/.test(text)) || (kind === 'class' && /\\[pP]/.test(text));
}

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const spaces = [...'\u0080\u00a0\u1680\u2000\u200b\u2028\u202a\u202f\u205f\u3000\ufeff\u00a1'];

/** Two sets overlap if and only if they share one of these: all ASCII, the odd spaces, and both ends of every range that the pattern names. */
function samplesOf(atoms: readonly PatternToken[], flags: string): string[] | undefined {
  const found = new Set([...ascii, ...spaces]);
  for (const { text } of atoms) {
    for (const [written] of text.matchAll(/\\u\{[^}]*\}|\\u[\da-fA-F]{4}(?:\\u[dD][c-fC-F][\da-fA-F]{2})?|\\x[\da-fA-F]{2}|[^\0-\x7f]/gu)) {
      const code = written.startsWith('\\') ? codeOf(written) : written.codePointAt(0);
      if (code === undefined || code > 0x10ffff || (code > 0xffff && !flags.includes('u'))) return undefined;
      found.add(String.fromCodePoint(code));
      if (code < 0x10ffff) found.add(String.fromCodePoint(code + 1));
    }
    if (found.size > 600) return undefined;
  }
  return [...found];
}

function codeOf(written: string): number | undefined {
  const [high = '', low] = written.match(/[\da-fA-F]{2,}/g) ?? [];
  const first = Number.parseInt(high, 16);
  return low === undefined ? first : (first - 0xd800) * 0x400 + (Number.parseInt(low, 16) - 0xdc00) + 0x10000;
}
