/** Quotes a word of a shell command where it needs it. Single quotes hide everything from a shell but themselves. */
export function quoteWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
