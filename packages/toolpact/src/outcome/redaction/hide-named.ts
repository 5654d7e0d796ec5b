import { hidden } from './hidden.ts';
import { nameInText, plainBody } from './secret-names.ts';

/**
 * Hides the value beside every name of a secret: a name, what a notation puts between name and value, and a value in one of its forms.
 * The value is hidden as a whole, with whatever wraps it, because a part of it that stays looks as if it were harmless.
 */
export function hideNamed(text: string): string {
  let shown = '';
  let at = 0;
  secretName.lastIndex = 0;
  for (let name = secretName.exec(text); name !== null; name = secretName.exec(text)) {
    const value = valueAfter(text, name.index, secretName.lastIndex);
    if (value === undefined) continue;
    shown += text.slice(at, value.start) + hidden;
    at = value.end;
    secretName.lastIndex = at;
  }
  return shown + text.slice(at);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** One place in a text where a value may begin, beside which name. */
interface Place {
  readonly text: string;
  readonly name: string;
  /** The text before the name, as far as it can matter. */
  readonly before: string;
  readonly start: number;
}

const secretName = new RegExp(nameInText, 'gi');

// Quotes as HTML and JSON escape them.
const escapedQuote = String.raw`&quot;|&#3[49];|\\{1,9}u002[27]`;
// Matches the end of a name before its separator: quotes, a bracket, a visibility in PHP, all of them also as they stand in an address.
const close = String.raw`(?:${escapedQuote}|\\*["'\x60])?(?:%2[27]|(?::(?:protected|["']?[\w\\]{1,60}["']?:private))?(?:\]|%5D)){0,3}[ \t]{0,4}`;
const lineEnd = String.raw`(?:\r?\n|(?:\\r)?\\n)`;

// { "value": …, as some interfaces wrap every value.
const inner = String.raw`\{\s{0,40}\\*["']?\w{0,20}value\\*["']?[ \t]{0,4}[:=][ \t]{0,4}`;

/** A form gives the part of a text to hide, nothing where it does not fit, or `shown` for what is no secret. */
type Form = (place: Place) => Range | 'shown' | undefined;

/** The forms that a value has in any notation, tried in this order. */
const anyForm: readonly Form[] = [blockOf, quotedOf, proseOf, wrappedOf, headerOf, wordOf];

/** Separators between a name and its value. All are matched where a name ends; the value begins where they end. */
const separators: readonly { readonly notation: string; readonly pattern: RegExp; readonly forms: readonly Form[] }[] = [
  {
    // Before the assignment, which an attribute is too: <add key="ApiKey" value="…">, { name: 'X', value: '…' }, - name: X / value: …
    notation: 'a value beside a name',
    pattern: here(
      String.raw`\\*["']?(?:[\s,;]|\\n){1,40}(?:\\*["']?(?!value)\w{1,20}\\*["']?[ \t]{0,4}[:=][ \t]{0,4}\\*["']?[\w.-]{0,40}\\*["']?(?:[\s,;]|\\n){1,40}){0,2}\\*["']?value\\*["']?[ \t]{0,4}[:=][ \t]{0,4}(?:${inner})?`,
    ),
    forms: anyForm,
  },
  { notation: 'a value inside', pattern: here(String.raw`\\*["']?[ \t]{0,4}[:=]>?[ \t]{0,4}${inner}`), forms: anyForm },
  {
    notation: 'an element',
    pattern: here(
      String.raw`\\*["'\x60]?(?:(?:(?<=<[\w:.-]{1,80})|(?<=<[^<>]{1,200}=["'][\w:.-]{1,64}["']))(?:\s[^<>]{0,500})?>|<\/[\w:.-]{1,40}>\s{0,80}(?:<[\w:.-]{1,40}(?:\s[^<>]{0,80})?>\s{0,80}){1,3})[ \t]{0,4}`,
    ),
    forms: [elementOf, quotedOf, proseOf, headerOf, wordOf],
  },
  { notation: 'the rest of an element', pattern: here(String.raw`${close}>[ \t]{0,4}`), forms: [quotedOf, proseOf, headerOf, wordOf] },
  {
    notation: 'an item of PHP',
    pattern: here(String.raw`${close}(?<=(?:\]|%5D)[ \t]?)=>\s{0,80}`),
    forms: [quotedOf, proseOf, lineOf, ...anyForm],
  },
  {
    notation: 'an assignment',
    pattern: here(
      String.raw`${close}(?:(?:provided|is)${close})?(?:[:=：]{1,2}>?|-{1,2}>|%3[AD])[ \t]{0,4}(?:!![a-z]{1,20}[ \t]{1,4})?(?:${lineEnd}[ \t]{0,40}(?=[\w"'(]))?`,
    ),
    forms: anyForm,
  },
  { notation: 'a pair of texts', pattern: here(String.raw`\\*["'],\s{0,9}(?=\w?\\*["'][^"']{0,200}\d)`), forms: anyForm },
  { notation: 'a tuple', pattern: here(String.raw`(?<=\{["'\w@.-]{1,64}),\s{0,9}(?=(?:<<)?["'])`), forms: anyForm },
  {
    notation: 'a quoted word',
    pattern: here(String.raw`(?<=word|phrase|secret|identified by)[ \t](?=["'\x60][^\s"'\x60]{4,})`),
    forms: anyForm,
  },
  {
    notation: 'a sentence',
    pattern: here(
      String.raw`(?<=key|token|secret|wor[dt]|phrase)[ \t]is[ \t](?=["'\x60]?[^\s"'\x60]*\d)|(?<=key|secret|word)[ \t]\((?=[^\s()]{6,200}\))(?=[^\s()]{0,199}\d)(?=[^\s()]{0,199}[a-z])`,
    ),
    forms: anyForm,
  },
  { notation: 'an option', pattern: here(String.raw`(?<=bearers?|--[\w-]{3,48}|(?<![^\s"'(])-[\w-]{3,48})[ \t]{1,4}`), forms: anyForm },
  {
    notation: 'a line of .netrc',
    pattern: here(
      String.raw`(?<=\b(?:login|machine|account)\s{1,9}\S{1,64}\s{1,9}password)\s{1,9}|(?<=^[ \t]{0,9}password)[ \t](?=\S*[\d!@#$%^&*]\S*$)`,
      'm',
    ),
    forms: anyForm,
  },
  {
    notation: 'a long word',
    pattern: here(String.raw`(?<=key|token|secret|word)[ \t](?=["'\x60]?[\w+/=-]{16})(?=["'\x60]?[\w+/=-]*\d)`),
    forms: anyForm,
  },
];

function valueAfter(text: string, from: number, end: number): Range | undefined {
  const name = text.slice(from, end);
  if (plainBody.test(name)) return undefined;
  for (const { pattern, forms } of separators) {
    pattern.lastIndex = end;
    if (!pattern.test(text)) continue;
    const place = { text, name: name.toLowerCase(), before: text.slice(Math.max(0, from - 16), from), start: pattern.lastIndex };
    if (standsForNone(place)) return undefined;
    for (const form of forms) {
      const range = form(place);
      if (range === 'shown') return undefined;
      if (range !== undefined) return range;
    }
  }
  return undefined;
}

/** Checks whether a value says that there is none, or stands in the place of one: `None`, `***`, `<token>`, `${API_KEY}`, a count. */
function standsForNone({ text, name, start }: Place): boolean {
  return nones.some(({ beside, value }) => beside.test(name) && fits(value, text, start));
}
const absent = String.raw`none|null|nil|undefined|nan|n\/a|true|false|empty|missing|unset|unknown|required|optional|eof`;
const masked = String.raw`\*{2,}|x{3,}|•{2,}|…|\.{3}|[-?](?![ \t])|\[(?:filtered|hidden|masked|omitted|redacted|removed)?\]|\{\}`;
const placeholder = ['<[a-z][a-z_ -]{0,40}>', String.raw`\$\{[a-z_]+\}|\{{1,2} ?[a-z_.]{3,40} ?\}{1,2}`, 'your[_-][a-z_-]{3,40}'].join('|');
const anyNone = `(?:${absent}|${masked}|${placeholder})`;
// Capitals only: a password may begin with a dollar sign.
const variable = /\\*["'\x60]?(?:\$[A-Z_]{3,40}|%[A-Z_]{3,40}%)(?![\w%])/y;
const opened = String.raw`\\*["'\x60]?`;
// Nothing may go on after it: neither the value itself, nor, after a word, a value in quotes.
const endOfNone = String.raw`(?=[\s"'\x60,;&|)\]}<]|\.?$|\\)(?![ \t]{1,4}(?:\\*["'\x60]|=>|[=:]))`;

const nones: readonly { readonly beside: RegExp; readonly value: RegExp }[] = [
  { beside: /^/, value: here(String.raw`${opened}(?:${anyNone}|\(${anyNone}\))${endOfNone}`) },
  { beside: /^/, value: variable },
  // A scheme whose credentials are not there, or a placeholder.
  {
    beside: /^authorization/,
    value: here(String.raw`${opened}(?:bearer|basic|token|digest)(?:[ \t]{1,4}${anyNone})?${endOfNone}(?![ \t]{1,4}\S)`),
  },
  {
    beside: /^pass$/,
    value: here(String.raw`\d{1,9}(?= of \d|\/\d|[,;]?[ \t](?:errors?|fail(?:ed)?|skip(?:ped)?|total|warn|xfail)[=: ])`),
  },
  { beside: /^tokens$/, value: here(String.raw`\d{1,12}(?:\/\d{1,12})?${endOfNone}`) },
];

// Matches the words after a secret's name in prose, in messages of validators and in types; after an equals sign nothing is prose.
const proseWords =
  "an?|any|array|at|auth(?:entica|oriza)tion|boolean|can(?:not)?|circular|do(?:es)?(?:n't)?|empty|error|expected|expired|false|fail(?:ed|s|ure)?|field|filtered|function|getter|has|have|header|hidden|i[ns]|incorrect|invalid|length|mask(?:ed)?|missing|must|never|nil|none?|not?|null|number|object|optional|realm|redacted|required|should|string|the|this|too|tokens?|true|undefined|unknown|value|was|wrong|your?";
const prose = here(
  String.raw`(?:${proseWords})(?:[.,:!?)\]}]{0,3}(?:\s|$)|[,=|)\]}])|[([](?:${proseWords})(?:[ :][\w: .]{0,40})?[)\]](?![\w@:/+-])`,
);
const parserWords = /(?:un(?:expected|recognized|terminated)|illegal|expected|next|previous|end of) $/i;

function proseOf({ text, name, before, start }: Place): 'shown' | undefined {
  if (text[start - 1] === '=') return undefined;
  const isToken = /tokens?$/.test(name);
  if (isToken && fits(countOrCode, text, start)) return 'shown';
  if (isToken && parserWords.test(before) && !fits(opaque, text, start)) return 'shown';
  return fits(prose, text, start) && !/cookie/.test(name) ? 'shown' : undefined;
}

// Counts of tokens, and tokens as parsers name them.
const countOrCode = /(?:\[?\d+(?:, ?\d+)*\]?|[A-Z_]{1,24})(?=[\s.,:=!?)}\]]|$)/y;
const opaque = here(String.raw`["'\x60]?(?=[^\s"']{0,99}\d)[^\s"']{16}`);

