/**
 * Tells whether a regular expression can take exponential time: whether some text can run through one of its loops in two ways, so that
 * a backtracking engine tries every combination. Patterns too large to judge count as explosive. The pattern must be valid.
 */
export function isExplosive(pattern: string): boolean {
  const automaton = readAutomaton(pattern);
  return automaton === undefined || automaton.doubled || hasTwoWays(automaton);
}

/** The characters of a pattern as states: which characters each takes, and which state may come next. */
interface Automaton {
  readonly sets: readonly bigint[];
  readonly follow: readonly ReadonlySet<number>[];
  /** Whether two loops lead from one state to the same next one. */
  readonly doubled: boolean;
}

/** A part of the pattern, by the states it can begin and end with. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly nullable: boolean;
  readonly loops: boolean;
}

const nothing: Fragment = { first: [], last: [], nullable: true, loops: false };
const mostStates = 400;
const mostSteps = 500_000;
/** A repetition of this many rounds is as bad as one without end. */
const manyRounds = 16;

const opening = /\((?:\?(?:(<?[=!])|<[^>]*>|[a-z-]*:))?/y;
const escaped = /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|k<[^>]*>|[\s\S])/y;
const charClass = /\[(?:\\[\s\S]|[^\]\\])*\]/y;
const quantifier = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y;

function readAutomaton(pattern: string): Automaton | undefined {
  const sets: bigint[] = [];
  const follow: Set<number>[] = [];
  let doubled = false;
  let at = 0;

  const take = (token: RegExp): RegExpExecArray | null => {
    token.lastIndex = at;
    const found = token.exec(pattern);
    if (found !== null) at += found[0].length;
    return found;
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
    while (pattern[at] === '|') {
      at += 1;
      const other = sequence();
      whole = {
        first: [...whole.first, ...other.first],
        last: [...whole.last, ...other.last],
        nullable: whole.nullable || other.nullable,
        loops: whole.loops || other.loops,
      };
    }
    return whole;
  };
  const sequence = (): Fragment => {
    let whole = nothing;
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')' && sets.length <= mostStates) {
      const next = repeated(atom());
      connect(whole.last, next.first);
      whole = {
        first: whole.nullable ? [...whole.first, ...next.first] : whole.first,
        last: next.nullable ? [...whole.last, ...next.last] : next.last,
        nullable: whole.nullable && next.nullable,
        loops: whole.loops || next.loops,
      };
    }
    return whole;
  };
  const repeated = (inner: Fragment): Fragment => {
    const found = take(quantifier);
    if (found === null) return inner;
    const [text, least, comma, most] = found;
    const rounds =
      least === undefined
        ? text[0] === '?'
          ? 1
          : Number.POSITIVE_INFINITY
        : comma === ''
          ? Number(least)
          : most === ''
            ? Number.POSITIVE_INFINITY
            : Number(most);
    const loops = rounds >= manyRounds || (rounds > 1 && inner.loops);
    if (loops) connect(inner.last, inner.first);
    const skips = least === undefined ? text[0] !== '+' : Number(least) === 0;
    return { ...inner, nullable: inner.nullable || skips, loops: inner.loops || loops };
  };
  const atom = (): Fragment => {
    const open = take(opening);
    if (open !== null) {
      const inner = alternatives();
      at += 1;
      return open[1] === undefined ? inner : nothing;
    }
    const found = take(escaped) ?? take(charClass);
    const text = found?.[0] ?? String.fromCodePoint(pattern.codePointAt(at) ?? 0);
    if (found === null) at += text.length;
    if (/^(?:[\^$]|\\[bB])$/.test(text)) return nothing;
    sets.push(setOf(text));
    follow.push(new Set());
    const state = [sets.length - 1];
    return { first: state, last: state, nullable: false, loops: false };
  };

  alternatives();
  return sets.length > mostStates ? undefined : { sets, follow, doubled };
}

const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), 'é', 'ß', 'λ', 'Ж', '中', '٣', '\u2028', '😀'];
const everything = (1n << BigInt(samples.length)) - 1n;

/** The characters that a part of a pattern takes, as a bit for each sample. What it refers back to can be anything. */
function setOf(text: string): bigint {
  if (/^\\(?:[1-9]|k<)/.test(text)) return everything;
  try {
    const one = new RegExp(`^(?:${text})$`, 'us');
    return samples.reduce((set, sample, index) => (one.test(sample) ? set | (1n << BigInt(index)) : set), 0n);
  } catch {
    return everything;
  }
}

/** Looks for a state that some text leads back to in two ways, by walking two ways side by side. */
function hasTwoWays({ sets, follow }: Automaton): boolean {
  const count = sets.length;
  let steps = 0;
  for (let start = 0; start < count; start += 1) {
    // Bit 1: both ways were the same so far; bit 2: they parted.
    const seen = new Uint8Array(count * count);
    const waiting: [number, number, number][] = [[start, start, 1]];
    while (waiting.length > 0) {
      const [one, other, how] = waiting.pop() as [number, number, number];
      for (const nextOne of follow[one] ?? []) {
        for (const nextOther of follow[other] ?? []) {
          steps += 1;
          if (steps > mostSteps) return true;
          if (((sets[nextOne] ?? 0n) & (sets[nextOther] ?? 0n)) === 0n) continue;
          const parted = how === 2 || nextOne !== nextOther ? 2 : 1;
          if (parted === 2 && nextOne === start && nextOther === start) return true;
          const place = nextOne * count + nextOther;
          if (((seen[place] ?? 0) & parted) !== 0) continue;
          seen[place] = (seen[place] ?? 0) | parted;
          waiting.push([nextOne, nextOther, parted]);
        }
      }
    }
  }
  return false;
}
