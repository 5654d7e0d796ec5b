import { endOfText } from './end-of-text.ts';

/**
 * Parses JSON, but gives a whole number that no JavaScript number can hold as a text of its digits: an id must not become another one. A tool
 * that takes texts then gets all digits, and one that takes numbers refuses. Throws like `JSON.parse`.
 */
export function parseExactly(json: string): unknown {
  const value: unknown = JSON.parse(json);
  if (!/\d{16}/.test(json)) return value;
  const exact = quoteNumbers(json);
  return exact === json ? value : JSON.parse(exact);
}

/** Returns arguments that a person or a model wrote as text with all digits; text that is no JSON is left to those who can say what is wrong with it. */
export function readExactly(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}

/** More digits make a number infinite. */
const longNumber = /(?<![\d.eE+-])-?[1-9]\d{15,307}(?![\d.eE])/g;

/**
 * Puts quotes around the whole numbers outside of texts that would lose digits. Not a reviver of `JSON.parse`: it takes ten times as long for
 * a large body, and not all platforms tell it what a number was read from. Not one regular expression for texts and numbers: a long text with
 * many escapes would use up its stack.
 */
function quoteNumbers(json: string): string {
  const parts: string[] = [];
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const end = quote < 0 ? json.length : quote;
    parts.push(json.slice(at, end).replace(longNumber, (digits) => (BigInt(digits) === BigInt(Number(digits)) ? digits : `"${digits}"`)));
    at = quote < 0 ? end : endOfText(json, quote) + 1;
    parts.push(json.slice(end, at));
  }
  return parts.join('');
}
