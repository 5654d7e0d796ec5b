/**
 * Splits an identifier or a sentence into word stems, so that `RATE_LIMIT_EXCEEDED`, `RateLimitExceeded` and "the rate limit was
 * exceeded" read the same. Filler words are dropped, every way to say no becomes `not`, and the end of a clause is kept as a mark.
 */
export function stems(text: string): string[] {
  const found: string[] = [];
  const spelled = /['’]t/.test(text) ? text.replace(/n['’]t\b/g, ' not') : text;
  for (const word of spelled.match(wordPattern) ?? []) {
    const stem = learned.get(word) ?? learn(word);
    if (stem !== '') found.push(stem);
  }
  return found;
}

const wordPattern = /[A-Z][A-Z\d]+(?![a-z])|[A-Z]?[a-z][a-z\d]*|\d[\dA-Z]*|[A-Z]|[.:;!?](?=\s|$)/g;
const filler =
  /^(?:an?|and|any|are|a[st]|be|been|being|by|can?|could|did|do|does|for|from|ha[sd]|have|i[fnst]?|its|may|o[fnr]|our|so?|some|the|there|this|that|to|was|we|were|will|with|would|your?)$/;
const negation = /^(?:cannot|neither|never|no|unable|without)$/;
// Where the ending carries the meaning: "could not connect" is the network, "not connected" is our own state.
const fixed = /^(?:.{0,4}|connected|loading|exceed)$/;
const learned = new Map<string, string>();

function learn(word: string): string {
  const lower = word.toLowerCase().replace('failure', 'fail').replace('maximum', 'max');
  const stem = filler.test(lower) ? '' : negation.test(lower) ? 'not' : fixed.test(lower) ? lower : lower.replace(/(?:ing|ed|es|s|e)$/, '');
  // Error texts carry ids and numbers; the memory of words must not grow with them.
  if (learned.size > 2000) learned.clear();
  learned.set(word, stem);
  return stem;
}
