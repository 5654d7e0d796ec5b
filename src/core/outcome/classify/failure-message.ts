import type { FailureKind } from '../catalogue.ts';
import type { Redactor } from '../redact.ts';

/**
 * Gives an error's own words as they may be shown: one clean line, or in full, where only secrets are hidden and characters that no text
 * can hold are replaced. Empty where it has none.
 */
export function shownWords(text: string | undefined, redactor: Redactor, isFull = false): string {
  if (text === undefined) return '';
  return isFull ? redactor.text(text, true) : tellingLine(text, redactor);
}

/** Says what happened where the error has no words of its own, or none that may be shown. */
export function plainSentence(kind: FailureKind): string {
  return sentences[kind] ?? `The tool failed: ${kind.replaceAll('_', ' ')}.`;
}

/** So much of an error's text is shown at most. */
export const longestText = 65_536;

const sentences: Partial<Record<FailureKind, string>> = {
  not_found: 'The item was not found.',
  upstream: 'The service failed.',
  failed: 'The tool failed.',
  internal: 'The tool failed unexpectedly.',
};

/** Makes the first line of a foreign text fit to be read by a model, or gives nothing where it is a page: no markup, no path, no query, no secret, at most 300 characters. */
function tellingLine(raw: string, redactor: Redactor): string {
  const cut = raw.slice(0, 2000);
  if (plainLine.test(cut)) return redactor.text(cut);
  if (/<(!doctype|html|head|body|title)\b/i.test(cut)) return '';
  const [line = ''] = /\S[^\r\n]*/.exec(cut.replace(controls, '')) ?? [];
  // Secrets first: what looks like a path may be the quotes around one.
  const safe = redactor.text(line);
  const clean = (/[\\/?]/.test(safe) ? withoutPaths(safe) : safe).trim();
  return clean.length > 300 ? `${clean.slice(0, 299)}…` : clean;
}

// Most messages need no cleaning but for secrets.
const plainLine = /^(?!\s)[^\p{Cc}<\\/?]{1,299}$/u;

// Terminal colours and other control characters; line ends stay for the first line to be found.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const controls = /\x1b\[[\d;]*[A-Za-z]|[^\P{Cc}\n\r]/gu;

const path =
  /(["'`])(?:file:\/\/|~?\/|[A-Za-z]:[\\/]|\\\\)[^"'`\n]*\1|file:\/\/[^\s"'`)]+|(?<![\w:/.])~?(?:\/[\w.@+-]+){2,}\/?|(?<!\w)[A-Za-z]:[\\/][^\s"'`<>|?*]+|\\\\[^\s"'`]+/g;

/** Leaves the last name of every path and nothing of a query. */
function withoutPaths(text: string): string {
  return text
    .replace(path, (found, quote = '') => `${quote}${/([^\\/"'`]*)[\\/"'`]*$/.exec(found)?.[1] || '[path]'}${quote}`)
    .replace(/\?[\w.-]+=[^\s"'`)]*/g, '');
}
