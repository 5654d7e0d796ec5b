/** Splits an identifier or a sentence into its words; the end of a clause is kept as a mark. */
export function wordsOf(text: string): readonly string[] {
  return text.replace(/n['’]t\b/g, ' not').match(wordPattern) ?? [];
}

/**
 * Returns a word's stem, so that `RATE_LIMIT_EXCEEDED`, `RateLimitExceeded` and "the rate limit was exceeded" read the same. Filler words
 * have an empty one, and every way to say no is `not`.
 */
export function stemOf(word: string): string {
  const lower = word.toLowerCase().replace('failure', 'fail').replace('imum', '');
  if (filler.test(lower)) return '';
  const one = lower.replace(plural, '');
  return negation.test(one)
    ? 'not'
    : fixed.test(one)
      ? one
      : one
          .replace(ending, '')
          .replace(/y$/, 'i')
          .replace(/(?<=...)ll/, 'l');
}

const plural = /(?<=...[^s])s$/;
const ending = /(at)?(ion|ing|ed|es?)$/;
const wordPattern = /[A-Z][A-Z\d]+(?![a-z])|[A-Z]?[a-z][a-z\d]*|\d[\dA-Z]*|[A-Z]|[.:;!?](?=\s|$)/g;
const filler =
  /^([ais]|(?!no|up)[a-z]{2}|an[dy]|are|been|being|can|could|did|does|for|from|ha[ds]|have|its|may|our|some|the|there|this|that|was|were|will|with|would|your?)$/;
const negation = /^(cannot|neither|never|no|none|unable|without)$/;
// Where the ending carries the meaning: "could not connect" is the network, "not connected" is our own state.
const fixed = /^(.{0,4}|blocked|assertion|connect(ed|ion)|exceed|validation)$/;
