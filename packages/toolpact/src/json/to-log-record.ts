/** Line breaks in every notation, with the return to the start of a line, which a terminal takes for one. */
const lineBreaks = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;

/** Control characters but tabs, and the signs that turn the direction of text. */
const unseen = /[^\P{Cc}\t\n]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Writes a text as one record of a log: all lines but the first are indented, so that no part of a text from elsewhere looks like a record of its
 * own, and nothing in it moves the cursor or turns the direction of text.
 */
export function toLogRecord(text: string): string {
  return text
    .replace(lineBreaks, '\n')
    .replace(unseen, '\ufffd')
    .replace(/\n(?![ \t])/g, '\n  ');
}
