import { endOfText } from 'toolpact/internal';

/** The value of a JSON text. */
export interface ParsedJson {
  readonly value: unknown;
  /** The same with all numbers as JavaScript reads them; absent where none of them loses digits. */
  readonly rounded?: unknown;
}

/**
 * Reads a JSON text. A whole number beyond 2^53, as ids of 64 bits often are, becomes a text with all its digits: JavaScript cannot hold it
 * exactly. Throws what `JSON.parse` throws.
 */
export function parseJson(text: string): ParsedJson {
  const value: unknown = JSON.parse(text);
  let isRounded = false;
  const isQuoted = createQuoteFinder(text);
  const exact = text.replace(longNumber, (found, at: number) => {
    if (Number.isSafeInteger(Number(found)) || isQuoted(at)) return found;
    isRounded = true;
    return `"${found}"`;
  });
  return isRounded ? { value: JSON.parse(exact), rounded: value } : { value };
}

const longNumber = /(?<![\w.+-])-?\d{16,}(?![\w.])/g;

/** Finds out whether a place in a valid JSON text lies within a string. Places have to be asked for in order: the text is read once. */
function createQuoteFinder(text: string): (at: number) => boolean {
  let start = text.indexOf('"');
  let end = start === -1 ? -1 : endOfText(text, start);
  return (at) => {
    while (start !== -1 && end < at) {
      start = text.indexOf('"', end + 1);
      end = start === -1 ? -1 : endOfText(text, start);
    }
    return start !== -1 && start < at;
  };
}
