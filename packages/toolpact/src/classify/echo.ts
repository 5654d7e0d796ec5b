import { isObject, once, peek, remember } from '../json/index.ts';
import { hidden } from '../outcome/index.ts';
import { namesOf } from './names-of.ts';
import { stemOf, wordsOf } from './stems.ts';

/** The parts of the failed call that a message repeats. */
export interface Echo {
  /** A value that the model sent, or a part of one. */
  readonly value: 'whole' | 'part' | 'none';
  /** Whether it names a parameter, in a place where messages name parameters: in all its words or in quotes, or by the word that matters. */
  readonly parameter: 'whole' | 'part' | 'none';
  /** Whether it has a word in common with the name of a parameter. */
  readonly topic: boolean;
  /** Whether what it repeats only says for what something else failed, of which the call holds nothing: "No client found for tool: search". */
  readonly isOnlyPlace: boolean;
  /** Checks whether a word of it is a name or a part of a value that the call holds. */
  readonly knows: (word: string) => boolean;
}

/**
 * Looks for the arguments of a call in a message. A value or a parameter that the message repeats shows that the message is about what was
 * sent, in whatever language it is written. Values that stand in any text (small and round numbers, ordinary words) count only where
 * messages put values: in quotes, or alone after a colon. Each half is worked out when it is asked for; both look at a bounded part of
 * the arguments and of the message.
 */
export function findEcho(message: string, args: unknown, params: readonly string[]): Echo {
  // A mask may stand for any secret, so that it repeats nothing.
  return echoOf(
    message.slice(0, longestMessage).replaceAll(hidden, ''),
    params,
    lazy(() => collect(args)),
  );
}

function echoOf(text: string, params: readonly string[], sent: () => Sent): Echo {
  const quotations = lazy(() => quotationsOf(text));
  const value = lazy(() => repeatedValue(text, quotations(), sent().values));
  const parameter = lazy(() => namedParameter(text, quotations(), params, sent()));
  const echo: Echo = {
    get value() {
      return value();
    },
    get parameter() {
      return parameter();
    },
    get topic() {
      const words = new Set(readText(text).flatMap(({ stem, isWhole }) => (isWhole ? stem : [])));
      return params.slice(0, mostValues).some((name) => parameterName(name).words.some((word) => words.has(word)));
    },
    get isOnlyPlace() {
      const at = text.search(placing);
      if (at < 0) return false;
      const subject = text.slice(0, at);
      const [place = ''] = /^ for[ :]\s*(?:\S+\s+){0,4}\S+/.exec(text.slice(at)) ?? [];
      if (echoOf(place, params, sent).value === 'none') return false;
      const own = echoOf(subject, params, sent);
      return own.value === 'none' && own.parameter === 'none' && !own.topic && !(subject.match(/\w{4,}/g) ?? []).some(echo.knows);
    },
    knows(word) {
      const bare = bareName(word);
      const { names, values } = sent();
      return [...params, ...names].some((name) => bareName(name) === bare) || values.some((one) => one.includes(word.toLowerCase()));
    },
  };
  return echo;
}

function lazy<T>(work: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => {
    result ??= { value: work() };
    return result.value;
  };
}

/** Parts what failed from what for: "No client found | for tool: search". Not "the value | for `size` must be". */
const placing = /(?<=\S) for[ :](?!(?:[^.;]|[.;]\S)* (?:must|should|requires?|needs?|exceeds?|can|cannot)\b)/;

const longestMessage = 1000;

function repeatedValue(text: string, quotations: readonly string[], values: readonly string[]): Echo['value'] {
  if (values.length === 0) return 'none';
  const lower = text.toLowerCase();
  const repeated = new Set(values.filter((value) => holds(lower, value) && isUnlikely(value)));
  // Both the expected and the actual value were sent: the tool mixed them up itself.
  if (repeated.size > 0) return repeated.size > 1 && lower.includes('expected') ? 'none' : 'whole';
  const inPlace = [...quotations, aloneAfterColon.exec(text)?.[1] ?? '', spawned.exec(text)?.[1] ?? ''].map(trimmed);
  let best: Echo['value'] = 'none';
  for (const given of new Set([...inPlace, ...tokensOf(text)])) {
    const part = given.toLowerCase();
    // A number may be written in another way.
    const isSent = values.includes(part) || (/^[+-]?\d/.test(part) && values.includes(String(toNumber(part))));
    // Only in its place, a value may be a single letter or an ordinary word.
    const shape = inPlace.includes(given) ? 'code' : shapeOf(given);
    if (shape !== undefined && isSent) return 'whole';
    if (shape === 'code' && part.length > 2 && values.some((value) => holds(value, part))) best = 'part';
  }
  return best;
}

