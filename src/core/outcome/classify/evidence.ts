import { isObject } from '../../json/index.ts';
import { readHttpCode } from './codes/http-statuses.ts';
import { firstServerReply, readEnhancedReply, readServerReply } from './codes/server-replies.ts';
import { readIdentifier, readSentence } from './read-meaning.ts';
import type { Reading } from './reading.ts';

/** A reading, with where it was found. */
export interface Finding extends Reading {
  readonly depth: number;
  readonly text: string | undefined;
  readonly status: number | undefined;
  /** The plain error whose sentence this was read from: where it was made decides whether its words count. */
  readonly author: object | undefined;
}

/** One value still to be looked into. */
export interface Step {
  readonly value: unknown;
  readonly depth: number;
  /** Whether this lies inside an answer of the other side. */
  readonly remote: boolean;
  /** Whether this is one of a list. */
  readonly listed: boolean;
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
  /** What the other side wrote, where it wrote something readable. */
  remoteText?: string | undefined;
  /** What the thrown value itself says. */
  ownText?: string | undefined;
  /** Whether sentences say nothing: only statuses, codes, names and causes count. */
  readonly structured: boolean;
  /** One of the numbers by which a coded response names its error. */
  number?: number | undefined;
  /** A system or provider code. */
  code?: string | undefined;
  /** What the error with that code says. */
  codeText?: string | undefined;
  /** The code inside a response body. */
  remoteCode?: string | undefined;
  /** The class or name of the thrown error. */
  name?: string | undefined;
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

const maxNodes = 24;
const deepest = 7;
const longestSentence = 600;

/** Queues a value that may say more, within bounds. */
export function follow({ queue }: Evidence, value: unknown, depth: number, remote: boolean, listed = false): void {
  if (depth < deepest && queue.length < maxNodes && (isObject(value) || typeof value === 'string'))
    queue.push({ value, depth: depth + 1, remote, listed });
}

/** Puts readings on record. */
export function find(
  { findings }: Evidence,
  readings: readonly Reading[],
  depth: number,
  text?: string,
  status?: number,
  lighter = 0,
  author?: object,
): void {
  for (const { verdict, weight } of readings) findings.push({ verdict, weight: weight - lighter, depth, text, status, author });
}

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. */
export function say(evidence: Evidence, raw: string, depth: number, lighter = 0): void {
  if (evidence.seen.includes(raw)) return;
  evidence.seen.push(raw);
  if (isIdentifier(raw)) {
    find(evidence, readIdentifier(raw), depth, raw, undefined, lighter);
    return;
  }
  let sentence = raw.slice(0, longestSentence);
  const brace = sentence.search(jsonStart);
  if (brace >= 0) {
    const body = parseJson(raw, brace);
    if (body !== undefined) {
      follow(evidence, body, depth, true);
      sentence = sentence.slice(0, brace);
    }
  }
  const { author } = evidence;
  find(evidence, readSentence(sentence), depth, sentence, undefined, lighter, author);
  // A system's code is a fact, also where an application repeats it in words of its own.
  if (author !== undefined) for (const code of sentence.match(systemCode) ?? []) find(evidence, readIdentifier(code), depth, sentence);
  if (!/[3-5]\d\d/.test(sentence)) return;
  const status = statusPattern.exec(sentence);
  if (status !== null) noteStatus(evidence, Number(status[1] ?? status[2] ?? status[3]), depth, /\bHTTP\b/.test(status[0]) || undefined);
  find(evidence, readEnhancedReply(sentence), depth, sentence, undefined, -20);
}

/** Distinguishes a code from a sentence. */
export function isIdentifier(text: string): boolean {
  return /^[A-Za-z][\w.:/-]{0,63}$/.test(text);
}

/** Takes note of a status that comes with a failed request. */
export function noteStatus(evidence: Evidence, status: number, depth: number, isHttp = status < firstServerReply): void {
  if (isHttp) evidence.status ??= status;
  find(evidence, isHttp ? readHttpCode(status) : readServerReply(status), depth, undefined, status);
}

const systemCode = /\bE[A-Z]{4,}\b/g;
const jsonStart = /[{[]\s*["{]/;
const statusPattern =
  /\b(?:[Ss]tatus(?:_?[Cc]ode)?|[Cc]ode|[Ee]rror|HTTP(?:[ -]ERROR|\/[\d.]+)?|[Rr]esponse|responded with|returned|answered|failed)[\s:=("']{1,3}([3-5]\d\d)\b(?!\W\d)|(?:^\W*|<title>)([45]\d\d)\b(?!\W\d)|\b([45]\d\d) (?:Bad|Un|Forb|Not|Req|Conf|Too|Int|Serv|Gate|Pay)/;

function parseJson(text: string, from: number): unknown {
  if (text.length > 20_000) return undefined;
  try {
    return JSON.parse(text.slice(from, Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1));
  } catch {
    return undefined;
  }
}
