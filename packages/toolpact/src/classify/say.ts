import { isFailureStatus, statusOfReason } from './codes/http-statuses.ts';
import { readEnhancedReply } from './codes/server-replies.ts';
import { type Evidence, find, follow, noteStatus, program } from './evidence.ts';
import { readIdentifier, readQuotedCodes, readSentence } from './read-meaning.ts';
import type { Verdict } from './reading.ts';

const longestSentence = 600;

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. `isOwn` says that the thrown side wrote it as its message. */
export function say(evidence: Evidence, raw: string, depth: number, lighter = 0, isOwn = false): void {
  if (evidence.seen.includes(raw)) return;
  evidence.seen.push(raw);
  const { author, isRunning } = evidence;
  const isSpoken = isRunning && isOwn && evidence.coded !== depth && evidence.answered !== depth;
  if (isIdentifier(raw)) {
    find(evidence, readIdentifier(raw), depth, { text: raw, lighter, isSpoken });
    return;
  }
  let sentence = raw.slice(0, longestSentence);
  const brace = sentence.search(jsonStart);
  if (brace >= 0) {
    const body = parseJson(raw, brace);
    if (body !== undefined) {
      sentence = sentence.slice(0, brace);
      follow(evidence, body, depth, true);
      if (isSpoken && !evidence.isBehind && isSentence(sentence) && !sentence.includes('\n')) evidence.preface ??= sentence.trim();
    }
  }
  const line = isSpoken && author !== program ? withoutValues(firstLine(sentence)).replace(haveTo, 'must') : sentence;
  const source = { text: sentence, author, isSpoken };
  find(evidence, readSentence(line), depth, { ...source, lighter });
  if (webPage.test(raw)) find(evidence, [{ verdict: 'bad_response', weight: 45 }], depth, { text: sentence });
  // Programs that an operator has to install, unless the model named them (see `believeAtCall`).
  if (missingProgram.test(line)) find(evidence, [{ verdict: 'not_configured', weight: 78 }], depth, source);
  const codes = readQuotedCodes(isSpoken ? line.replace(systemCode, '') : line);
  find(evidence, codes, depth, { ...source, lighter, isSpoken: isSpoken && ownCode.test(line) });
  if (isSpoken) {
    for (const [verdict, weight, phrase] of authorsPhrases)
      if (phrase.test(line)) find(evidence, [{ verdict, weight, isAuthors: true }], depth, source);
    if (isNotReturned(line)) find(evidence, [{ verdict: 'bad_response', weight: 42, isAuthors: true }], depth, source);
    if (asksToRepeat.test(line)) find(evidence, [{ verdict: 'upstream', weight: 58 }], depth, { text: sentence, author });
  }
  // A system's code is a fact, also where an application repeats it in words of its own. Whose file is missing, it does not say.
  if (author !== undefined)
    for (const code of sentence.match(systemCode) ?? [])
      find(evidence, readIdentifier(code), depth, { text: sentence, isSpoken, lighter: isSpoken ? 15 : 0 });
  noteQuotedStatus(evidence, sentence, depth);
  find(evidence, readEnhancedReply(sentence), depth, { text: sentence, lighter: -20 });
}

