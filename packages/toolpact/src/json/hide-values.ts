import { isObject } from './unknown-value.ts';

/** Takes values out of a text that repeats them: where the text quotes one, else wherever it stands. Of objects and lists, every value in them. */
export function hideValues(text: string, values: readonly unknown[]): string {
  const words = new Set<string>();
  for (const value of values) collectWords(value, words, 0);
  return [...words].reduce(hideWord, text);
}

/** So many values are looked for at most. */
const mostWords = 200;

function collectWords(value: unknown, words: Set<string>, depth: number): void {
  if (words.size >= mostWords) return;
  if (typeof value === 'string' || typeof value === 'number') words.add(String(value));
  else if (isObject(value) && depth < 5) for (const part of Object.values(value).slice(0, 50)) collectWords(part, words, depth + 1);
}

function hideWord(text: string, word: string): string {
  if (word === '') return text;
  const quote = quotes.find((mark) => text.includes(`${mark}${word}${mark}`));
  if (quote !== undefined) return text.replaceAll(`${quote}${word}${quote}`, () => `${quote}…${quote}`);
  // A number may be a secret too, such as that of a card. A short one is mostly a bound, and a short word is part of others.
  return word.length > 3 ? withoutStart(text.replaceAll(word, '…'), word) : text;
}

/** Takes out a long word of which the end was cut off together with that of the text. */
function withoutStart(text: string, word: string): string {
  const start = word.length > 64 ? text.indexOf(word.slice(0, 64)) : -1;
  return start >= 0 && word.startsWith(text.slice(start)) ? `${text.slice(0, start)}…` : text;
}

const quotes = ['"', "'", '`'];
