import { isRecord, toNameKey } from '../../json/index.ts';
import { isNear } from './is-near.ts';
import { isRemoving, readQuery } from './read-query.ts';
import { wordGroups } from './word-groups.ts';
import { stemOf, wordsOf } from './words-of.ts';

/** A tool as it is indexed. */
export interface IndexedTool {
  readonly name: string;
  readonly description: string;
  readonly effects: string;
  readonly inputSchema: object;
  readonly examples: readonly { readonly input: unknown }[];
}

/** A tool that matches a query: its place in the index, and how well it matches. */
export interface ToolMatch {
  readonly at: number;
  readonly score: number;
}

/** Finds tools by what is said of them. */
export interface ToolIndex {
  /** Gives the best matches first. */
  readonly search: (query: string, limit: number) => readonly ToolMatch[];
}

/** The parts of a tool: how much a word in it weighs, and how far its length is held against it, from 0 to 1. */
const parts = {
  name: { weight: 3, length: 0.5 },
  summary: { weight: 2, length: 0.4 },
  description: { weight: 0.8, length: 0.6 },
  parameters: { weight: 0.7, length: 0.7 },
  details: { weight: 0.3, length: 0.8 },
} as const;

/**
 * How much the other signs count. Tuned on the APIs that proofs/tool-search names for it; each stands on a plateau, so that a tenth more or less
 * of any changes little.
 */
const weights = {
  /** A word of the same group, for a word that some tool has, and for one that none has. */
  related: 0.7,
  relatedOfUnknown: 0.6,
  /** A word that begins alike, and one that is misspelt. */
  prefix: 0.6,
  nearWord: 0.7,
  /** A second mention adds less than the first. */
  saturation: 1.2,
  /** All words of the name were asked for. */
  wholeName: 1.2,
  /** It changes something, or changes nothing, as the query asks. */
  fitsIntent: 1.7,
  /** It removes something, and nobody asked for that. */
  removesUnasked: 0.6,
  /** It removes something as asked. */
  removesAsAsked: 1.2,
  /** It is described like a tool that is found already. */
  twin: 0.6,
} as const;

type Part = keyof typeof parts;
type PartWords = Readonly<Record<Part, readonly string[]>>;
const partNames = Object.keys(parts) as readonly Part[];

/** How much a word counts in one tool that has it. */
interface Posting {
  readonly at: number;
  count: number;
}

/** Indexes tools for search: BM25 over the words of names, descriptions, parameters and examples, each part with a weight of its own. */
export function createToolIndex(tools: readonly IndexedTool[]): ToolIndex {
  const words = tools.map(partsOf);
  const postings = createPostings(words);
  const vocabulary = [...postings.keys()];
  const rarityOf = (word: string): number => {
    const count = postings.get(word)?.length ?? 0;
    return Math.log(1 + (tools.length - count + 0.5) / (count + 0.5));
  };
  const names = words.map(({ name }) => new Set(name));
  const facts = tools.map(({ name, effects }, at) => {
    const own = [...(names[at] as Set<string>)];
    return {
      key: toNameKey(name),
      changes: effects !== 'none',
      removes: own.some(isRemoving),
      nameRarity: own.reduce((sum, word) => sum + rarityOf(word), 0) || 1,
    };
  });
  const twins = firstsOf(tools.map(({ description }, at) => (description === '' ? at : description)));

  function search(query: string, limit: number): readonly ToolMatch[] {
    const { words: asked, intent, removes } = readQuery(query);
    const score = new Float64Array(tools.length);
    const inName = new Float64Array(tools.length);
    let best = 0;
    for (const word of asked) best += addWord(word, score, inName);
    const key = toNameKey(query.slice(0, 200));
    const matches: { at: number; score: number }[] = [];
    for (const [at, tool] of facts.entries()) {
      const sum = score[at] as number;
      if (tool.key === key && key !== '') matches.push({ at, score: Number.MAX_VALUE });
      if (sum === 0 || tool.key === key) continue;
      const removal = !tool.removes ? 1 : removes ? weights.removesAsAsked : weights.removesUnasked;
      const fits = intent === undefined || (intent === 'change') === tool.changes;
      const named = Math.min(1, (inName[at] as number) / tool.nameRarity);
      matches.push({
        at,
        score: sum * (1 + Math.min(1, sum / best)) * (1 + weights.wholeName * named) * (fits ? weights.fitsIntent : 1) * removal,
      });
    }
    return demoteTwins(matches.sort(byScore).slice(0, limit * 3)).slice(0, limit);
  }

  /** Adds what one word of a query says for each tool; gives the most that it could say for one. */
  function addWord(word: string, score: Float64Array, inName: Float64Array): number {
    const of = new Map<number, { score: number; name: number }>();
    // A rare word of the same group must not say more than the word that was asked for.
    const mostRare = postings.has(word) ? rarityOf(word) : Number.POSITIVE_INFINITY;
    let best = 0;
    for (const [form, closeness] of formsOf(word, postings, vocabulary)) {
      const own = rarityOf(form);
      const rarity = Math.min(own, mostRare) * closeness;
      best = Math.max(best, rarity);
      for (const { at, count } of postings.get(form) ?? []) {
        const here = of.get(at) ?? { score: 0, name: 0 };
        here.score = Math.max(here.score, (rarity * count * (weights.saturation + 1)) / (count + weights.saturation));
        if (names[at]?.has(form) === true) here.name = Math.max(here.name, own * closeness);
        of.set(at, here);
      }
    }
    for (const [at, here] of of) {
      score[at] = (score[at] as number) + here.score;
      inName[at] = (inName[at] as number) + here.name;
    }
    return best;
  }

  function demoteTwins(matches: { at: number; score: number }[]): readonly ToolMatch[] {
    const shown = new Set<number>();
    for (const match of matches) {
      const twin = twins[match.at] as number;
      if (shown.has(twin)) match.score *= weights.twin;
      shown.add(twin);
    }
    return matches.sort(byScore);
  }

  return { search };
}

