import { cleanText } from '../json/index.ts';
import { type FailureKind, type Redactor, wholeWords } from '../outcome/index.ts';

/**
 * How much a caller reads of an error that its author did not write with `fail`: its text as it was written, up to 4,000 characters, without
 * secrets and stack (`redacted`), nothing (`authored`), all of it, in which only secrets are hidden (`full`), or all of it with the secrets
 * that may be in it, in the text of `fail` too (`verbatim`).
 */
export type Expose = (typeof exposeModes)[number];

/** All values of `expose`. */
export const exposeModes = ['redacted', 'authored', 'full', 'verbatim'] as const;

/** Returns an error's own words as they may be shown; characters that no text can hold are replaced. Empty where it has none. */
export function shownWords(text: string | undefined, redactor: Redactor, expose: Expose): string {
  if (text === undefined || expose === 'authored') return '';
  if (expose === 'verbatim') return cleanText(text);
  return expose === 'full' ? redactor.text(text, true) : cleanWords(text, redactor);
}

/** Says what happened where the error has no words of its own, or none that may be shown. `subject` is what failed, where it is no tool. */
export function plainSentence(kind: FailureKind, subject?: string): string {
  if (subject === undefined && sentences[kind] !== undefined) return sentences[kind];
  const what = kind === 'upstream' ? '' : `: ${kind.replaceAll('_', ' ')}`;
  return `${subject ?? 'The tool'} failed${what}.`;
}

/** So much of an error's text is shown at most. */
export const longestText = 65_536;

const sentences: Partial<Record<FailureKind, string>> = {
  not_found: 'The item was not found.',
  upstream: 'The service failed.',
  failed: 'The tool failed.',
  internal: 'The tool failed unexpectedly.',
};

/** Hides secrets and takes out what is no text of an author: a stack, a web page, terminal colours. A cut is marked. */
function cleanWords(raw: string, redactor: Redactor): string {
  const head = wholeWords(raw, 2 * longestWords);
  const words = plainWords.test(head) ? head : withoutPage(head.replace(controls, '')).replace(frames, '');
  const clean = redactor.text(words, true).trim();
  if (clean === '') return '';
  return clean.length > longestWords || raw.length > head.length ? `${clean.slice(0, longestWords).trimEnd()}… [cut]` : clean;
}

const longestWords = 4_000;

// Most messages need no cleaning but for secrets.
const plainWords = /^[^\p{Cc}<]*$/u;

// Terminal colours and other control characters, but for tabs and line ends.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const controls = /\x1b\[[\d;]*[A-Za-z]|\r(?=\n)|[^\P{Cc}\n\t]/gu;

/** Lines of a stack, as V8 and as Firefox and Safari write them. */
const frames = /\n(?:[ \t]+at (?:\S.{0,500}[(:]\S{0,500}(?::\d+|native code|<anonymous>)\)?)|[^\s@]{0,200}@\S{1,500}:\d+:\d+)(?=\n|$)/g;

/** Leaves the words before a web page: a page tells a model nothing, and neither does what leads to it, such as a status alone. */
function withoutPage(text: string): string {
  const start = text.search(/<(?:!doctype html|html)\b[^>]{0,500}>|^\s*<(?:head|body|title)\b/i);
  if (start < 0) return text;
  const words = text.slice(0, start).replace(/[ \t]?[,:;(]?\s{0,9}["'\x60]?$/, '');
  return /\p{L}/u.test(words) ? words : '';
}
