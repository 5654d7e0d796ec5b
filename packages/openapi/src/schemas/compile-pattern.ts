import { RE2JS, RE2Set } from 're2js';
import { ToolpactError } from 'toolpact';
import { cutText } from 'toolpact/internal';
import { spendWork } from './spend-work.ts';

/** A compiled pattern. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Returns the pattern itself: the validator keeps compiled patterns by this name. */
  readonly toString: () => string;
}

const maxStates = 5_000;
/** So many states are kept compiled: each takes some 600 bytes. */
const maxKeptStates = 100_000;
const kept = new Map<string, Pattern>();
let keptStates = 0;

/**
 * Compiles the pattern of a schema with RE2, so that it takes time in proportion to the text. Throws for a pattern that is not a regular
 * expression, is too large, or has what RE2 does not: lookarounds (except lookaheads right after `^`), references back, counts beyond 1,000.
 */
export function compilePattern(pattern: string): Pattern {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > maxStates) throw refusal(pattern, 'is too large');
  checkSyntax(pattern);
  const tokens = toTokens(pattern);
  const states = countStates(tokens);
  if (states > maxStates) throw refusal(pattern, 'is too large');
  const parts = splitLookaheads(tokens).map(({ tokens: own, isNegated }) => ({ isNegated, engine: toEngine(pattern, own) }));
  let perCharacter: number | undefined;
  const compiled: Pattern = {
    toString: () => pattern,
    test(text) {
      perCharacter ??= costPerCharacter(parts);
      spendWork(12 * parts.length + Math.ceil(perCharacter * text.length));
      return parts.every(({ engine, isNegated }) => engine.test(text) !== isNegated);
    },
  };
  if (keptStates + states > maxKeptStates) {
    kept.clear();
    keptStates = 0;
  }
  kept.set(pattern, compiled);
  keptStates += states;
  return compiled;
}

/** Counts the states that a pattern has once its repetitions are written out: how long it takes to compile, and how much memory it needs, follows from them. */
export function countPatternStates(pattern: string): number {
  return pattern.length > maxStates ? Number.POSITIVE_INFINITY : countStates(toTokens(pattern));
}

function toTokens(pattern: string): readonly string[] {
  return pattern.replace(surrogatePair, (_, high, low) => String.fromCharCode(toCode(high), toCode(low))).match(token) ?? [];
}

/** Few states make a table that is built once; otherwise every character may cost as much as the whole pattern. */
function costPerCharacter(parts: readonly { readonly engine: RE2JS }[]): number {
  return parts.reduce((sum, { engine }) => sum + (hasFewStates(engine) ? 1 / 8 : engine.programSize()), 0);
}

/** Patterns from other languages escape more than Unicode mode allows. */
function checkSyntax(pattern: string): void {
  try {
    new RegExp(pattern, 'u');
  } catch (thrown) {
    try {
      new RegExp(pattern);
    } catch {
      throw thrown;
    }
  }
}

const surrogatePair = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/gi;
const toCode = (digits: string): number => Number.parseInt(digits, 16);

/** The parts of a regular expression: escapes, classes, groups, quantifiers, single characters. */
const token =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?|(?:[*+?]|\{\d+(?:,\d*)?\})\??|[\s\S]/gu;

