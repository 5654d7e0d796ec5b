// No login in an address and no token is longer.
const longestWord = 1_000;

/**
 * Gives the beginning of a text up to a limit, without the word that the limit cuts in two: half a word may be half a secret, such as an
 * address whose `@` is missing, which no rule recognises.
 */
export function wholeWords(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const least = Math.max(0, limit - longestWord);
  let end = limit;
  while (end > least && !/[\s"'`<>]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
