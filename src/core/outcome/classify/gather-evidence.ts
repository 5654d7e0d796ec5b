import { peek, peekString } from './peek.ts';
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
  /** Whether headers or a response object show that the other side answered. */
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
  const walk: Walk = { evidence, queue: [{ value: thrown, depth: 0, remote: false }], said: new Set() };
  for (let index = 0; index < walk.queue.length && index < mostNodes; index++) visit(walk, walk.queue[index] as Step);
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
  readonly said: Set<string>;
}

const mostNodes = 24;
const deepest = 7;
const longestSentence = 600;

const statusKeys = 'status statusCode httpStatus httpStatusCode http_status status_code responseStatus responseCode'.split(' ');
const codeKeys =
  'code errno codeName sqlState sqlstate errorCode error_code Code errorNum errcode type __type category kind errorName subcode decline_code'.split(
    ' ',
  );
const textKeys =
  'message error error_description errorMessage error_message detail details description errmsg msg Message title reason shortMessage stderr body responseBody responseText text content errors'.split(
    ' ',
  );
// Causes before responses: what is nearer to the failure is read first.
const innerKeys =
  'cause original originalError parent lastError inner innerError innererror err underlying previous exception networkError response $response rawResponse data json shape meta output result extensions context info errorResponse errorInfo issues failures replies writeErrors graphQLErrors parameters $metadata event payload fault value driverError'.split(
    ' ',
  );
const remoteKeys = new Set(
  'response $response rawResponse data body json shape error errors errorResponse extensions responseBody result'.split(' '),
);
const flagKinds = {
  timedOut: 'timeout',
  timedout: 'timeout',
  isTimeout: 'timeout',
  isCanceled: 'cancelled',
  canceled: 'cancelled',
  isMaxBuffer: 'too_large',
} as const;
const plainNames = new Set(['Error', 'Object', 'Array', 'AggregateError']);

function visit(walk: Walk, { value, depth, remote }: Step): void {
  if (typeof value === 'string') {
    say(walk, value, depth, remote, 0);
  } else if (Array.isArray(value)) {
    visitList(walk, value, depth, remote);
  } else if (typeof value === 'object' && value !== null) {
    visitObject(walk, value, depth, remote);
  }
}

function visitList(walk: Walk, list: readonly unknown[], depth: number, remote: boolean): void {
  if (looksLikeIssue(peek(list, '0'))) find(walk, { verdict: 'invalid_input', weight: 66 }, depth, undefined);
  const length = Number(peek(list, 'length'));
  for (const index of [0, 1, 2, length - 1])
    if (index < length && (index < 3 || index === length - 1)) follow(walk, peek(list, String(index)), depth, remote);
}

function visitObject(walk: Walk, node: object, depth: number, remote: boolean): void {
  const { evidence, queue } = walk;
  if (evidence.visited.includes(node)) return;
  evidence.visited.push(node);

  const named = [peekString(node, 'name'), peekString(peek(node, 'constructor'), 'name')];
  for (const name of named) {
    if (name === undefined || plainNames.has(name)) continue;
    if (!remote && name.length > 2) evidence.name ??= name.slice(0, 64);
    say(walk, name, depth, remote, 20);
  }

  let hasStatus = false;
  for (const key of statusKeys) {
    const status = peek(node, key);
    if (typeof status === 'string' && !/^\d{3}$/.test(status)) {
      if (key === 'status') say(walk, status, depth, remote, 4);
    } else if (status !== undefined && isStatus(Number(status))) {
      hasStatus = true;
      noteStatus(walk, Number(status), depth, key !== 'responseCode');
    }
  }

  for (const key of codeKeys) {
    const code = peek(node, key);
    if (typeof code === 'string') {
      noteCode(walk, code, depth, remote, key);
    } else if (typeof code === 'number') {
      noteNumber(walk, node, code, depth, hasStatus);
    } else {
      follow(walk, code, depth, remote);
    }
  }

  for (const [flag, verdict] of Object.entries(flagKinds)) {
    if (peek(node, flag) === true) find(walk, { verdict: verdict as Reading['verdict'], weight: 77 }, depth, undefined);
  }

  const headers = peek(node, 'headers') ?? peek(node, 'responseHeaders');
  if (hasStatus && typeof headers === 'object' && headers !== null) evidence.responded = true;

  const message =
    peekString(node, 'message') ?? peekString(node, 'error_description') ?? peekString(node, 'errmsg') ?? peekString(node, 'detail');
  if (message !== undefined) {
    if (remote) evidence.remoteText ??= message;
    else evidence.ownText ??= message;
  }
  const before = queue.length;
  // A fetch Response gives its body only once and warns about look-alike fields: only what was put on it is read.
  const sealed = typeof peek(node, 'json') === 'function';
  for (const key of innerKeys) if (!sealed || Object.hasOwn(node, key)) follow(walk, peek(node, key), depth, remote || remoteKeys.has(key));
  for (const key of textKeys) {
    const text = sealed && !Object.hasOwn(node, key) ? undefined : peek(node, key);
    if (typeof text === 'string') say(walk, text, depth, remote, 0);
    else follow(walk, text, depth, remote || remoteKeys.has(key));
  }
  if (queue.length === before && looksLikeIssue(node) && depth === 0)
    find(walk, { verdict: 'invalid_input', weight: 40 }, depth, undefined);
}