/** Counts states. Unicode properties count more: each holds hundreds of ranges. */
function countStates(tokens: readonly string[]): number {
  let [total, last] = [0, 0];
  const outer: number[] = [];
  for (const text of tokens) {
    const count = /^\{(\d+)(?:,(\d*))?/.exec(text);
    if (text.startsWith('(')) {
      outer.push(total);
      total = 0;
    } else if (text === ')') {
      last = total + 1;
      total = (outer.pop() ?? 0) + last;
    } else if (count !== null) total += last * (Math.max(1, Number(count[2] || count[1])) - 1);
    else if (!/^[*+?|^$]/.test(text)) {
      last = /\\[pP]\{/.test(text) ? 50 : 1;
      total += last;
    }
  }
  return total;
}

interface Part {
  readonly tokens: readonly string[];
  readonly isNegated: boolean;
}

/** Splits `^(?=.*\d)(?!.*\s).{8,}$`, as passwords and addresses are described, into the patterns that have to match and those that must not. */
function splitLookaheads(tokens: readonly string[]): Part[] {
  const parts: Part[] = [];
  let body = tokens;
  while (body[0] === '^' && (body[1] === '(?=' || body[1] === '(?!') && !hasAlternatives(body)) {
    const end = depthsOf(body).indexOf(0, 1);
    if (/^[*+?{]/.test(body[end + 1] ?? '')) break;
    parts.push({ tokens: ['^', '(?:', ...body.slice(2, end + 1)], isNegated: body[1] === '(?!' });
    body = ['^', ...body.slice(end + 1)];
  }
  return [...parts, { tokens: body, isNegated: false }];
}

function hasAlternatives(tokens: readonly string[]): boolean {
  const depths = depthsOf(tokens);
  return tokens.some((text, at) => text === '|' && depths[at] === 0);
}

/** How many groups are open after each token. */
function depthsOf(tokens: readonly string[]): number[] {
  let depth = 0;
  return tokens.map((text) => {
    if (text.startsWith('(')) depth += 1;
    if (text === ')') depth -= 1;
    return depth;
  });
}

function toEngine(pattern: string, tokens: readonly string[]): RE2JS {
  const why = 'cannot be checked in bounded time: write it without looking around, referring back or counting beyond 1,000';
  // RE2 reads some references as characters.
  if (tokens.some((text) => /^\\[1-9k]/.test(text))) throw refusal(pattern, why);
  try {
    return RE2JS.compile(RE2JS.translateRegExp(tokens.map(toRe2).join('')));
  } catch {
    throw refusal(pattern, why);
  }
}

const spaces = '\\t-\\r\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const notSpaces =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}';

/** Writes what JavaScript and RE2 read differently. */
function toRe2(text: string): string {
  if (text === '.') return '[^\\n\\r\\x{2028}\\x{2029}]';
  if (text === '\\s' || text === '\\S') return `[${inClass(text)}]`;
  if (text.length > 1 && text.startsWith('[')) return `[${text.slice(1, -1).replace(/\\[\s\S]|\[/g, inClass)}]`;
  return /^[{}\]]$/.test(text) ? `\\${text}` : toEscape(text);
}

function inClass(part: string): string {
  return { '\\s': spaces, '\\S': notSpaces, '\\b': '\\x{8}', '[': '\\[' }[part] ?? toEscape(part);
}

/** Letters that only other languages escape are the letters themselves, and so is everything beyond ASCII. */
function toEscape(text: string): string {
  return text.replace(/^\\([A-Za-z]|[^\0-\x7f])$/u, (whole, letter) => (/[bBdDfnrStvwWcuxpP]/.test(letter) ? whole : letter));
}

/** Checks whether the whole table of an engine, which it otherwise builds as texts need it, is small. */
function hasFewStates({ re2Input: { dfa, prog } }: RE2JS): boolean {
  const [beginOfText, endOfText, maxWork] = [1 | 4, -1, 100_000];
  const states = new Set<{ readonly nfaStates: readonly number[] } | null>([dfa.makeState([prog.start], beginOfText, [])]);
  let work = 0;
  for (const state of states) {
    for (let kind = 0; kind <= dfa.numClasses; kind += 1) {
      work += 1 + (state?.nfaStates.length ?? maxWork);
      if (work > maxWork) return false;
      const sample = kind === dfa.numClasses ? endOfText : (dfa.classBounds[kind - 1] ?? 0);
      states.add(dfa.step(state, kind, sample, RE2Set.UNANCHORED));
    }
  }
  return true;
}

function refusal(pattern: string, why: string): TypeError {
  return new ToolpactError('invalid_schema', `the pattern ${JSON.stringify(cutText(pattern, 80))} ${why}`);
}
