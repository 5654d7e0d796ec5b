/** Splits an identifier or a sentence into its words; the end of a clause is kept as a mark. */
export function wordsOf(text: string): readonly string[] {
  return (/['’]t/.test(text) ? text.replace(/n['’]t\b/g, ' not') : text).match(wordPattern) ?? [];
}

/**
 * Gives a word's stem, so that `RATE_LIMIT_EXCEEDED`, `RateLimitExceeded` and "the rate limit was exceeded" read the same. Filler words
 * have an empty one, and every way to say no is `not`.
 */
export function stemOf(word: string): string {
  const lower = word.toLowerCase().replace('failure', 'fail').replace('maximum', 'max');
  if (filler.test(lower)) return '';
  return negation.test(lower) ? 'not' : fixed.test(lower) ? lower : lower.replace(/(?:ing|ed|es|s|e)$/, '');
}

const wordPattern = /[A-Z][A-Z\d]+(?![a-z])|[A-Z]?[a-z][a-z\d]*|\d[\dA-Z]*|[A-Z]|[.:;!?](?=\s|$)/g;
const filler =
  /^(?:an?|and|any|are|a[st]|be|been|being|by|can?|could|did|do|does|for|from|ha[sd]|have|i[fnst]?|its|may|o[fnr]|our|so?|some|the|there|this|that|to|was|we|were|will|with|would|your?)$/;
const negation = /^(?:cannot|neither|never|no|unable|without)$/;
// Where the ending carries the meaning: "could not connect" is the network, "not connected" is our own state.
const fixed = /^(?:.{0,4}|blocked|connected|loading|exceed)$/;
