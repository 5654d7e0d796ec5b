/**
 * Splits an identifier or a sentence into word stems, so that `RATE_LIMIT_EXCEEDED`, `RateLimitExceeded` and "the rate limit was
 * exceeded" read the same. Filler words are dropped and every way to say no becomes `not`.
 */
export function stems(text: string): string[] {
  const found: string[] = [];
  const spelled = text.includes("n't") || text.includes('n’t') ? text.replaceAll(/n['’]t\b/g, ' not') : text;
  for (const word of spelled.match(wordPattern) ?? []) {
    const stem = learned.get(word) ?? learn(word);
    if (stem !== '') found.push(stem);
  }
  return found;
}

const wordPattern = /[A-Z][A-Z\d]+(?![a-z])|[A-Z]?[a-z][a-z\d]*|\d[\dA-Z]*|[A-Z]/g;

const filler =
  'a an and any are as at be been being but by ca can could did do does each for from had has have i if in is it its ll may of on or our please s so ' +
  'some that the their there these this to was we were will with wo would you your';
const negations = 'cannot neither never no unable without';

const fixed = new Map<string, string>([
  ...filler.split(' ').map((word) => [word, ''] as const),
  ...negations.split(' ').map((word) => [word, 'not'] as const),
  // Where the ending carries the meaning: "could not connect" is the network, "not connected" is our own state.
  ...['connected', 'loading', 'exceed', 'time'].map((word) => [word, word] as const),
  ['failure', 'fail'],
]);
const learned = new Map<string, string>();

function learn(word: string): string {
  const lower = word.toLowerCase();
  const stem = fixed.get(lower) ?? (lower.length > 4 ? lower.replace(/(?:ing|ed|es|s|e)$/, '') : lower);
  // Error texts carry ids and numbers; the memory of words must not grow with them.
  if (learned.size > 2000) learned.clear();
  learned.set(word, stem);
  return stem;
}
