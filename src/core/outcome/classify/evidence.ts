import { isObject } from '../../json/index.ts';
import { isFailureStatus, readHttpCode, statusOfReason } from './codes/http-statuses.ts';
import { firstServerReply, readEnhancedReply, readServerReply } from './codes/server-replies.ts';
import { readIdentifier, readQuotedCodes, readSentence } from './read-meaning.ts';
import type { Reading } from './reading.ts';

/** A reading, with where it was found. */
export interface Finding extends Reading {
  readonly depth: number;
  readonly text: string | undefined;
  readonly status: number | undefined;
  /** The plain error whose sentence this was read from: where it was made decides whether its words count. */
  readonly author: object | undefined;
  /** Whether a call's own side said this in a sentence, with neither a status nor a code next to it. */
  readonly isSpoken: boolean;
  /** Whether this was said behind the thrown error. */
  readonly isBehind: boolean;
}

/** One value still to be looked into. */
export interface Step {
  readonly value: unknown;
  readonly depth: number;
  /** Whether this lies inside an answer of the other side. */
  readonly remote: boolean;
  /** Whether this is one of a list. */
  readonly listed: boolean;
  /** Whether this lies behind the thrown error, in its cause. */
  readonly isBehind: boolean;
}

/** Everything a thrown value says about what went wrong, and what is still to be looked into. */
export interface Evidence {
  readonly queue: Step[];
  /** What was read already. */
  readonly seen: unknown[];
  readonly findings: Finding[];
  /** Addresses that may have been called, nearest first. */
  readonly urls: string[];
  readonly headers: object[];
  /** Waits stated in fields, each with its unit in milliseconds. One without says when a limit ends: as a date, or as seconds from now. */
  readonly waits: (readonly [wait: unknown, unit?: number])[];
  /** The first error status of a response. */
  status?: number | undefined;
  /** The object that holds both a status and headers: the other side answered. */
  response?: unknown;
  /** Whether what is being read lies behind the thrown error. */
  isBehind: boolean;
  /** Whether what is being read is one of a list. */
  isListed: boolean;
  /** What the other side wrote, where it wrote something readable. */
  remoteText?: string | undefined;
  /** What an author says before a body that the message quotes. */
  preface?: string | undefined;
  /** The complaints that it lists besides. */
  readonly complaints: string[];
  /** What the other side wrote, as the cause of the thrown error has it. */
  causeText?: string | undefined;
  /** What the thrown value itself says. */
  ownText?: string | undefined;
  /** Whether sentences say nothing: only statuses, codes, names and causes count. */
  readonly structured: boolean;
  /** Whether a handler threw it. */
  readonly isRunning: boolean;
  /** The depth of the last thing with a status or a code of its own. */
  answered?: number;
  /** Whether headers or an address show that a request was made. */
  requested?: boolean;
  /** One of the numbers by which a coded response names its error. */
  number?: number | undefined;
  /** A system or provider code. */
  code?: string | undefined;
  /** What the error with that code says. */
  codeText?: string | undefined;
  /** The code inside a response body. */
  remoteCode?: string | undefined;
  /** The name of the thrown error, or its class where no call is known. */
  name?: string | undefined;
  /** The class of what a handler threw: it is shown, and decides nothing. */
  className?: string | undefined;
  /** An `error.type` given at the throw site. */
  errorType?: string | undefined;
  /** The plain error that is being read, if it is one. */
  author?: object | undefined;
  /** The depth of the last thing whose code said something. */
  coded?: number;
  requestId?: string | undefined;
  /** The first complaint of a schema library, with its field. */
  issue?: string | undefined;
}

/** Stands for a program that failed: it says anything in any words, and where it was started says nothing about them. */
export const program = {};

const maxNodes = 24;
const deepest = 7;
const longestSentence = 600;

/** Checks whether a finding is a complaint about what was given. */
export function isComplaint({ verdict, weight }: Finding): boolean {
  return verdict === 'invalid_input' && weight > 27;
}

/** Queues a value that may say more, within bounds. */
export function follow(
  evidence: Evidence,
  value: unknown,
  depth: number,
  remote: boolean,
  listed = false,
  isBehind = evidence.isBehind,
): void {
  const { queue } = evidence;
  if (depth < deepest && queue.length < maxNodes && (isObject(value) || typeof value === 'string'))
    queue.push({ value, depth: depth + 1, remote, listed, isBehind });
}

