import { stopWords } from './stop-words.ts';

// Scripts without spaces between words: Chinese, Japanese, and the marks that belong to their words.
const unspacedSet = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆ヶ';
const unspaced = new RegExp(`[${unspacedSet}]`, 'u');
const runs = new RegExp(`[${unspacedSet}]+|(?:(?![${unspacedSet}])[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gu');
const han = /^\p{Script=Han}$/u;
const kana = /^[\p{Script=Hiragana}ー]+$/u;
const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/**
 * Returns the terms under which a text is found. Words with spaces between them are terms as they are; where there are none, every two
 * neighbouring characters are one, so that it does not matter where a dictionary would cut, and every Chinese character alone is one too.
 */
export function toTerms(text: string): string[] {
  return runsOf(text).flatMap((run) => {
    if (!unspaced.test(run)) return [run];
    const characters = [...run];
    return [...pairsOf(characters), ...characters.filter((character) => characters.length === 1 || han.test(character))];
  });
}

/**
 * Writes the full-text query for a question: any of its words will do. A word of several characters without spaces has to be there as a
 * whole, and words that only ask (“what is”, 「とは何ですか」, “什么是”) do not count. Undefined when there is nothing to look for.
 */
export function toMatchQuery(question: string): string | undefined {
  const words = runsOf(question).flatMap((run) => (unspaced.test(run) ? cut(run) : [run]));
  const telling = words.filter((word) => !stopWords.has(word) && !(word.length === 1 && kana.test(word)));
  const alternatives = (telling.length > 0 ? telling : words).map((word) => {
    const terms = unspaced.test(word) && [...word].length > 1 ? pairsOf([...word]) : [word];
    return terms.length === 1 ? quote(terms[0] ?? '') : `(${terms.map(quote).join(' AND ')})`;
  });
  return alternatives.length === 0 ? undefined : [...new Set(alternatives)].slice(0, 64).join(' OR ');
}

/** One spelling for what is the same: width and case do not count, nor do accents on letters (but those that make が of か do). */
function runsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC');
  return plain.match(runs) ?? [];
}

/** Cuts a run into words. Single Chinese characters in a row are a word that the dictionary does not know, most often a name. */
function cut(run: string): string[] {
  const words: string[] = [];
  let unknown = '';
  for (const { segment } of segmenter.segment(run)) {
    const single = [...segment].length === 1 && !kana.test(segment) && !stopWords.has(segment);
    if (single) {
      unknown += segment;
      continue;
    }
    if (unknown !== '') words.push(unknown);
    unknown = '';
    words.push(segment);
  }
  return unknown === '' ? words : [...words, unknown];
}

function pairsOf(characters: readonly string[]): string[] {
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

function quote(term: string): string {
  return `"${term.replaceAll('"', '""')}"`;
}