/** Text between tags: all of it, up to the end of the element. */
function elementOf({ text, start }: Place): Range | undefined {
  return span(element, text, start);
}
const element = here(String.raw`\s{0,80}<!\[CDATA\[(?:[^\]]|\](?!\]>))+(?:\]\]>)?|[^<]+(?=<\/)`);

/** The rest of a line as PHP prints it, without the next item where all stands on one line. */
function lineOf({ text, start }: Place): Range | undefined {
  return span(printed, text, start);
}
const printed = here(
  String.raw`(?!["']|(?:string|int|float|bool)\(|Array\b|\w+ Object\b)(?:[^\s]|[ \t](?!\s{0,9}(?:\[[\w:"'-]{1,60}\] ?=>|(?:\)\s{0,9}){1,9}$|$)))+`,
);

/** A block of YAML: every line that is indented like its first. */
function blockOf({ text, start }: Place): Range | undefined {
  return span(block, text, start);
}
const block = here(
  String.raw`[|>][+-]?\d?[+-]?[ \t]{0,9}${lineEnd}([ \t]+)(?:(?!\\n)[^\n])*(?:(?:\\n|\n)(?:\1(?:(?!\\n)[^\n])*|(?=\\n|\n)))*`,
);

/** A quoted text, also one of bytes or of a given length. Its quotes stay. */
function quotedOf({ text, start }: Place): Range | undefined {
  const opening = match(quote, text, start);
  if (opening === undefined) return undefined;
  quoted.lastIndex = start + opening.length - (openingQuote.exec(opening)?.[0].length ?? 0);
  const [whole, mark = ''] = quoted.exec(text) ?? [];
  return whole === undefined ? undefined : { start: quoted.lastIndex - whole.length + mark.length, end: quoted.lastIndex };
}
// Matches a prefix of quotes: a type as Go and PHP print it, or the mark of bytes and raw texts. The quotes after it begin a text.
const quote = here(
  String.raw`(?:(?:(?:\((?:\*?[a-z][\w.*]{0,38}|len=\d{1,9})\)[ \t]?){1,3}|\w{3,20}\(\d{1,9}\)[ \t]|[bruf@$]|br|rb|r?#{1,3})(?=\\*["'][^\s,;:.)}\]]))?(?:${escapedQuote}|\\*["'\x60])`,
);
const openingQuote = new RegExp(String.raw`(?:${escapedQuote}|\\*["'\x60]+)$`);
const quoted = here(String.raw`("""|'''|${escapedQuote}|\\*["'\x60])(?:(?!\1)(?:\\[\s\S]|[^\\])|'\\''|''(?=\w)|""(?=\w))+`);