/** Puts readings on record. */
export function find(
  { findings, isBehind }: Evidence,
  readings: readonly Reading[],
  depth: number,
  text?: string,
  status?: number,
  lighter = 0,
  author?: object,
  isSpoken = false,
): void {
  for (const { verdict, weight } of readings)
    findings.push({ verdict, weight: weight - lighter, depth, text, status, author, isSpoken, isBehind });
}

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. `isOwn` says that the thrown side wrote it as its message. */
export function say(evidence: Evidence, raw: string, depth: number, lighter = 0, isOwn = false): void {
  if (evidence.seen.includes(raw)) return;
  evidence.seen.push(raw);
  const { author, isRunning } = evidence;
  const isSpoken = isRunning && isOwn && evidence.coded !== depth && evidence.answered !== depth;
  if (isIdentifier(raw)) {
    find(evidence, readIdentifier(raw), depth, raw, undefined, lighter, undefined, isSpoken);
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
  const line = isSpoken && author !== program ? withoutQuotations(firstLine(sentence)) : sentence;
  find(evidence, readSentence(line), depth, sentence, undefined, lighter, author, isSpoken);
  // What an operator has to install, unless the model named it (see `decide`).
  if (missingProgram.test(line))
    find(evidence, [{ verdict: 'not_configured', weight: 78 }], depth, sentence, undefined, 0, author, isSpoken);
  find(evidence, readQuotedCodes(isSpoken ? line.replace(systemCode, '') : line), depth, sentence, undefined, lighter, author);
  if (isSpoken && asksToRepeat.test(line)) find(evidence, [{ verdict: 'upstream', weight: 58 }], depth, sentence, undefined, 0, author);
  // A system's code is a fact, also where an application repeats it in words of its own. Whose file is missing, it does not say.
  if (author !== undefined)
    for (const code of sentence.match(systemCode) ?? [])
      find(evidence, readIdentifier(code), depth, sentence, undefined, isSpoken ? 15 : 0, undefined, isSpoken);
  noteQuotedStatus(evidence, sentence, depth);
  find(evidence, readEnhancedReply(sentence), depth, sentence, undefined, -20);
}

/** Further lines quote what others said: the output of a program, a report, a stack. A quotation may have lines of its own. */
function firstLine(text: string): string {
  const [line = ''] = /\S(?:"[^"]*"|[^\n])*/.exec(text) ?? [];
  return line;
}

/** A value or name in quotes may consist of any words; a longer quotation is what somebody said. */
function withoutQuotations(line: string): string {
  return line.replace(/(?<!\w)(["'`])[^\s"'`]*(?: [^\s"'`]+){0,2}\1|\((?=\S*[\d_-])\S+\)/g, 'it');
}

// A sentence of its own at the end, and not a part of one that says what to change before.
const asksToRepeat =
  /(?:^|[.!;]\s+)(?:please,? )?(?:try|retry)(?: again)?(?: later| shortly| in an? (?:moment|while)| in a few \w+)?[.!]?\s*$/i;

/** Takes note of a status that a sentence quotes, as a number or as its reason. */
function noteQuotedStatus(evidence: Evidence, sentence: string, depth: number): void {
  const [, first = ''] = firstReason.exec(sentence) ?? [];
  const [, last = ''] = lastReason.exec(sentence) ?? [];
  const byReason = statusOfReason(last) ?? statusOfReason(first);
  if (/[3-5]\d\d/.test(sentence)) {
    const found = statusPattern.exec(sentence);
    if (found !== null) {
      noteStatus(evidence, Number(found[1] ?? found[2] ?? found[3]), depth, /\bHTTP\b/.test(found[0]) || undefined);
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

/** Takes note of a status that comes with a failed request; `text` holds it in words. */
export function noteStatus(evidence: Evidence, status: number, depth: number, isHttp = status < firstServerReply, text?: string): void {
  if (isHttp) evidence.status ??= status;
  find(evidence, isHttp ? readHttpCode(status) : readServerReply(status), depth, text, status);
}

const missingProgram = /\bspawn(?:Sync)? \S+ ENOENT\b/;
const systemCode = /\bE[A-Z]{4,}\b/g;
const jsonStart = /[{[]\s*["{]/;
const statusPattern =
  /\b(?:[Ss]tatus(?:_?[Cc]ode)?|[Cc]ode|[Ee]rror|HTTP(?:[ -]ERROR|\/[\d.]+)?|[Rr]esponse|responded with|returned|answered|failed)[\s:=("']{1,3}([3-5]\d\d)\b(?!\W\d)|(?:^\W*|<title>)([45]\d\d)\b(?!\W\d)|\b([45]\d\d) (?:Bad|Un|Forb|Not|Req|Conf|Too|Int|Serv|Gate|Pay)/;

// `Failed to fetch the document: 503`, `Rate limit hit (429)`, `Error creating the database: 400 {`.
const lastStatus = /: ([45]\d\d)\s*[.!]?\s*$|\(([45]\d\d)\)/;
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
