import { RE2JS } from 're2js';
import { cutText } from '../../core/json/index.ts';
import { ToolpactError } from '../../core/outcome/index.ts';
import { isDeterministic, isSmallTogether, type PatternAutomaton, readAutomaton } from './pattern-automaton.ts';
import { countStates, type PatternToken, readTokens } from './read-tokens.ts';
import { spendWork } from './spend-work.ts';
import { toLinearSyntax } from './to-linear-syntax.ts';

/** A compiled pattern. */
export interface Pattern {
  readonly test: (text: string) => boolean;
  /** Gives the pattern itself: the validator keeps compiled patterns by this name. */
  readonly toString: () => string;
}

const maxStates = 5_000;
const maxKept = 2_000;
/** Steps of the linear engine that cost as much as one step of a validation, where its states fit into a small table. */
const stepsInTable = 8;
const kept = new Map<string, Pattern>();

/** Twice the same three characters would be ambiguous; this one is not, and guards the largest texts there are. */
const knownLinear: ReadonlySet<string> = new Set(['^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$']);

/**
 * Compiles the pattern of a schema so that it takes time in proportion to the text: by the engine of the platform where there is only one
 * way through the pattern, otherwise by RE2. Throws for a pattern that is not a regular expression, is too large, or needs backtracking.
 */
export function compilePattern(pattern: string): Pattern {
  const known = kept.get(pattern);
  if (known !== undefined) return known;
  const native = toRegExp(pattern);
  const tokens = readTokens(pattern);
  const automaton = readAutomaton(tokens, native.flags);
  const compiled = isPlainlyLinear(pattern, tokens, automaton)
    ? byPlatform(pattern, native)
    : byLinearEngine(pattern, tokens, native, automaton);
  if (kept.size >= maxKept) kept.clear();
  kept.set(pattern, compiled);
  return compiled;
}

/** Only from the beginning of a text: a search that begins at every place takes the square of its length. */
function isPlainlyLinear(pattern: string, tokens: readonly PatternToken[], automaton: PatternAutomaton | undefined): boolean {
  if (knownLinear.has(pattern)) return true;
  return automaton !== undefined && isAnchored(tokens) && isDeterministic(automaton);
}

function isAnchored(tokens: readonly PatternToken[]): boolean {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth += 1;
    if (kind === 'close') depth -= 1;
    if (kind === 'or' && depth === 0) return false;
  }
  return tokens[0]?.text === '^' && tokens[1]?.kind !== 'quantifier';
}

function byPlatform(pattern: string, native: RegExp): Pattern {
  return {
    toString: () => pattern,
    test(text) {
      spendWork(1 + (text.length >>> 3));
      return native.test(text);
    },
  };
}

function byLinearEngine(
  pattern: string,
  tokens: readonly PatternToken[],
  native: RegExp,
  automaton: PatternAutomaton | undefined,
): Pattern {
  const states = countStates(tokens);
  if (!(states <= maxStates)) throw refusal(pattern, 'is too large');
  const isTame = automaton !== undefined && isSmallTogether(automaton, 200);
  const parts = splitLookaheads(tokens).map(({ tokens: own, isNegated }) => ({
    isNegated,
    engine: toEngine(pattern, toLinearSyntax(own, native.unicode)),
  }));
  const size = parts.reduce((sum, { engine }) => sum + engine.programSize(), 0);
  return {
    toString: () => pattern,
    test(text) {
      spendWork(12 + (isTame ? Math.ceil(text.length / stepsInTable) : size * text.length));
      return parts.every(({ engine, isNegated }) => engine.test(text) !== isNegated);
    },
  };
}

function toEngine(pattern: string, written: string): RE2JS {
  try {
    return RE2JS.compile(written);
  } catch {
    throw refusal(pattern, 'cannot be checked in bounded time: write it without looking around, referring back or counting high');
  }
}

/** What a pattern looks ahead for at its very beginning is a pattern of its own, as in `^(?=.*\d)(?!.*\s).{8,}$`. */
function splitLookaheads(tokens: readonly PatternToken[]): { tokens: readonly PatternToken[]; isNegated: boolean }[] {
  if (!isAnchored(tokens)) return [{ tokens, isNegated: false }];
  const [anchor, ...rest] = tokens as readonly [PatternToken, ...PatternToken[]];
  const parts: { tokens: readonly PatternToken[]; isNegated: boolean }[] = [];
  let body: readonly PatternToken[] = rest;
  while (/^\(\?[=!]$/.test(body[0]?.text ?? '')) {
    const end = closingOf(body);
    if (body[end + 1]?.kind === 'quantifier') break;
    const inner = body.slice(1, end);
    const group = [anchor, { kind: 'open', text: '(?:' }, ...inner, { kind: 'close', text: ')' }] as const;
    parts.push({ tokens: group, isNegated: body[0]?.text === '(?!' });
    body = body.slice(end + 1);
  }
  return [...parts, { tokens: [anchor, ...body], isNegated: false }];
}

function closingOf(tokens: readonly PatternToken[]): number {
  let depth = 0;
  return tokens.findIndex(({ kind }) => {
    depth += kind === 'open' ? 1 : kind === 'close' ? -1 : 0;
    return depth === 0;
  });
}

function refusal(pattern: string, why: string): TypeError {
  return new ToolpactError('invalid_schema', `the pattern ${JSON.stringify(cutText(pattern, 80))} ${why}`);
}

function toRegExp(pattern: string): RegExp {
  if (pattern.length > maxStates) throw refusal(pattern, 'is too large');
  try {
    return new RegExp(pattern, 'u');
  } catch (thrown) {
    try {
      // Patterns from other languages escape more than Unicode mode allows.
      return new RegExp(pattern);
    } catch {
      throw thrown;
    }
  }
}
