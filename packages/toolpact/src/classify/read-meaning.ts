import { once, remember } from '../json/index.ts';
import { authorVocabulary } from './author-vocabulary.ts';
import { readDocumentedCode } from './codes/documented-codes.ts';
import type { Reading } from './reading.ts';
import { stemOf, wordsOf } from './stems.ts';
import { vocabulary } from './vocabulary.ts';

/** Reads an error code, class name or type: few words, each of them meant. */
export const readIdentifier = once((identifier): readonly Reading[] => {
  const documented = readDocumentedCode(identifier);
  return documented.length > 0 ? documented : readWords(identifier, true);
});

/** Reads a sentence. A phrase counts for more than a lone word. */
export function readSentence(sentence: string): readonly Reading[] {
  return readPhrases(/\d/.test(sentence) ? sentence.replace(numbers, '0') : sentence);
}

const readPhrases = once((sentence): readonly Reading[] => readWords(sentence.replace(settingName, '$& setting'), false));

// The name of an environment variable: `GITHUB_TOKEN is required`.
const settingName =
  /\b[A-Z][A-Z\d]*_(?:[A-Z\d]+_)*(?:ACCOUNT|BUCKET|CONFIG|CREDENTIALS|DIR|DOMAIN|DSN|EMAIL|ENDPOINT|HOST|ID|KEY|NAME|ORG|PASSWORD|PATH|PORT|PROJECT|REGION|SECRET|TOKEN|URI|URL|USER)\b/g;

/** Checks whether a sentence names an environment variable. */
export function namesSetting(sentence: string): boolean {
  return sentence.search(settingName) >= 0;
}

/** Reads the codes that a sentence quotes. */
export function readQuotedCodes(sentence: string): readonly Reading[] {
  return (sentence.match(quotedCode) ?? []).flatMap(readIdentifier);
}

// Repeated failures mostly have the same words and other numbers; only two numbers mean something.
const numbers = /\b(?!200)\d+\b/g;

// `5 NOT_FOUND: …`, `[not_found] …`, `WRONGPASS invalid …`, `… PERMISSION_DENIED …`; words in capitals elsewhere may be SQL or shouting.
const quotedCode = /^\[[a-z_]+\]|\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b[A-Z]{4,}(?=:)|^[A-Z]{3,}(?=\s)/g;

/** A word as the vocabulary knows it, and the phrases it begins. */
interface Term {
  readonly endsClause: boolean;
  /** Phrases whose second word, if there is one, can be anything. */
  readonly phrases: Phrase[];
  /** Phrases by the word that comes second: some words, `not` above all, begin hundreds. */
  readonly followed: Map<Term, Phrase[]>;
}

interface Phrase {
  /** Choices per word; none of them stands for up to two words of anything. */
  readonly words: readonly (readonly Term[])[];
  readonly whole: boolean;
  /** The meaning in a sentence, and as an identifier. */
  readonly readings: readonly [Reading, Reading];
}

const terms = new Map<string, Term>();
const filler = createTerm();
const unknown = createTerm();

function createTerm(endsClause = false): Term {
  return { endsClause, phrases: [], followed: new Map() };
}

function readWords(text: string, isIdentifier: boolean): Reading[] {
  if (terms.size === 0) compile();
  const words: Term[] = [];
  for (const word of wordsOf(text)) {
    const term = knownTerm(word);
    if (term !== filler) words.push(term);
  }
  const readings: Reading[] = [];
  for (let at = 0; at < words.length; at++) {
    const { phrases, followed } = words[at] as Term;
    collect(readings, phrases, words, at, 1, isIdentifier);
    const going = followed.size > 0 ? followed.get(words[at + 1] as Term) : undefined;
    if (going !== undefined) collect(readings, going, words, at, 2, isIdentifier);
  }
  return readings;
}

const knownTerm = once((word): Term => {
  const stem = stemOf(word);
  return stem === '' ? filler : (terms.get(stem) ?? unknown);
});

/** Adds what the phrases mean whose words follow, the first `from` being there already. */
function collect(
  readings: Reading[],
  phrases: readonly Phrase[],
  words: readonly Term[],
  at: number,
  from: number,
  isIdentifier: boolean,
): void {
  for (const phrase of phrases) {
    const reading = phrase.readings[isIdentifier ? 1 : 0];
    const counts = reading.weight > 0 && (!phrase.whole || (isIdentifier && words.length === 1));
    if (counts && follows(phrase.words, from, words, at + from)) readings.push(reading);
  }
}

function follows(pattern: Phrase['words'], from: number, words: readonly Term[], at: number): boolean {
  for (let index = from; index < pattern.length; index++, at++) {
    const choices = pattern[index] as readonly Term[];
    if (choices.length === 0) {
      const after = pattern[index + 1] as readonly Term[];
      // Up to two words, but not past the end of a clause.
      for (let end = at; end < at + 3 && !(end > at && words[end - 1]?.endsClause); end++)
        if (after.includes(words[end] as Term) && follows(pattern, index + 2, words, end + 1)) return true;
      return false;
    }
    if (!choices.includes(words[at] as Term)) return false;
  }
  return true;
}

function compile(): void {
  // Words about one thing before a "not" do not apply to the next one.
  for (const mark of [...'.:;!?', 'not']) terms.set(mark, createTerm(true));
  for (const [meanings, isAuthors] of [[vocabulary], [authorVocabulary, true]] as const)
    for (const { verdict, identifier, phrase, word, phrases } of meanings)
      for (const words of linesOf(phrases))
        add(words, [
          { verdict, weight: words.length > 1 ? phrase : word, isAuthors },
          { verdict, weight: identifier },
        ]);
}

function linesOf(phrases: string): string[][] {
  return phrases
    .trim()
    .split(/\s*\n\s*/)
    .map((line) => line.split(' '));
}

function add(line: readonly string[], readings: Phrase['readings']): void {
  const words = line.map((choices) => wordsOf(choices).map(termOf));
  const phrase: Phrase = { words, whole: line[0]?.startsWith('=') === true, readings };
  const [firsts = [], seconds = []] = words;
  for (const { phrases, followed } of firsts) {
    if (seconds.length === 0) phrases.push(phrase);
    for (const second of seconds) followed.set(second, [...(followed.get(second) ?? []), phrase]);
  }
}

function termOf(word: string): Term {
  const stem = stemOf(word);
  return terms.get(stem) ?? remember(terms, stem, createTerm());
}
