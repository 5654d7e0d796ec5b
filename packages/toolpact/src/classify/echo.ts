import { isObject, once, peek, remember } from '../json/index.ts';
import { hidden } from '../outcome/index.ts';
import { namesOf } from './names-of.ts';
import { stemOf, wordsOf } from './stems.ts';

/** What a message repeats of the call that failed. */
export interface Echo {
  /** A value that the model sent, or a part of one. */
  readonly value: 'whole' | 'part' | 'none';
  /** Whether it names a parameter, in a place where messages name parameters: in all its words or in quotes, or by the word that matters. */
  readonly parameter: 'whole' | 'part' | 'none';
  /** Whether it has a word in common with the name of a parameter. */
  readonly topic: boolean;
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
  const text = message.slice(0, longestMessage).replaceAll(hidden, '');
  let sent: Sent | undefined;
  let quotations: readonly string[] | undefined;
  let value: Echo['value'] | undefined;
  let parameter: Echo['parameter'] | undefined;
  return {
    get value() {
      sent ??= collect(args);
      quotations ??= quotationsOf(text);
      value ??= repeatedValue(text, quotations, sent.values);
      return value;
    },
    get parameter() {
      sent ??= collect(args);
      quotations ??= quotationsOf(text);
      parameter ??= namedParameter(text, quotations, params, sent);
      return parameter;
    },
    get topic() {
      const words = new Set(readText(text).map(({ stem }) => stem));
      return params.slice(0, mostValues).some((name) => parameterName(name).words.some((word) => words.has(word)));
    },
    knows(word) {
      sent ??= collect(args);
      const bare = bareName(word);
      const isName = (name: string) => bareName(name) === bare;
      return params.some(isName) || sent.names.some(isName) || sent.values.some((value) => value.includes(word.toLowerCase()));
    },
  };
}

const longestMessage = 1000;

function repeatedValue(text: string, quotations: readonly string[], values: readonly string[]): Echo['value'] {
  if (values.length === 0) return 'none';
  const lower = text.toLowerCase();
  const [, expected = '', found = ''] = comparison.exec(lower) ?? [];
  // What the tool expected and what it got were both sent: it mixed them up itself.
  if (expected !== found && values.includes(expected) && values.includes(found)) return 'none';
  if (values.some((value) => isUnlikely(value) && holds(lower, value))) return 'whole';
  const mentions = mentionsOf(text, quotations);
  const numbers = values.filter(isNumber).map(toNumber);
  if (mentions.some(({ text }) => values.includes(text) || (isNumber(text) && numbers.includes(toNumber(text))))) return 'whole';
  return mentions.some((mention) => isPart(mention, values)) ? 'part' : 'none';
}