function byScore(a: ToolMatch, b: ToolMatch): number {
  return b.score - a.score || a.at - b.at;
}

function createPostings(words: readonly PartWords[]): ReadonlyMap<string, readonly Posting[]> {
  const averageOf = (part: Part): number => words.reduce((sum, tool) => sum + tool[part].length, 0) / words.length || 1;
  const averages = new Map(partNames.map((part) => [part, averageOf(part)]));
  const postings = new Map<string, Posting[]>();
  for (const [at, tool] of words.entries()) {
    for (const part of partNames) {
      const { weight, length } = parts[part];
      const each = weight / (1 - length + (length * tool[part].length) / (averages.get(part) as number));
      for (const word of tool[part]) {
        const of = postings.get(word);
        const last = of?.at(-1);
        if (of === undefined) postings.set(word, [{ at, count: each }]);
        else if (last?.at === at) last.count += each;
        else of.push({ at, count: each });
      }
    }
  }
  return postings;
}

/** Gives each value the place where it stands first. */
function firstsOf(values: readonly unknown[]): readonly number[] {
  const firsts = new Map<unknown, number>();
  return values.map((value, at) => {
    const first = firsts.get(value) ?? at;
    firsts.set(value, first);
    return first;
  });
}

/** Words that are not looked for further: what a long description says later is about something else. */
const longest = { summary: 200, description: 1_000, fieldDescription: 100, fields: 4_000, details: 6_000 } as const;
const mostFields = 60;
const mostValues = 20;

function partsOf({ name, description, inputSchema, examples }: IndexedTool): PartWords {
  const sentence = /^[\s\S]*?[.!?\n](?=\s|$)/.exec(description.slice(0, longest.summary))?.[0];
  const summary = sentence ?? description.slice(0, longest.summary);
  const fields: string[] = [];
  const details: string[] = [];
  readFields(inputSchema, 0, fields, details);
  for (const { input } of examples.slice(0, 3)) details.push((JSON.stringify(input) ?? '').slice(0, 300));
  return {
    name: wordsOf(name),
    summary: wordsOf(summary),
    description: wordsOf(description.slice(summary.length, longest.description)),
    parameters: wordsOf(fields.join(' ').slice(0, longest.fields)),
    details: wordsOf(details.join(' ').slice(0, longest.details)),
  };
}

/** Reads the names, values and descriptions of parameters, two levels deep. */
function readFields(schema: unknown, depth: number, fields: string[], details: string[]): void {
  if (!isRecord(schema)) return;
  const { properties, items, anyOf, oneOf, allOf } = schema;
  for (const [key, field] of isRecord(properties) ? Object.entries(properties) : []) {
    if (fields.length >= mostFields) return;
    fields.push(key.slice(0, longest.fieldDescription));
    if (!isRecord(field)) continue;
    const { description, enum: values } = field;
    if (typeof description === 'string') details.push(description.slice(0, longest.fieldDescription));
    if (Array.isArray(values)) details.push(...values.slice(0, mostValues).filter((value) => typeof value === 'string'));
    if (depth === 0) readFields(field, 1, fields, details);
  }
  readItems(items, depth, fields, details);
  for (const list of [anyOf, oneOf, allOf])
    if (Array.isArray(list)) for (const part of list.slice(0, 5)) readItems(part, depth, fields, details);
}

function readItems(schema: unknown, depth: number, fields: string[], details: string[]): void {
  // A list of lists of lists ends too.
  if (fields.length < mostFields && depth < 4) readFields(schema, depth + 1, fields, details);
}

const relatedWords = new Map<string, Set<string>>();
for (const group of wordGroups) {
  const words = group.split(' ').map(stemOf);
  for (const word of words) {
    const related = relatedWords.get(word) ?? new Set();
    relatedWords.set(word, related);
    for (const other of words) if (other !== word) related.add(other);
  }
}

/** Gives the words of the index that a word may mean, with their closeness: itself, its group, and where no tool has it, words that look like it. */
function formsOf(
  word: string,
  postings: ReadonlyMap<string, unknown>,
  vocabulary: readonly string[],
): readonly (readonly [string, number])[] {
  const isKnown = postings.has(word);
  const related = [...(relatedWords.get(word) ?? [])].filter((other) => postings.has(other));
  if (isKnown) return [[word, 1], ...related.map((other) => [other, weights.related] as const)];
  const forms: [string, number][] = related.map((other) => [other, weights.relatedOfUnknown]);
  if (word.length < shortestSimilar) return forms;
  for (const other of vocabulary) {
    if (other.startsWith(word) || (other.length >= shortestSimilar && word.startsWith(other))) forms.push([other, weights.prefix]);
    else if (isNear(word, other)) forms.push([other, weights.nearWord]);
  }
  return forms;
}

const shortestSimilar = 4;
