import { asString, isObject, peek, peekString, propertyReader } from './peek.ts';
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

/** Looks through a thrown value, its causes, wrappers, responses and bodies. Bounded in depth, width and text, whatever it is given. */
export function gatherEvidence(thrown: unknown): Evidence {
  const evidence: Evidence = {
    findings: [],
    visited: [],
    status: undefined,
    responded: false,
    remoteText: undefined,
    ownText: undefined,
    code: undefined,
    remoteCode: undefined,
    name: undefined,
  };
  const walk: Walk = { evidence, queue: [{ value: thrown, depth: 0, remote: false }], said: [] };
  for (let index = 0; index < walk.queue.length; index++) {
    try {
      visit(walk, walk.queue[index] as Step);
    } catch {
      // A revoked proxy throws at every touch; the rest of the evidence still counts.
    }
  }
  return evidence;
}

interface Step {
  readonly value: unknown;
  readonly depth: number;
  /** Whether this lies inside an answer of the other side. */
  readonly remote: boolean;
}

interface Walk {
  readonly evidence: Evidence;
  readonly queue: Step[];
  readonly said: string[];
}

const mostNodes = 24;
const deepest = 7;
const longestSentence = 600;

// biome-ignore format: a list to look through
const statuses = propertyReader((o) => [
  o.status, o.statusCode, o.httpStatus, o.httpStatusCode, o.http_status, o.status_code, o.responseStatus, o.responseCode,
]);
// biome-ignore format: a list to look through
const codes = propertyReader((o) => [
  o.code, o.errno, o.codeName, o.sqlState, o.sqlstate, o.errorCode, o.error_code, o.Code, o.errorNum, o.type, o.__type, o.category,
  o.kind, o.errorName, o.subcode, o.decline_code,
]);
// Causes before responses: what is nearer to the failure is read first.
// biome-ignore format: a list to look through
const inner = propertyReader((o) => [
  o.cause, o.original, o.originalError, o.parent, o.lastError, o.inner, o.innerError, o.innererror, o.err, o.underlying, o.previous,
  o.exception, o.networkError, o.response, o.$response, o.rawResponse, o.httpResponse, o.data, o.json, o.shape, o.meta, o.output, o.result,
  o.extensions, o.context, o.info, o.errorResponse, o.errorInfo, o.issues, o.failures, o.replies, o.writeErrors, o.graphQLErrors,
  o.parameters, o.$metadata, o.event, o.payload, o.fault, o.value, o.driverError,
]);
// biome-ignore format: a list to look through
const texts = propertyReader((o) => [
  o.message, o.error, o.error_description, o.errorMessage, o.error_message, o.detail, o.details, o.description, o.errmsg, o.msg,
  o.Message, o.title, o.reason, o.shortMessage, o.stderr, o.body, o.responseBody, o.responseText, o.text, o.content, o.errors,
]);
// biome-ignore format: a list to look through
const additions = propertyReader((o) => [
  o.cause, o.code, o.status, o.statusCode, o.response, o.data, o.body, o.error, o.errors, o.type, o.reason, o.details, o.detail, o.context,
  o.description, o.timedOut, o.killed, o.errorCode, o.original, o.originalError, o.parent, o.lastError, o.inner, o.innerError, o.driverError,
  o.issues, o.meta, o.info, o.output, o.result, o.$metadata, o.$response, o.graphQLErrors,
]);
const nativePrototypes = new Set<unknown>([Error, TypeError, RangeError, SyntaxError, ReferenceError].map(({ prototype }) => prototype));
// A killed child is last: its own error may say why.
const flags = propertyReader((o) => [o.timedOut, o.timedout, o.isCanceled, o.canceled, o.isMaxBuffer, o.killed]);
const nativeNames = /^(?:Type|Range|Syntax|Reference)?Error$/;
const flagVerdicts = ['timeout', 'timeout', 'cancelled', 'cancelled', 'too_large', 'timeout'] as const;
const issueMarks = propertyReader((o) => [o.path, o.instancePath, o.keyword, o.constraints, o.loc, o.property]);

const remoteKeys = /^(?:\$?response|rawResponse|httpResponse|data|body|json|shape|errors?|errorResponse|extensions|responseBody|result)$/;
const vagueCodeKeys = /^(?:type|kind|category)$/;
const plainNames = /^(?:Error|Object|Array|AggregateError)$/;

function visit(walk: Walk, { value, depth, remote }: Step): void {
  if (typeof value === 'string') say(walk, value, depth, 0);
  else if (Array.isArray(value)) visitList(walk, value, depth, remote);
  else if (isObject(value)) visitObject(walk, value, depth, remote);
}

function visitList(walk: Walk, list: readonly unknown[], depth: number, remote: boolean): void {
  if (looksLikeIssue(list[0])) find(walk, { verdict: 'invalid_input', weight: 66 }, depth);
  for (let index = 0; index < Math.min(list.length, 3); index++) follow(walk, list[index], depth, remote);
  if (list.length > 3) follow(walk, list[list.length - 1], depth, remote);
}