/** A value after a word or in brackets of any kind, with all of that: `Just "…"`, `Some("…")`, `[ '…' ]`, `[]string{"…"}`, `<<"…">>`. */
function wrappedOf({ text, name, start }: Place): Range | undefined {
  const wrapped = span(wordAndQuote, text, start);
  if (wrapped !== undefined) return wrapped;
  const opening = match(wrapper, text, start);
  if (opening === undefined) return undefined;
  const isList = opening === '[';
  // A list of what is wrong with a field, and one of the pieces of a text, hold no secret.
  if (isList && (/tokens$/.test(name) || fits(complaint, text, start))) return undefined;
  const end = endOfBrackets(text, start + opening.length);
  // More of the same word, such as the rest of a value of which another rule has hidden the beginning.
  return { start, end: end + (match(restOfWord, text, end)?.length ?? 0) };
}
const wordAndQuote = here(String.raw`[a-z]\w{2,20}[ \t](\\*["'])(?:(?!\1)(?:\\[\s\S]|[^\\]))+\1?`);
const wrapper = here(
  String.raw`(?:new )?(?:[a-z_*&][\w.:*]{0,60}(?:[([]| ?\{|<<)|\[\d{0,9}\][\w.]{1,40}\{|\[(?!\])|<<(?=["'])|\((?=\w?["']))`,
);
const complaint = here(
  String.raw`\[\s{0,9}(?:\w{1,40}\()?(?:\w{1,20}=)?["'](?:[^"']{0,200} )?(?:already|at least|blank|cannot|characters?|contain|does|field|has|invalid|is|least|long|match|missing|must|not|required|short|should|too)[ .,!"']`,
);