/** Lists what stands between spaces and is more than small letters, as most words are not. */
function tokensOf(text: string): readonly string[] {
  return (text.match(/(?<!\S)(?![a-z]{0,12}[,.:;]?(?!\S))\S+/g) ?? []).map(trimmed);
}

/** Tells a value that no text holds by chance: several words, or an identifier, path or address. */
function isUnlikely(value: string): boolean {
  if (value.length < 3 || value.length > 200) return false;
  return /\s/.test(value) ? value.length > 8 : shapeOf(value) === 'code' || /[^\p{L}\p{N}-]/u.test(value);
}

const quotation =
  /"[^"\n]{1,200}"|(?<!\w)'[^'\n]{1,200}'|`[^`\n]{1,200}`|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|«[^»\n]{1,200}»|「[^」\n]{1,200}」/g;
const aloneAfterColon = /[:=]\s*(\S{3,80}?)[.!]?\s*$/m;
const spawned = /\bspawn(?:Sync)? (\S+)/;
const edges = /^[^\p{L}\p{N}_./~@$+-]+|[^\p{L}\p{N}_/%$]+$/gu;

function trimmed(token: string): string {
  return token.replace(edges, '');
}

function quotationsOf(text: string): string[] {
  return (text.match(quotation) ?? []).map((quoted) => quoted.slice(1, -1));
}

/** Tells an identifier, path or number from an ordinary word. A name may also be the first word of a sentence, a brand or an abbreviation. */
function shapeOf(token: string): 'code' | 'name' | undefined {
  if (/^[+-]?[\d.,_]+$/.test(token)) return isTelling(toNumber(token)) ? 'code' : undefined;
  if (/[\p{L}\p{N}](?:[_/\\@.:]|:\/\/)[\p{L}\p{N}]|^[/~.@]|^\p{Ll}+\p{Lu}/u.test(token)) return 'code';
  if (/\d/.test(token) && /\p{L}/u.test(token)) return 'code';
  return (/\p{Lu}|\p{L}-\p{L}|[^\p{ASCII}]/u.test(token) && token.length > 1) || token.length > 12 ? 'name' : undefined;
}

/** Small and round numbers stand in any message. */
function isTelling(number: number): boolean {
  const size = Math.abs(number);
  return !Number.isInteger(number) || size > 1000 || (size >= 10 && size % 10 !== 0);
}

function toNumber(token: string): number {
  return Number(token.replace(/[,_](?=\d{3})/g, ''));
}

/** Checks whether a text holds another one that neither begins nor ends inside a word. */
function holds(text: string, part: string): boolean {
  // In a text of one letter, every place is one to try.
  let left = 50;
  for (let at = text.indexOf(part); at >= 0 && left-- > 0; at = text.indexOf(part, at + 1)) {
    if (!(isWord(text[at - 1]) && isWord(part[0])) && !(isWord(text[at + part.length]) && isWord(part.at(-1)))) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** The texts and numbers of the arguments, in lower case, and the names of their fields. */
interface Sent {
  readonly values: string[];
  readonly names: Set<string>;
}

const mostValues = 100;
const mostCharacters = 20_000;
const deepest = 5;

function collect(args: unknown): Sent {
  const sent: Sent = { values: [], names: new Set() };
  let left = mostCharacters;
  const take = (value: unknown, depth: number): void => {
    if (sent.values.length >= mostValues || left <= 0) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).slice(0, left).trim().toLowerCase();
      left -= text.length;
      if (text !== '') sent.values.push(text);
      const number = /^[+-]?\d+[,_.][\d,_.]*$/.test(text) ? toNumber(text) : Number.NaN;
      if (!Number.isNaN(number)) sent.values.push(String(number));
    } else if (isObject(value) && depth < deepest) {
      const names = Array.isArray(value) ? [] : namesOf(value).slice(0, mostValues);
      for (const name of names) sent.names.add(name);
      for (const item of Array.isArray(value) ? value.slice(0, mostValues) : names.map((name) => peek(value, name))) take(item, depth + 1);
    }
  };
  try {
    take(args, 0);
  } catch {
    // A revoked proxy throws at every touch; what was collected before counts.
  }
  return sent;
}

/** The name of a parameter in its words. */
interface ParameterName {
  readonly words: readonly string[];
  /** The same without a last word that does not say what the parameter holds: `job` of `job_id`. */
  readonly core: readonly string[];
  /** The same in one word, where it is a compound. */
  readonly compound: string | undefined;
}

const parameterName = once((name): ParameterName => {
  const parts = wordsOf(name).map((word) => word.toLowerCase());
  const words = parts.map(comparable);
  return {
    words,
    core: words.length > 1 && endings.test(words.at(-1) as string) ? words.slice(0, -1) : words,
    compound: parts.length > 1 ? parts.join('') : undefined,
  };
});

