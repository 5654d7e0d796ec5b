import { stems } from './stems.ts';
import { type Verdict, vocabulary } from './vocabulary.ts';

/** A possible reading of what went wrong, and how much it weighs. */
export interface Reading {
  readonly verdict: Verdict;
  readonly weight: number;
}

/** Reads an error code, class name or type: few words, each of them meant. */
export function readIdentifier(identifier: string): readonly Reading[] {
  let readings = remembered.get(identifier);
  if (readings === undefined) {
    readings = readWords(stems(identifier), true);
    // Names repeat from failure to failure; ids that pose as names must not fill the memory.
    if (remembered.size > 500) remembered.clear();
    remembered.set(identifier, readings);
  }
  return readings;
}

/** Reads a sentence. A phrase counts for more than a lone word, and a code quoted in the sentence counts as a code. */
export function readSentence(sentence: string): readonly Reading[] {
  const readings = readWords(stems(sentence), false);
  for (const quoted of sentence.match(quotedCode) ?? []) readings.push(...readIdentifier(quoted));
  return readings;
}

// `5 NOT_FOUND: …`, `WRONGPASS invalid …`, `… PERMISSION_DENIED …`; words in capitals elsewhere may be SQL or shouting.
const quotedCode = /\b[A-Z][A-Z\d]*_[A-Z\d_]+\b|\b[A-Z]{4,}(?=:)|^[A-Z]{3,}(?=\s)/g;

const remembered = new Map<string, readonly Reading[]>();

interface Phrase {
  /** Choices per word; `*` stands for up to two words of anything. */
  readonly words: readonly (readonly string[])[];
  readonly whole: boolean;
  readonly asIdentifier: Reading;
  readonly inSentence: Reading;
}

let phrasesByFirstWord: Map<string, Phrase[]> | undefined;

function readWords(words: readonly string[], isIdentifier: boolean): Reading[] {
  phrasesByFirstWord ??= compile();
  const readings: Reading[] = [];
  for (let at = 0; at < words.length; at++) {
    for (const phrase of phrasesByFirstWord.get(words[at] as string) ?? []) {
      const reading = isIdentifier ? phrase.asIdentifier : phrase.inSentence;
      if (reading.weight > 0 && (!phrase.whole || (isIdentifier && words.length === 1)) && follows(phrase.words, 1, words, at + 1)) {
        readings.push(reading);
      }
    }
  }
  return readings;
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
  for (const [verdict, identifier, phraseWeight, wordWeight, phrases] of vocabulary) {
    for (const text of phrases.split(', ')) {
      const words = text.split(' ').map((part) => (part === '*' ? [part] : stems(part)));
      const phrase: Phrase = {
        words,
        whole: text.startsWith('='),
        asIdentifier: { verdict, weight: identifier },
        inSentence: { verdict, weight: words.length > 1 ? phraseWeight : wordWeight },
      };
      for (const first of words[0] ?? []) index.set(first, [...(index.get(first) ?? []), phrase]);
    }
  }
  return index;
}
