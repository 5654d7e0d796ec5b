import { stems } from './stems.ts';
import { type Verdict, vocabulary } from './vocabulary.ts';

/** A possible reading of what went wrong, and how much it weighs. */
export interface Reading {
  readonly verdict: Verdict;
  readonly weight: number;
}

/** Reads an error code, class name or type: few words, each of them meant. */
export function readIdentifier(identifier: string): readonly Reading[] {
  return identifiers.get(identifier) ?? remember(identifiers, identifier, readWords(stems(identifier), true));
}

/** Reads a sentence. A phrase counts for more than a lone word, and a code quoted in the sentence counts as a code. */
export function readSentence(sentence: string): readonly Reading[] {
  const known = sentences.get(sentence);
  if (known !== undefined) return known;
  const readings = readWords(stems(sentence), false);
  for (const quoted of sentence.match(quotedCode) ?? []) readings.push(...readIdentifier(quoted));
  return remember(sentences, sentence, readings);
}

// What fails once mostly fails again in the same words; ids inside them must not fill the memory.
const identifiers = new Map<string, readonly Reading[]>();
const sentences = new Map<string, readonly Reading[]>();

function remember(memory: Map<string, readonly Reading[]>, text: string, readings: readonly Reading[]): readonly Reading[] {
  if (memory.size >= 256) memory.clear();
  memory.set(text, readings);
  return readings;
}

// `5 NOT_FOUND: …`, `WRONGPASS invalid …`, `… PERMISSION_DENIED …`; words in capitals elsewhere may be SQL or shouting.
const quotedCode = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b[A-Z]{4,}(?=:)|^[A-Z]{3,}(?=\s)/g;

interface Phrase {
  /** Choices per word; `*` stands for up to two words of anything. */
  readonly words: readonly (readonly string[])[];
  readonly whole: boolean;
  readonly asIdentifier: Reading;
  readonly inSentence: Reading;
}

/** Phrases by their first word, and by the second where it is fixed: some words, `not` above all, begin hundreds. */
let phrasesByStart: Map<string, Phrase[]> | undefined;

function readWords(words: readonly string[], isIdentifier: boolean): Reading[] {
  phrasesByStart ??= compile();
  const readings: Reading[] = [];
  for (let at = 0; at < words.length; at++) {
    const first = words[at] as string;
    const begun = phrasesByStart.get(first);
    if (begun === undefined) continue;
    collect(begun, 1, at);
    const second = words[at + 1];
    const going = second === undefined ? undefined : phrasesByStart.get(`${first} ${second}`);
    if (going !== undefined) collect(going, 2, at);
  }
  return readings;

  function collect(phrases: readonly Phrase[], from: number, at: number): void {
    for (const phrase of phrases) {
      const reading = isIdentifier ? phrase.asIdentifier : phrase.inSentence;
      if (reading.weight > 0 && (!phrase.whole || (isIdentifier && words.length === 1)) && follows(phrase.words, from, words, at + from)) {
        readings.push(reading);
      }
    }
  }
}

function follows(pattern: Phrase['words'], from: number, words: readonly string[], at: number): boolean {
  for (let index = from; index < pattern.length; index++, at++) {
    const choices = pattern[index] as readonly string[];
    if (choices[0] === '*') {
      // Up to two words, but not past the end of a clause.
      for (let end = at; end < at + 3 && !(end > at && /\W/.test(words[end - 1] as string)); end++)
        if (follows(pattern, index + 1, words, end)) return true;
      return false;
    }
    if (!choices.includes(words[at] as string)) return false;
  }
  return true;
}

function compile(): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>();
  const add = (start: string, phrase: Phrase): void => void index.set(start, [...(index.get(start) ?? []), phrase]);
  for (const [verdict, identifier, phraseWeight, wordWeight, phrases] of vocabulary) {
    for (const text of phrases.split(', ')) {
      const words = text.split(' ').map((part) => (part === '*' ? [part] : stems(part)));
      const phrase: Phrase = {
        words,
        whole: text.startsWith('='),
        asIdentifier: { verdict, weight: identifier },
        inSentence: { verdict, weight: words.length > 1 ? phraseWeight : wordWeight },
      };
      const [firsts = [], seconds] = words;
      const fixed = seconds !== undefined && seconds[0] !== '*';
      for (const first of new Set(firsts)) {
        if (!fixed) add(first, phrase);
        else {
          if (!index.has(first)) index.set(first, []);
          for (const second of new Set(seconds)) add(`${first} ${second}`, phrase);
        }
      }
    }
  }
  return index;
}