const brackets: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/**
 * Finds the end of what the bracket before `from` encloses. Without a closing one that is the end of the line, unless a list goes on in
 * the next. Everything that is read here is hidden, so a text is never read twice.
 */
function endOfBrackets(text: string, from: number): number {
  const opening = text.slice(Math.max(0, from - 2), from);
  const open = [...(opening === '<<' ? opening : opening.slice(-1))].map((bracket) => brackets[bracket] ?? bracket);
  let inQuotes = '';
  let last = opening.slice(-1);
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\n' && inQuotes === '' && !(/[([{,]/.test(last) && /[\s)\]}]/.test(text.charAt(at + 1)))) return at;
    if (sign === '\\') at += 1;
    else if (inQuotes !== '') inQuotes = sign === inQuotes ? '' : inQuotes;
    else if (sign === '"' || sign === '`' || (sign === "'" && !/\w/.test(last))) inQuotes = sign;
    else if (sign === open.at(-1)) {
      open.pop();
      if (open.length === 0) return at + 1;
    } else if (brackets[sign] !== undefined && sign !== '<') open.push(brackets[sign]);
    if (!/\s/.test(sign)) last = sign;
  }
  return text.length;
}

/** The value of a header that consists of words: a scheme with its credentials, or cookies. */
function headerOf({ text, name, start }: Place): Range | 'shown' | undefined {
  if (name.startsWith('cookie')) return span(text[start - 1] === '=' ? token : cookies, text, start) ?? 'shown';
  return name.startsWith('authorization') ? span(scheme, text, start) : undefined;
}
const token = here(String.raw`\S+`);
const cookies = here(String.raw`[^\s=]{1,256}=[^\r\n]*`);
const scheme = here(
  String.raw`(?:digest|aws4|oauth|hawk|mac)\b[^\r\n]*|[\w-]{2,20}[ \t]+(?=\S*[\d=])\S+|(?:bearer|basic|token|bot|[\w-]{0,20}key)[ \t]+\S+`,
);

/** A bare word, up to what ends one: space, quotes, tags, the next parameter; and without the punctuation of a sentence. */
function wordOf({ text, start }: Place): Range | undefined {
  return span(text[start - 1] === '=' ? assigned : word, text, start);
}
const inWord = String.raw`(?:[^\s"'\x60<>&;]|[&;](?![\w.%-][\w.% -]{0,40}[=:]|amp;|quot;|[\s&;"'\x60]|$)|(?<=\w)["'](?=\w))`;
const endOfWord = String.raw`(?<![)\]},.:!?])`;
const word = here(String.raw`(?:[!.?*]{1,3}(?=\w[^\s]{0,99}\d))?[^\s"'\x60<>&;:=()[\]{},.!?]${inWord}*${endOfWord}`);
const restOfWord = here(String.raw`(?=[\w@:/+-])${inWord}*${endOfWord}`);
const assigned = here(String.raw`(?:[!.?,:=(){}[\]]{1,3}(?=\w{2}))?[^\s"'\x60<>&;:=()[\]{},.!?]${inWord}*${endOfWord}`);

function here(source: string, flags = ''): RegExp {
  return new RegExp(source, `iy${flags}`);
}

function fits(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

function span(pattern: RegExp, text: string, start: number): Range | undefined {
  const found = match(pattern, text, start);
  return found === undefined ? undefined : { start, end: start + found.length };
}