function follow(walk: Walk, value: unknown, depth: number, remote: boolean): void {
  if (depth >= deepest || walk.queue.length >= mostNodes) return;
  if ((typeof value === 'object' && value !== null) || (typeof value === 'string' && value !== '')) {
    walk.queue.push({ value, depth: depth + 1, remote });
  }
}

function find(walk: Walk, reading: Reading, depth: number, text: string | undefined, status?: number, lighter = 0): void {
  walk.evidence.findings.push({ verdict: reading.verdict, weight: reading.weight - lighter, depth, text, status });
}

/** Reads any string: a code, a sentence, JSON, or a sentence with JSON in it. */
function say(walk: Walk, raw: string, depth: number, remote: boolean, lighter: number): void {
  if (raw === '' || walk.said.has(raw)) return;
  walk.said.add(raw);
  if (raw.length <= 64 && identifierPattern.test(raw)) {
    for (const reading of readIdentifier(raw)) find(walk, reading, depth, raw, undefined, lighter);
    return;
  }
  let sentence = raw.slice(0, longestSentence);
  const brace = sentence.search(/[{[]\s*["{]/);
  if (brace >= 0) {
    const body = parseJson(raw, brace);
    if (body !== undefined) {
      follow(walk, body, depth, true);
      sentence = sentence.slice(0, brace);
    }
  }
  for (const reading of readSentence(sentence)) find(walk, reading, depth, sentence, undefined, lighter);
  const status = statusPattern.exec(sentence);
  if (status !== null) noteStatus(walk, Number(status[1] ?? status[2] ?? status[3]), depth, true);
}

const identifierPattern = /^[A-Za-z][\w.:/-]*$/;
const statusPattern =
  /\b(?:status(?:[ _-]?code)?|HTTP(?:[ -]code|\/\d(?:\.\d)?)?|response(?: code)?|responded with|returned|answered|server response)[\s:=("']{1,3}([3-5]\d\d)\b|^\W*([45]\d\d)\b|\b([45]\d\d) (?:Bad|Unauth|Forbidden|Not|Method|Request|Conflict|Gone|Too|Internal|Service|Gateway|Payload|Unproc|Payment)/i;

function noteStatus(walk: Walk, status: number, depth: number, isHttp: boolean): void {
  const reading = readStatus(status);
  if (reading === undefined) return;
  if (isHttp && walk.evidence.status === undefined && status < 530) walk.evidence.status = status;
  find(walk, reading, depth, undefined, status);
}

function noteCode(walk: Walk, code: string, depth: number, remote: boolean, key: string): void {
  if (code.length <= 64 && identifierPattern.test(code) && key !== 'type' && key !== 'kind') {
    if (remote) walk.evidence.remoteCode ??= code;
    walk.evidence.code ??= code;
  }
  if (/^\d{3}$/.test(code)) {
    noteStatus(walk, Number(code), depth, true);
  } else if (/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) {
    const reading = readSqlState(code);
    if (reading !== undefined) find(walk, reading, depth, undefined);
  }
  say(walk, code, depth, remote, key === 'type' || key === 'kind' || key === 'category' ? 10 : 0);
}

function noteNumber(walk: Walk, node: object, code: number, depth: number, hasStatus: boolean): void {
  if (code > 0 && code <= 16 && peek(node, 'metadata') !== undefined) {
    const name = readGrpcCode(code);
    if (name !== undefined) say(walk, name, depth, false, 0);
  } else if (code < -30000) {
    const reading = readRpcCode(code);
    if (reading !== undefined) find(walk, reading, depth, undefined);
  } else if (isStatus(code) && !hasStatus && peek(node, 'codeName') === undefined) {
    noteStatus(walk, code, depth, true);
  }
}

function isStatus(code: number): boolean {
  return code >= 300 && code < 600;
}

function looksLikeIssue(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || peek(item, 'extensions') !== undefined || peek(item, 'locations') !== undefined)
    return false;
  return issueKeys.some((key) => peek(item, key) !== undefined);
}

const issueKeys = ['path', 'instancePath', 'keyword', 'constraints', 'loc', 'property'];

function parseJson(text: string, from: number): unknown {
  if (text.length > 20_000) return undefined;
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  try {
    return end > from ? JSON.parse(text.slice(from, end + 1)) : undefined;
  } catch {
    return undefined;
  }
}