function visitObject(walk: Walk, node: object, depth: number, remote: boolean): void {
  const { evidence } = walk;
  if (evidence.visited.includes(node)) return;
  evidence.visited.push(node);

  if (isBare(node)) {
    const message = asString((node as Error).message);
    noteName(walk, (node as Error).name, depth, remote);
    evidence.ownText ??= message;
    if (message !== undefined) say(walk, message, depth, 0);
    return;
  }
  noteName(walk, (node as { name?: unknown }).name, depth, remote);
  noteName(walk, (node.constructor as { name?: unknown } | undefined)?.name, depth, remote);
  const hasStatus = noteStatuses(walk, node, depth);
  noteCodes(walk, node, depth, remote, hasStatus);
  noteFlags(walk, node, depth);

  // A fetch Response gives its body only once and warns about look-alike fields: only what was put on it is read.
  const sealed = typeof (node as { json?: unknown }).json === 'function';
  const inside = inner.read(node);
  for (let index = 0; index < inside.length; index++) {
    const value = inside[index];
    if (value === undefined || typeof value === 'function') continue;
    const key = inner.names[index] as string;
    if (!sealed || Object.hasOwn(node, key)) follow(walk, value, depth, remote || remoteKeys.test(key));
  }
  const said = texts.read(node);
  for (let index = 0; index < said.length; index++) {
    const value = said[index];
    if (value === undefined || value === null) continue;
    const key = texts.names[index] as string;
    if (sealed && !Object.hasOwn(node, key)) continue;
    if (typeof value === 'string') {
      const quotable = remote && jsonStart.exec(value.slice(0, 3))?.index === 0 ? undefined : asString(value);
      if (remote) evidence.remoteText ??= quotable;
      else evidence.ownText ??= quotable;
      say(walk, value, depth, 0);
    } else {
      follow(walk, value, depth, remote || remoteKeys.test(key));
    }
  }
  if (depth === 0 && evidence.ownText !== undefined && looksLikeIssue(node)) find(walk, { verdict: 'invalid_input', weight: 29 }, depth);
}

/** Tells an error of the language that nobody added anything to; most bugs are one, and they need no search. */
function isBare(node: object): boolean {
  if (!nativePrototypes.has(Object.getPrototypeOf(node))) return false;
  if (!nativeNames.test((node as Error).name)) return false;
  const added = additions.read(node);
  for (let index = 0; index < added.length; index++) if (added[index] !== undefined) return false;
  return true;
}

function noteFlags(walk: Walk, node: object, depth: number): void {
  const raised = flags.read(node).indexOf(true);
  if (raised >= 0) find(walk, { verdict: flagVerdicts[raised] as Reading['verdict'], weight: raised < 5 ? 77 : 45 }, depth);
}

function noteName(walk: Walk, name: unknown, depth: number, remote: boolean): void {
  if (typeof name !== 'string' || plainNames.test(name)) return;
  if (!remote && name.length > 2) walk.evidence.name ??= name.slice(0, 64);
  say(walk, name, depth, 20);
}

function noteStatuses(walk: Walk, node: object, depth: number): boolean {
  let found = false;
  const values = statuses.read(node);
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    const key = statuses.names[index];
    const status = Number(value);
    if (isStatus(status)) {
      noteStatus(walk, status, depth, key !== 'responseCode');
      found = true;
    } else if (key === 'status' && typeof value === 'string') {
      say(walk, value, depth, 4);
    }
    if (status > 0) walk.evidence.responded ||= isObject(peek(node, 'headers') ?? peek(node, 'responseHeaders'));
  }
  return found;
}

function noteCodes(walk: Walk, node: object, depth: number, remote: boolean, hasStatus: boolean): void {
  const values = codes.read(node);
  for (let index = 0; index < values.length; index++) {
    const code = values[index];
    if (code === undefined || code === null) continue;
    if (typeof code === 'string') noteCode(walk, code, depth, remote, vagueCodeKeys.test(codes.names[index] as string));
    else if (typeof code === 'number') noteNumber(walk, node, code, depth, hasStatus);
    else follow(walk, code, depth, remote);
  }
}

function follow(walk: Walk, value: unknown, depth: number, remote: boolean): void {
  if (depth >= deepest || walk.queue.length >= mostNodes) return;
  if (isObject(value) || (typeof value === 'string' && value !== '')) walk.queue.push({ value, depth: depth + 1, remote });
}

function find(walk: Walk, reading: Reading, depth: number, text?: string, status?: number, lighter = 0): void {
  walk.evidence.findings.push({ verdict: reading.verdict, weight: reading.weight - lighter, depth, text, status });
}

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. */
function say(walk: Walk, raw: string, depth: number, lighter: number): void {
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

const jsonStart = /[{[]\s*["{]/;
const identifierPattern = /^[A-Za-z][\w.:/-]*$/;
const statusPattern =
  /\b(?:status(?:[ _-]?code)?|HTTP(?:[ -]code|\/\d(?:\.\d)?)?|response(?: code)?|responded with|returned|answered|server response)[\s:=("']{1,3}([3-5]\d\d)\b|^\W*([45]\d\d)\b|\b([45]\d\d) (?:Bad|Unauth|Forbidden|Not|Method|Request|Conflict|Gone|Too|Internal|Service|Gateway|Payload|Unproc|Payment)/i;

const busyMailbox: Reading = { verdict: 'upstream', weight: 60 };

function noteStatus(walk: Walk, status: number, depth: number, isHttp: boolean): void {
  // Mail servers answer with these when they want the message later.
  const reading = !isHttp && status < 460 ? busyMailbox : readStatus(status);
  if (reading === undefined) return;
  if (isHttp && status < 530) walk.evidence.status ??= status;
  find(walk, reading, depth, undefined, status);
}

function noteCode(walk: Walk, code: string, depth: number, remote: boolean, vague: boolean): void {
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

function noteNumber(walk: Walk, node: object, code: number, depth: number, hasStatus: boolean): void {
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

function isStatus(code: number): boolean {
  return code >= 300 && code < 600;
}

/** A GraphQL error has a path too, but it points into the answer. */
function looksLikeIssue(item: unknown): boolean {
  if (!isObject(item) || peek(item, 'extensions') !== undefined || peek(item, 'locations') !== undefined) return false;
  return issueMarks.read(item).some((mark) => mark !== undefined);
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
