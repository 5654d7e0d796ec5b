import { toNameKey } from '../../json/index.ts';
import { type ActionFit, actionsOf, isNameVerb } from './actions.ts';
import { type QueryTerm, readQuery } from './read-query.ts';
import { type IndexedTool, readToolWords, type ToolPart, type ToolWords } from './tool-words.ts';
import { formsOf } from './word-forms.ts';

/** A tool that matches a query: its place in the index, and how well it matches. */
export interface ToolMatch {
  readonly at: number;
  readonly score: number;
}

/** Finds tools by what is said of them. */
export interface ToolIndex {
  /** Returns the best matches first. */
  readonly search: (query: string, limit: number) => readonly ToolMatch[];
}

/** How much a word in each part of a tool weighs, and how far the length of the part is held against it, from 0 to 1. */
const parts: Readonly<Record<ToolPart, { readonly weight: number; readonly length: number }>> = {
  name: { weight: 2.5, length: 0.5 },
  summary: { weight: 2, length: 0.4 },
  description: { weight: 0.5, length: 0.6 },
  parameters: { weight: 0.7, length: 0.7 },
  details: { weight: 0.3, length: 0.8 },
};
const partNames = Object.keys(parts) as readonly ToolPart[];

/** How much the other signs count. Each stands on a plateau: a fifth more or less of any changes little in proofs/tool-search. */
const weights = {
  /** A second mention adds less than the first. */
  saturation: 1.2,
  /** All words of the name were asked for. */
  wholeName: 1.8,
  /** It does what was asked, it does something else, and nobody knows what it does. */
  fittingAction: 1,
  otherAction: 0.4,
  unknownAction: 1.2,
  /** It is described like a tool that is found already. */
  twin: 0.6,
} as const;

/** How much a word counts in one tool that has it. */
interface Posting {
  readonly at: number;
  count: number;
}

/**
 * Indexes tools for search. What a query is about is looked for with BM25 over names, descriptions, parameters and examples, each part with a
 * weight of its own, and by other words for it; what it asks to do is compared with what each tool does.
 */
export function createToolIndex(tools: readonly IndexedTool[]): ToolIndex {
  const words = tools.map(readToolWords);
  const postings = createPostings(words);
  const rarityOf = (word: string): number => {
    const count = postings.get(word)?.length ?? 0;
    return Math.log(1 + (tools.length - count + 0.5) / (count + 0.5));
  };
  const facts = tools.map(({ name, effects }, at) => {
    const { name: named, summary } = words[at] as ToolWords;
    const own = new Set(named);
    return {
      key: toNameKey(name),
      words: own,
      actions: actionsOf(named, summary, effects),
      rarity: [...own].reduce((sum, word) => sum + (isNameVerb(word) ? 0 : rarityOf(word)), 0) || 1,
    };
  });
  const twins = firstsOf(tools.map(({ description }, at) => (description === '' ? at : description)));

  function search(query: string, limit: number): readonly ToolMatch[] {
    const { terms, action } = readQuery(query);
    const score = new Float64Array(tools.length);
    const inName = new Float64Array(tools.length);
    for (const [term, forms] of expand(terms)) addTerm(term, forms, score, inName);
    const key = toNameKey(query.slice(0, 200));
    const matches: { at: number; score: number }[] = [];
    for (const [at, tool] of facts.entries()) {
      const sum = score[at] as number;
      if (tool.key === key && key !== '') matches.push({ at, score: Number.MAX_VALUE });
      if (sum === 0 || tool.key === key) continue;
      const named = 1 + weights.wholeName * Math.min(1, (inName[at] as number) / tool.rarity);
      matches.push({ at, score: sum * named * fitOf(tool.actions, action) });
    }
    return demoteTwins(matches.sort(byScore).slice(0, limit * 3)).slice(0, limit);
  }

  /** Returns the words of the index that each term may mean. One that several lead to counts for the nearest, so that nothing is counted twice. */
  function expand(terms: readonly QueryTerm[]): ReadonlyMap<QueryTerm, ReadonlyMap<string, number>> {
    const nearest = new Map<string, { readonly term: QueryTerm; readonly closeness: number }>();
    for (const term of terms)
      for (const word of term.words)
        for (const [form, closeness] of formsOf(word, postings))
          if (closeness > (nearest.get(form)?.closeness ?? 0)) nearest.set(form, { term, closeness });
    const forms = new Map(terms.map((term) => [term, new Map<string, number>()]));
    for (const [form, { term, closeness }] of nearest) forms.get(term)?.set(form, closeness);
    return forms;
  }

  /** Adds what one term of a query says for each tool. */
  function addTerm(
    { words: asked, weight }: QueryTerm,
    forms: ReadonlyMap<string, number>,
    score: Float64Array,
    inName: Float64Array,
  ): void {
    const of = new Map<number, { score: number; name: number }>();
    // A rare word of the same group must not say more than the word that was asked for.
    const known = asked.filter((word) => postings.has(word)).map(rarityOf);
    const mostRare = known.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...known);
    for (const [form, closeness] of forms) {
      const own = rarityOf(form);
      const rarity = Math.min(own, mostRare) * closeness * weight;
      for (const { at, count } of postings.get(form) ?? []) {
        const here = of.get(at) ?? { score: 0, name: 0 };
        here.score = Math.max(here.score, (rarity * count * (weights.saturation + 1)) / (count + weights.saturation));
        if (facts[at]?.words.has(form) === true) here.name = Math.max(here.name, own * closeness);
        of.set(at, here);
      }
    }
    for (const [at, here] of of) {
      score[at] = (score[at] as number) + here.score;
      inName[at] = (inName[at] as number) + here.name;
    }
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

/** How well what a tool does fits what was asked. */
function fitOf(actions: ReturnType<typeof actionsOf>, asked: ActionFit | undefined): number {
  if (asked === undefined) return 1;
  if (actions.size === 0) return weights.unknownAction;
  const fit = Math.max(...[...actions].map((action) => asked[action] ?? 0));
  return weights.otherAction + fit * weights.fittingAction;
}

function byScore(a: ToolMatch, b: ToolMatch): number {
  return b.score - a.score || a.at - b.at;
}

function createPostings(words: readonly ToolWords[]): ReadonlyMap<string, readonly Posting[]> {
  const averageOf = (part: ToolPart): number => words.reduce((sum, tool) => sum + tool[part].length, 0) / words.length || 1;
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
