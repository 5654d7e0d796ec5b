/** Splits text into the words that are searched: lower case, without accents, `camelCase` and `snake_case` in their parts, each by its stem. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  // Most text is ASCII, for which the short pattern is several times as fast.
  if (isAscii.test(text)) for (const run of text.match(asciiRuns) ?? []) words.push(stemOf(run.slice(0, longestWord).toLowerCase()));
  else
    for (const run of text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .match(runs) ?? []) {
      if (unspaced.test(run)) words.push(...pairsOf(run));
      else words.push(stemOf(run.slice(0, longestWord).toLowerCase()));
    }
  return words;
}

const longestWord = 40;
// "getHTTPStatus2" is get, HTTP, Status, 2.
const asciiRuns = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const runs = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{N}+/gu;
const isAscii = /^[\0-\x7f]*$/;
// Scripts that write no spaces between words: pairs of neighbouring letters are what can be compared.
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function pairsOf(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

const stems = new Map<string, string>();
const mostStems = 20_000;

/**
 * Returns the stem that the forms of an English word share: "policies" and "policy", "created" and "creating". It need not be a word itself.
 * Words of other languages stay as they are, unless they end like English ones.
 */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = findStem(word);
  if (stems.size < mostStems) stems.set(word, stem);
  return stem;
}

function findStem(word: string): string {
  if (word.length < 4) return word;
  let stem = word;
  if (stem.length > 4 && stem.endsWith('ies')) stem = `${stem.slice(0, -3)}y`;
  else if (/(?:ss|sh|ch|x|z)es$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^su]s$/.test(stem)) stem = stem.slice(0, -1);
  const ended = /^(.*)(?:ing|ed)$/.exec(stem)?.[1];
  if (ended !== undefined && ended.length > 2 && /[aeiouy]/.test(ended))
    stem = /([^aeiouylsz])\1$/.test(ended) ? ended.slice(0, -1) : ended;
  if (stem.length > 5) stem = stem.replace(/(?:ation|ion|ment)$/, '');
  return stem.length > 3 ? stem.replace(/[ey]$/, '') : stem;
}