/** Phrases of authors that need more than words in a row. */
const authorsPhrases: readonly (readonly [verdict: Verdict, weight: number, phrase: RegExp])[] = [
  // Waiting does not help where something is available elsewhere.
  ['unsupported', 55, /\b(?:not|n't|only) available (?:as|for|in|on|to|with|when)\b/i],
  ['not_configured', 50, /\b(?:no|not|n't|unable)\b.*\b(?:in|on) (?:your |the |system )?\$?PATH\b/],
];

/** Further lines quote what others said: the output of a program, a report, a stack. A quotation may have lines of its own. */
function firstLine(text: string): string {
  const [line = ''] = /\S(?:"[^"]*"|[^\n])*/.exec(text) ?? [];
  return line;
}

/**
 * A value or name in quotes, or in a list of what may be sent, can consist of any words; a longer quotation is what somebody said, and what
 * is to be run is a command.
 */
export function withoutValues(line: string): string {
  return line.replace(quotedValue, 'it').replace(choices, '$1 it');
}

const quotedValue = /(?<!\w|\b[Rr]un )(["'`])[^\s"'`]*(?: [^\s"'`]+){0,2}\1|\((?=\S*[\d_-])\S+\)/g;
// "must be one of Open, In progress", "Valid states: open, in progress".
const choices =
  /((?<=\S )one of(?! (?:the|these|those|its|our|your|their)\b)|\b(?:accepted|allowed|available|expected|known|possible|supported|valid) \w+(?: \w+)?:)[^,.;!?\n]{1,60},[^.;!?\n]*/gi;

// A sentence of its own at the end, and not a part of one that says what to change before.
const asksToRepeat =
  /(?:^|[.!;]\s+)(?:please,? )?(?:try|retry)(?: again)?(?: later| shortly| in an? (?:moment|while)| in a few \w+)?[.!]?\s*$/i;

/** Takes note of a status that a sentence quotes, as a number or as its reason. */
function noteQuotedStatus(evidence: Evidence, sentence: string, depth: number): void {
  const [, first = ''] = firstReason.exec(sentence) ?? [];
  const [, last = ''] = lastReason.exec(sentence) ?? [];
  const byReason = statusOfReason(last) ?? statusOfReason(first);
  if (/[3-5]\d\d/.test(sentence)) {
    const quoted = statusPattern.exec(sentence);
    if (quoted !== null) {
      noteStatus(evidence, Number(quoted[1] ?? quoted[2] ?? quoted[3]), depth, /\bHTTP\b/.test(quoted[0]) || undefined);
      return;
    }
    const status = Number(lastStatus.exec(sentence)?.slice(1).find(Boolean));
    if (isFailureStatus(status)) {
      noteStatus(evidence, status, depth);
      return;
    }
  }
  if (byReason !== undefined && evidence.isRunning) noteStatus(evidence, byReason, depth, true, sentence);
}

/** Tells words that an author chose from the few that every client has: "fetch failed", "Network Error". */
export function isSentence(text: string): boolean {
  return /^\s*\S+\s+\S+\s+\S/.test(text);
}

/** Distinguishes a code from a sentence. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z][\w.:/-]{0,63}$/.test(text);
}

/** Checks whether a sentence says that something was missing in what came back. */
export function isNotReturned(text: string): boolean {
  return notReturned.test(text.slice(0, longestSentence));
}

const notReturned =
  /\b(?:(?:was|were|been|are|is)(?: not|n't) (?:returned|received)|(?:did|does)(?: not|n't) return an?|no (?:\w+ ){1,3}(?:was |were )?returned|no (?:answer|confirmation|reply|response)|returned no result)\b/i;
const haveTo = /\b(?:has|have|needs?) to(?= be\b)/i;
/** Who was to answer in data and answered with a page is not the service that was meant. */
const webPage = /^\s*<(?:!doctype html|html)\b/i;
/** A code that begins a sentence is its author's; one within it quotes a service. */
const ownCode = /^[A-Z][A-Z\d_]+:/;
const missingProgram = /\bspawn(?:Sync)? (?:.{1,200}? )?ENOENT\b/;
const systemCode = /\bE[A-Z]{4,}\b/g;
const jsonStart = /[{[]\s*["{]/;
const statusPattern =
  /\b(?:[Ss]tatus(?:_?[Cc]ode)?|[Cc]ode|[Ee]rror|HTTP(?:[ -]ERROR|\/[\d.]+)?|[Rr]esponse|responded with|returned|answered|failed)[\s:=("']{1,3}([3-5]\d\d)\b(?!\W\d)|(?:^\W*|<title>)([45]\d\d)\b(?!\W\d)|\b([45]\d\d) (?:Bad|Un|Forb|Not|Req|Conf|Too|Int|Serv|Gate|Pay)/;

// `Failed to fetch the document: 503`, `Rate limit hit (429).`, `Search failed [403]`, `Error creating the database: 400 {`.
const lastStatus = /: ([45]\d\d)(?=\s*[.!]?\s*$|\s+[A-Z{(])|[([]([45]\d\d)[)\]](?=\s*(?:[.!:;,<]|$))/;
const firstReason = /^(Forbidden|Unauthorized|[A-Z][a-z]+ [A-Z][a-z]+(?: [A-Z][a-z]+)?)[.:!]/;
const lastReason = /(?:^|: )([A-Z][A-Za-z ]{3,30})[.!]?$/;

function parseJson(text: string, from: number): unknown {
  if (text.length > 20_000) return undefined;
  try {
    return JSON.parse(text.slice(from, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
  } catch {
    return undefined;
  }
}