const comparison = /\bexpected ["'`]?([^\s"'`,]+)["'`]?,? (?:but )?(?:found|got|received|was) ["'`]?([^\s"'`,]+?)["'`]?[.!]?$/;

/** Tells a value that no text holds by chance: several words, or an identifier, path or address. */
function isUnlikely(value: string): boolean {
  if (value.length < 3 || value.length > 200) return false;
  return /\s/.test(value) ? value.length > 8 : shapeOf(value) === 'code' || /[^\p{L}\p{N}-]/u.test(value);
}

/** Part of a message that may be a value, and whether it is so common that only a whole value counts. */
interface Mention {
  readonly text: string;
  readonly isCommon: boolean;
}

const quotation =
  /"[^"\n]{1,200}"|(?<!\w)'[^'\n]{1,200}'|`[^`\n]{1,200}`|“[^”\n]{1,200}”|‘[^’\n]{1,200}’|«[^»\n]{1,200}»|「[^」\n]{1,200}」/g;
const aloneAfterColon = /[:=]\s*(\S{3,80}?)[.!]?\s*$/m;
const mostMentions = 40;
const spawned = /\bspawn(?:Sync)? (\S+)/;
const edges = /^[^\p{L}\p{N}_./~@$+-]+|[^\p{L}\p{N}_/%$]+$/gu;

function mentionsOf(text: string, quotations: readonly string[]): readonly Mention[] {
  const mentions: Mention[] = [];
  for (const part of quotations) mentions.push({ text: part.toLowerCase(), isCommon: part.length < 3 });
  const [, last] = aloneAfterColon.exec(text) ?? [];
  const [, program] = spawned.exec(text) ?? [];
  for (const part of [last, program])
    if (part !== undefined) mentions.push({ text: part.replace(edges, '').toLowerCase(), isCommon: false });
  for (const raw of text.match(/\S+/g) ?? []) {
    if (mentions.length >= mostMentions) break;
    // Most words are nothing but small letters.
    if (/^[a-z]{0,12}[,.:;]?$/.test(raw)) continue;
    const token = raw.replace(edges, '');
    const shape = shapeOf(token);
    if (shape !== undefined) mentions.push({ text: token.toLowerCase(), isCommon: shape === 'name' });
  }
  return mentions;
}

function quotationsOf(text: string): string[] {
  if (!/["'`“‘«「]/.test(text)) return [];
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

function isPart({ text, isCommon }: Mention, values: readonly string[]): boolean {
  return !isCommon && text.length > 2 && values.some((value) => holds(value, text));
}

function isNumber(text: string): boolean {
  return /^[+-]?\d/.test(text) && !Number.isNaN(toNumber(text));
}

/** Checks whether a text holds another one that neither begins nor ends inside a word. */
function holds(text: string, part: string): boolean {
  let left = mostTries;
  for (let at = text.indexOf(part); at >= 0 && left-- > 0; at = text.indexOf(part, at + 1)) {
    if (!(isWord(text[at - 1]) && isWord(part[0])) && !(isWord(text[at + part.length]) && isWord(part.at(-1)))) return true;
  }
  return false;
}

// In a text of one letter, every place is one to try.
const mostTries = 50;

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** The texts and numbers of the arguments, in lower case, and the names of their fields. */
interface Sent {
  readonly values: string[];
  readonly names: string[];
  /** What the fields hold, by their names in lower case; of those that hold something. */
  readonly held: Map<string, unknown[]>;
}

const mostValues = 100;
const mostCharacters = 20_000;
const deepest = 5;

function collect(args: unknown): Sent {
  const sent: Sent = { values: [], names: [], held: new Map() };
  let left = mostCharacters;
  const take = (value: unknown, depth: number): void => {
    if (sent.values.length >= mostValues || left <= 0) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const text = String(value).slice(0, left).trim().toLowerCase();
      left -= text.length;
      if (text !== '') sent.values.push(text);
    } else if (isObject(value) && depth < deepest) {
      if (Array.isArray(value)) {
        for (const item of value.slice(0, mostValues)) take(item, depth + 1);
        return;
      }
      for (const name of namesOf(value).slice(0, mostValues)) {
        sent.names.push(name);
        const held = peek(value, name);
        if (!isBlank(held)) hold(sent.held, name.toLowerCase(), held);
        take(held, depth + 1);
      }
    }
  };
  try {
    take(args, 0);
  } catch {
    // A revoked proxy throws at every touch; what was collected before counts.
  }
  return sent;
}

function hold(all: Map<string, unknown[]>, name: string, value: unknown): void {
  const known = all.get(name);
  if (known === undefined) all.set(name, [value]);
  else known.push(value);
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** Lists the parameters that a message names with an identifier that was not sent for them: `agent_id: a7` is that of another agent. */
function namesOfOthers(text: string, { held }: Sent): ReadonlySet<string> {
  const names = new Set<string>();
  if (!/[:=]/.test(text)) return names;
  for (const [, given = '', raw = ''] of text.matchAll(assignment)) {
    const name = given.toLowerCase();
    const value = raw.replace(edges, '').toLowerCase();
    const values = shapeOf(value) === 'code' ? held.get(name) : undefined;
    if (values !== undefined && !values.some((sent) => isRelated(sent, value))) names.add(name);
  }
  return names;
}

/** Of lists and objects, nobody knows what a message makes. */
function isRelated(sent: unknown, value: string): boolean {
  if (typeof sent !== 'string' && typeof sent !== 'number') return true;
  const text = String(sent).slice(0, mostCharacters).trim().toLowerCase();
  return text.includes(value) || value.includes(text);
}

const assignment = /\b(\w+) ?[:=]\s*["'`]?([^\s"'`,;()]+)/g;

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
/** Names too general to be recognised but in a list of parameters. */
const general = /^(id|name|key|type|value|data|args|argument|params|option|a|to|from)$/;
const choosing = /^(either|or|both|parameter|argument|field|property|missing|specify|provide)$/;
const before =
  /^(no|invalid|missing|unknown|unsupported|parameters?|arguments?|fields?|property|properties|options?|specify|provided?|requires?|required|either|empty|bad|wrong|valid|only|or|and|parse)$/;
const after =
  /^(is|are|was|were|must|should|cannot|can|not|does|do|has|have|needs?|required|missing|invalid|or|and|may|already|exceeds|too)$/;
/** What may follow the name of a parameter that is meant itself, besides short words. */
const describing =
  /^(address|after|argument|array|because|before|between|expression|fields?|format|found|given|identifier|input|length|number|object|options?|parameters?|pattern|please|property|query|range|reference|string|syntax|values?|\w+ed)$/;

function namedParameter(text: string, quotations: readonly string[], params: readonly string[], sent: Sent): Echo['parameter'] {
  const known = params.slice(0, mostValues);
  const madeUp = sent.names.slice(0, mostValues).filter((name) => !known.includes(name));
  const all = madeUp.length === 0 ? known : [...known, ...madeUp];
  const others = namesOfOthers(text, sent);
  const names = others.size === 0 ? all : all.filter((name) => !others.has(name.toLowerCase()));
  if (names.length === 0) return 'none';
  const words = readText(text);
  if (names.some((name) => (!general.test(name) && quotations.includes(name)) || isWritten(parameterName(name), words))) return 'whole';
  if (showsOther(text, sent, all)) return 'none';
  return names.some((name) => isMeant(parameterName(name), words, text)) || demandsOmitted(text, params, sent) ? 'part' : 'none';
}

/** Checks whether a message ends with a value that nobody sent. */
function showsOther(text: string, { values }: Sent, names: readonly string[]): boolean {
  const last = aloneAfterColon.exec(text)?.[1]?.replace(edges, '') ?? '';
  const lower = last.toLowerCase();
  return last !== '' && !names.includes(last) && !values.some((value) => value.includes(lower) || lower.includes(value));
}

function readText(text: string): readonly Word[] {
  const plain = text.replace(/(?<=\w)-(?=\w)|(?<=\b[A-Z]{2,})s\b/g, '');
  return (plain.match(/\w+/g) ?? []).flatMap(wordsIn);
}

/** Compares names that are written with other signs and capitals. */
function bareName(name: string): string {
  return name.toLowerCase().replace(/[^a-z\d]/g, '');
}

/**
 * Checks whether a message demands something by the last word of its name, and the call left out the parameter with that general name:
 * "List name is required" where `name` was not sent. What was sent besides shows that something was left out.
 */
function demandsOmitted(text: string, params: readonly string[], sent: Sent): boolean {
  const thing = demanded.exec(text)?.[1]?.toLowerCase();
  if (thing === undefined || sent.values.length === 0) return false;
  return params.slice(0, mostValues).some((name) => name.toLowerCase() === thing) && !sent.held.has(thing);
}

const demanded =
  /^(?:(?:missing|please (?:provide|specify)) (?:\w+ ){0,3}?|(?:\w+ ){1,3})(id|key|name|type|value|url|path|text)\b(?= (?:is|was|must|cannot|may)\b.{0,20}\b(?:required|missing|empty|blank|provided|specified|given)|[.!]?$)/i;

/** A word of a message. A part of a compound is neither the thing itself nor a word of the sentence: "notFound" denies nothing. */
interface Word {
  readonly raw: string;
  readonly stem: string;
  readonly isWhole: boolean;
}

const isCompound = /[a-z][A-Z]|[A-Z]{2}[a-z]|[_\d]/;

const known = new Map<string, readonly Word[]>();

/** Numbers and identifiers differ from message to message, so that there is no use in remembering them. */
function wordsIn(token: string): readonly Word[] {
  return known.get(token) ?? (/\d/.test(token) ? readWords(token) : remember(known, token, readWords(token)));
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
  return compound !== undefined && words.some(({ raw, stem }, at) => raw === compound || (stem === parts[0] && isAt(words, at, parts)));
}

function isMeant({ core }: ParameterName, words: readonly Word[], text: string): boolean {
  // Also in another order, and with words in between: "Chat or channel ID is required" names `chatChannelId`.
  if (core.length > 1) return core.every((part) => words.some(({ stem }) => stem === part));
  const [thing = ''] = core;
  const around = (at: number) => (words[at]?.isWhole === true ? words[at].raw : '');
  return words.some(({ raw, stem, isWhole }, at) => {
    if (!isWhole || stem !== thing) return false;
    const [first, next] = [around(at - 1), around(at + 1)];
    if (general.test(thing) ? choosing.test(first) : after.test(next) || (describing.test(next) && after.test(around(at + 2)))) return true;
    return !general.test(thing) && (before.test(first) || before.test(around(at - 2))) && !goesOn(raw, next, text);
  });
}

/**
 * Checks whether the name goes on, and is that of something else: an invalid mutation program is made of a mutation. What only says of a
 * parameter that it is one does not.
 */
function goesOn(name: string, next: string, text: string): boolean {
  return /^[a-z]{5,}$/.test(next) && !describing.test(next) && text.toLowerCase().includes(`${name} ${next}`);
}

function isAt(words: readonly Word[], at: number, parts: readonly string[]): boolean {
  return parts.every((part, index) => words[at + index]?.stem === part);
}

/** A word as it is compared with others: its stem, but for words that are too short for one, and those with digits. */
function comparable(word: string): string {
  return /\d/.test(word) ? word : comparableWord(word).text;
}

const comparableWord = once((word): { readonly text: string } => {
  const one = word.replace(/(?<=..[^s]|^id)s$/, '');
  return { text: stemOf(one) || one };
});
