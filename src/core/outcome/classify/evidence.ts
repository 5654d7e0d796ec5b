import { isObject, peek, peekString } from './peek.ts';
import { type Reading, readIdentifier, readSentence } from './read-meaning.ts';
import { readGrpcCode, readRpcCode, readSqlState, readStatus } from './statuses.ts';

/** A reading, with where it was found. */
export interface Finding extends Reading {
  readonly depth: number;
  readonly text: string | undefined;
  readonly status: number | undefined;
}

/** Everything a thrown value says about what went wrong. */
export interface Evidence {
  readonly findings: Finding[];
  /** The objects that were looked into, outermost first. */
  readonly visited: object[];
  /** The first error status of a response. */
  status: number | undefined;
  /** Whether headers next to a status show that the other side answered. */
  responded: boolean;
  /** What the other side wrote, where it wrote something readable. */
  remoteText: string | undefined;
  /** What the thrown value itself says. */
  ownText: string | undefined;
  /** A system or provider code. */
  code: string | undefined;
  /** The code inside a response body. */
  remoteCode: string | undefined;
  /** The class or name of the thrown error. */
  name: string | undefined;
}

/** One value still to be looked into. */
export interface Step {
  readonly value: unknown;
  readonly depth: number;
  /** Whether this lies inside an answer of the other side. */
  readonly remote: boolean;
}

/** A search in progress. */
export interface Walk {
  readonly evidence: Evidence;
  readonly queue: Step[];
  readonly said: string[];
}

const mostNodes = 24;
const deepest = 7;
const longestSentence = 600;

/** Queues a value that may say more, within bounds. */
export function follow(walk: Walk, value: unknown, depth: number, remote: boolean): void {
  if (depth >= deepest || walk.queue.length >= mostNodes) return;
  if (isObject(value) || (typeof value === 'string' && value !== '')) walk.queue.push({ value, depth: depth + 1, remote });
}

/** Puts a reading on record. */
export function find(walk: Walk, reading: Reading, depth: number, text?: string, status?: number, lighter = 0): void {
  walk.evidence.findings.push({ verdict: reading.verdict, weight: reading.weight - lighter, depth, text, status });
}

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. */
export function say(walk: Walk, raw: string, depth: number, lighter: number): void {
  if (raw === '' || walk.said.includes(raw)) return;
  walk.said.push(raw);
  if (raw.length <= 64 && identifierPattern.test(raw)) {
    for (const reading of readIdentifier(raw)) find(walk, reading, depth, raw, undefined, lighter);
    return;
  }
  let sentence = raw.slice(0, longestSentence);
  const brace = sentence.search(jsonStart);
  if (brace >= 0) {
    const body = parseJson(raw, brace);
    if (body !== undefined) {
      follow(walk, body, depth, true);
      sentence = sentence.slice(0, brace);
    }
  }
  for (const reading of readSentence(sentence)) find(walk, reading, depth, sentence, undefined, lighter);
  const status = /\d{3}/.test(sentence) ? statusPattern.exec(sentence) : null;
  if (status !== null) noteStatus(walk, Number(status[1] ?? status[2] ?? status[3]), depth, true);
}

/** Where JSON begins in a text. */
export const jsonStart = /[{[]\s*["{]/;
const identifierPattern = /^[A-Za-z][\w.:/-]*$/;
const statusPattern =
  /\b(?:status(?:[ _-]?code)?|HTTP(?:[ -]code|\/\d(?:\.\d)?)?|response(?: code)?|responded with|returned|answered|server response)[\s:=("']{1,3}([3-5]\d\d)\b|^\W*([45]\d\d)\b(?!\W\d)|\b([45]\d\d) (?:Bad|Unauth|Forbidden|Not|Method|Request|Conflict|Gone|Too|Internal|Service|Gateway|Payload|Unproc|Payment)/i;

const busyMailbox: Reading = { verdict: 'upstream', weight: 60 };

/** Takes note of a status. */
export function noteStatus(walk: Walk, status: number, depth: number, isHttp: boolean): void {
  // Mail servers answer with these when they want the message later.
  const reading = !isHttp && status < 460 ? busyMailbox : readStatus(status);
  if (reading === undefined) return;
  if (isHttp && status < 530) walk.evidence.status ??= status;
  find(walk, reading, depth, undefined, status);
}

/** Takes note of an error code that is a string. */
export function noteCode(walk: Walk, code: string, depth: number, remote: boolean, vague: boolean): void {
  if (!vague && code.length <= 64 && identifierPattern.test(code)) {
    if (remote) walk.evidence.remoteCode ??= code;
    walk.evidence.code ??= code;
  }
  if (/^\d{3}$/.test(code)) {
    noteStatus(walk, Number(code), depth, true);
  } else if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    const reading = readSqlState(code);
    if (reading !== undefined) find(walk, reading, depth);
  }
  say(walk, code, depth, vague ? 10 : 0);
}

/** Takes note of an error code that is a number: whose it is shows in what lies next to it. */
export function noteNumber(walk: Walk, node: object, code: number, depth: number, hasStatus: boolean): void {
  if (code > 0 && code <= 16 && peek(node, 'metadata') !== undefined) {
    const name = readGrpcCode(code);
    if (name !== undefined) say(walk, name, depth, 0);
  } else if (code < -30000) {
    const reading = readRpcCode(code);
    if (reading !== undefined) find(walk, reading, depth);
  } else if (isStatus(code) && !hasStatus && peekString(node, 'codeName') === undefined) {
    noteStatus(walk, code, depth, true);
  }
}

/** Tells whether a number can be the status of a failed request. */
export function isStatus(code: number): boolean {
  return code >= 300 && code < 600;
}

function parseJson(text: string, from: number): unknown {
  if (text.length > 20_000) return undefined;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  try {
    return end > from ? JSON.parse(text.slice(from, end + 1)) : undefined;
  } catch {
    return undefined;
  }
}
