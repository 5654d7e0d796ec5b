import { type ActionFit, isAskedVerb, isCommonVerb, readAction } from './actions.ts';
import { phrases } from './phrases.ts';
import { stemOf, wordsOf } from './words-of.ts';

/** A word of a query, or what a phrase in it means. */
export interface QueryTerm {
  /** Stems, of which a tool needs one. */
  readonly words: readonly string[];
  /** How much it says. */
  readonly weight: number;
}

/** A query as the index answers it. */
export interface ToolQuery {
  /** Its subjects, each once. */
  readonly terms: readonly QueryTerm[];
  /** The requested action; undefined if it names none. */
  readonly action: ActionFit | undefined;
}

const longestQuery = 1_000;
/** Later clauses are not read. */
const mostWords = 100;
const mostTerms = 32;
/** How many words may stand between those of a phrase of two: "kick our old friend Peter out". */
const widestGap = 6;
/**
 * The weight of words beside the nouns of a query. Words after the first preposition or in a later clause are about the circumstances:
 * "save a card for the customer who called".
 */
const weights = { verb: 1.2, commonVerb: 0.5, short: 0.3, circumstance: 0.5 } as const;

/** Reads a query. Words that say little are left out, unless there are no others. */
export function readQuery(query: string): ToolQuery {
  const starts: number[] = [];
  const words: string[] = [];
  for (const clause of query.slice(0, longestQuery).split(clauseEnds)) {
    starts.push(words.length);
    words.push(...wordsOf(clause).slice(0, mostWords - words.length));
  }
  const meanings = findPhrases(words);
  const terms = findTerms(words, meanings);
  const action = readAction(words, meanings, starts);
  const seen = new Set<string>();
  const telling = terms.filter(({ words: [word = ''] }) => !emptyWords.has(word) && seen.size < seen.add(word).size);
  return { terms: (telling.length > 0 ? telling : terms).slice(0, mostTerms), action };
}

/** Orders and questions begin a clause: "she has a new number, change it". */
const clauseEnds = /[,;:.!?]\s+|\s(?:so|and|but|then)\s/;

/** Small numbers and single letters. */
const short = /^(?:\d{1,2}|[a-z])$/;

function findTerms(words: readonly string[], meanings: ReadonlyMap<number, readonly string[]>): QueryTerm[] {
  let place = 1;
  const terms: QueryTerm[] = [];
  for (const [at, word] of words.entries()) {
    const meaning = meanings.get(at);
    if (at > 1 && meaning === undefined && circumstances.has(word)) place = weights.circumstance;
    if (meaning === undefined) terms.push({ words: [word], weight: place * weightOf(word) });
    else if (meaning.length > 0) terms.push({ words: meaning, weight: place });
  }
  return terms;
}

function weightOf(word: string): number {
  if (short.test(word)) return weights.short;
  if (isCommonVerb(word)) return weights.commonVerb;
  return isAskedVerb(word) ? weights.verb : 1;
}

const stemsOf = (words: string): string[] => (words === '' ? [] : words.split(' ').map(stemOf));
const stemmedPhrases = phrases.map(([said, meaning]) => [stemsOf(said), stemsOf(meaning)] as const);

/** Finds phrases: gives what each means at the place of its first word, and nothing at those of the others. */
function findPhrases(words: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const meanings = new Map<number, readonly string[]>();
  for (const [said, meaning] of stemmedPhrases) {
    const places = findPhrase(words, said, meanings);
    for (const [nth, place] of (places ?? []).entries()) meanings.set(place, nth === 0 ? meaning : []);
  }
  return meanings;
}

function findPhrase(words: readonly string[], said: readonly string[], taken: ReadonlyMap<number, unknown>): number[] | undefined {
  const [first = '', ...others] = said;
  const gap = said.length === 2 ? widestGap : 0;
  for (let start = words.indexOf(first); start !== -1; start = words.indexOf(first, start + 1)) {
    const places = [start];
    for (const word of others) {
      const next = (places.at(-1) as number) + 1;
      const at = words.indexOf(word, next);
      if (at !== -1 && at - next <= gap) places.push(at);
    }
    if (places.length === said.length && !places.some((place) => taken.has(place))) return places;
  }
  return undefined;
}

const circumstances = new Set(
  stemsOf(
    'for to from in on at by with into inside under that which who where when because about so before after until while if since during',
  ),
);
const emptyWords = new Set(
  stemsOf(
    'a an the this that these those it its i me my we us our you your he his she her they them their let one ' +
      'to of for in on at by with from into about out off up over as so if and or not no yet just am is are was were be been do does did ' +
      'have has had can cannot could will would should may how much many more when where there what some any please want need able ' +
      'before after then than still already also too only really again two three four five six seven eight nine ten ' +
      'last next week month year today tonight tomorrow yesterday now morning evening night noon ' +
      'monday tuesday wednesday thursday friday saturday sunday ' +
      'somebody someone something anybody anyone myself',
  ),
);