/** Words that end the name of a parameter without saying what it holds. */
const endings = /^(id|iid|uid|uuid|name|key|path|uri|url|number|identifier|slug|text|string|type)$/;
const before =
  /^(no|invalid|missing|unknown|unsupported|parameters?|arguments?|fields?|property|properties|options?|specify|provided?|requires?|required|either|empty|bad|wrong|valid|only|or|and|parse)$/;
const after =
  /^(is|are|was|were|must|should|cannot|can|not|does|do|has|have|needs?|required|missing|invalid|or|and|may|already|exceeds|too)$/;
/** Words that may follow the name of a parameter if the parameter itself is meant, besides short ones. */
const describing =
  /^(address|after|argument|array|because|before|between|expression|fields?|format|found|given|identifier|input|length|number|object|options?|parameters?|pattern|please|property|query|range|reference|string|syntax|values?|\w+ed)$/;

function namedParameter(text: string, quotations: readonly string[], params: readonly string[], sent: Sent): Echo['parameter'] {
  // The model may have made up some.
  const names = [...new Set([...params, ...sent.names])].slice(0, mostValues);
  if (names.length === 0) return 'none';
  const words = readText(text);
  if (names.some((name) => quotations.includes(name) || isWritten(parameterName(name), words))) return 'whole';
  return names.some((name) => isMeant(parameterName(name), words, text)) ? 'part' : 'none';
}

function readText(text: string): readonly Word[] {
  const plain = /-|[A-Z]s\b/.test(text) ? text.replace(/(?<=\w)-(?=\w)|(?<=\b[A-Z]{2,})s\b/g, '') : text;
  const words: Word[] = [];
  for (const token of plain.match(/\w+/g) ?? []) words.push(...wordsIn(token));
  return words;
}

/** Compares names that are written with other signs and capitals. */
function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/** A word of a message. A part of a compound is neither the thing itself nor a word of the sentence: "notFound" denies nothing. */
interface Word {
  readonly raw: string;
  readonly stem: string;
  readonly isWhole: boolean;
}

const isCompound = /[a-z][A-Z]|[A-Z]{2}[a-z]|[_\d]/;

const known = new Map<string, readonly Word[]>();
const number: readonly Word[] = [{ raw: '', stem: '', isWhole: true }];

/** Numbers and identifiers differ from message to message, so that there is no use in remembering them. */
function wordsIn(token: string): readonly Word[] {
  return (
    known.get(token) ?? (/\d/.test(token) ? (/^\d+$/.test(token) ? number : readWords(token)) : remember(known, token, readWords(token)))
  );
}

function readWords(token: string): readonly Word[] {
  const parts = isCompound.test(token) ? wordsOf(token) : [token];
  return parts.map((part) => {
    const raw = part.toLowerCase();
    return { raw, stem: comparable(raw), isWhole: parts.length === 1 };
  });
}

/** Checks whether a name of several words stands there as it is, or in words. */
function isWritten({ words: parts, compound }: ParameterName, words: readonly Word[]): boolean {
  const isAt = (at: number) => parts.every((part, index) => words[at + index]?.stem === part);
  return compound !== undefined && words.some(({ raw, stem }, at) => raw === compound || (stem === parts[0] && isAt(at)));
}

function isMeant({ core }: ParameterName, words: readonly Word[], text: string): boolean {
  // Also in another order, and with words in between: "Chat or channel ID is required" names `chatChannelId`.
  if (core.length > 1) return core.every((part) => words.some(({ stem }) => stem === part));
  const [thing = ''] = core;
  const around = (at: number) => (words[at]?.isWhole === true ? words[at].raw : '');
  return words.some(({ raw, stem, isWhole }, at) => {
    if (!isWhole || stem !== thing) return false;
    const [first, next] = [around(at - 1), around(at + 1)];
    if (after.test(next) || describing.test(next)) return true;
    return (before.test(first) || before.test(around(at - 2))) && !goesOn(raw, next, text);
  });
}

/**
 * Checks whether the name goes on, and is that of something else: an invalid mutation program is made of a mutation. What only says of a
 * parameter that it is one does not.
 */
function goesOn(name: string, next: string, text: string): boolean {
  return /^[a-z]{5,}$/.test(next) && !describing.test(next) && text.toLowerCase().includes(`${name} ${next}`);
}

/** A word as it is compared with others: its stem, but for words that are too short for one, and those with digits. */
function comparable(word: string): string {
  return /\d/.test(word) ? word : stemmed(word).text;
}

const stemmed = once((word): { readonly text: string } => {
  const one = word.replace(/(?<=..[^s]|^id)s$/, '');
  return { text: stemOf(one) || one };
});
