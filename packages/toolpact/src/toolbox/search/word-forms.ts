import { isNear } from './is-near.ts';
import { wordGroups } from './word-groups.ts';
import { stemOf } from './words-of.ts';

/**
 * How close a word of a tool is to one of a query, from 0 to 1: in a group with it, beginning with it ("watcher" for "watch"), ending with it
 * ("worklog" for "log"), or misspelt.
 */
const closeness = { related: 0.6, longer: 0.85, compound: 0.5, near: 0.7 } as const;

/** Shorter words look like too many others. */
const shortest = { beginning: 4, ending: 3, near: 4 } as const;
const mostLonger = 8;

const relatedWords = new Map<string, Set<string>>();
for (const group of wordGroups) {
  const words = group.split(' ').map(stemOf);
  for (const word of words) {
    const related = relatedWords.get(word) ?? new Set();
    relatedWords.set(word, related);
    for (const other of words) if (other !== word) related.add(other);
  }
}

/** Returns the words of a vocabulary that a word of a query may mean, with their closeness. */
export function formsOf(word: string, vocabulary: ReadonlyMap<string, unknown>): ReadonlyMap<string, number> {
  const isKnown = vocabulary.has(word);
  const related = relatedWords.get(word);
  const forms = new Map<string, number>(isKnown ? [[word, 1]] : []);
  const add = (form: string, close: number): void => {
    if (close > (forms.get(form) ?? 0)) forms.set(form, close);
  };
  for (const other of related ?? []) if (vocabulary.has(other)) add(other, closeness.related);
  // A word that stands in a group is an English one, and no slip.
  const mayBeSlip = !isKnown && related === undefined && word.length >= shortest.near;
  for (const other of vocabulary.keys()) {
    const longer = other.length - word.length;
    if (longer > mostLonger || longer < -mostLonger) continue;
    if (longer > 0 && word.length >= shortest.beginning && other.startsWith(word)) add(other, closeness.longer);
    else if (longer >= 3 && word.length >= shortest.ending && other.endsWith(word)) add(other, closeness.compound);
    else if (mayBeSlip && other[0] === word[0] && isNear(word, other)) add(other, closeness.near);
  }
  return forms;
}
