/**
 * Gives the beginning of a text up to a limit, without the word that the limit would cut in two: half a word may be half a secret, which
 * no rule recognises.
 */
export function wholeWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = limit;
  while (end > 0 && /\S/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
