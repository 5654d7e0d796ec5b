import { isObject, peek } from '../json/index.ts';
import { readErrorName } from './codes/error-names.ts';
import { readGrpcStatus } from './codes/grpc-status.ts';
import { isThrowersChoice, readJsonRpcCode } from './codes/json-rpc-codes.ts';
import { isResponseCode, readResponseCode } from './codes/response-codes.ts';
import { readServerReply } from './codes/server-replies.ts';
import { readSqlState } from './codes/sql-states.ts';
import { type Evidence, find, follow, noteStatus, program, type Step } from './evidence.ts';
import { fieldsOf, type Role } from './fields.ts';
import { issueValues } from './issue-values.ts';
import { namesOf, plainNames } from './names-of.ts';
import { asString, peekString } from './peek-string.ts';
import { isPlainAbort } from './plain-abort.ts';
import type { Reading } from './reading.ts';
import { isIdentifier, isSentence, say } from './say.ts';

/** Looks through a thrown value, its causes, wrappers, responses and bodies. Bounded in depth, width and text, whatever it is given. */
export function gatherEvidence(thrown: unknown, { structured, isRunning }: Pick<Evidence, 'structured' | 'isRunning'>): Evidence {
  const evidence: Evidence = {
    queue: [{ value: thrown, depth: 0, remote: false, listed: false, isBehind: false }],
    seen: [],
    findings: [],
    urls: [],
    headers: [],
    waits: [],
    complaints: [],
    issueValues: [],
    isBehind: false,
    isListed: false,
    structured,
    isRunning,
  };
  for (const step of evidence.queue) {
    try {
      evidence.author = authorOf(step.value);
      evidence.isBehind = step.isBehind;
      evidence.isListed = step.listed;
      visit(evidence, step);
    } catch {
      // A revoked proxy throws at every touch; the rest of the evidence still counts.
    }
  }
  return evidence;
}

export function authorOf(value: unknown): object | undefined {
  if (isPlainError(value)) return value;
  return typeof peek(value, 'stderr') === 'string' || peek(value, 'exitCode') !== undefined ? program : undefined;
}

const plainPrototypes: readonly unknown[] = [Error, TypeError, RangeError, SyntaxError, URIError].map(({ prototype }) => prototype);

/** Recognises an error that has only a message: no class, code or field of its own. */
function isPlainError(value: unknown): value is Error {
  return (
    isObject(value) &&
    plainPrototypes.includes(Object.getPrototypeOf(value)) &&
    // Asked first, because most errors of libraries have one, and all names take longer to list.
    !Object.hasOwn(value, 'name') &&
    namesOf(value).every((name) => plainNames.includes(name))
  );
}

function visit(evidence: Evidence, step: Step): void {
  const { value, depth, remote } = step;
  if (typeof value === 'string') noteText(evidence, value, depth, remote);
  if (!isObject(value) || ArrayBuffer.isView(value) || evidence.seen.includes(value)) return;
  evidence.seen.push(value);
  if (Array.isArray(value)) {
    for (const item of [...value.slice(0, 3), ...value.slice(3).slice(-1)]) follow(evidence, item, depth, remote, true);
    return;
  }
  const names = namesOf(value);
  for (const { name, role } of fieldsOf(value, names)) {
    const found = peek(value, name);
    if (found !== undefined && found !== null && typeof found !== 'function') readers[role](evidence, found, step, name);
  }
  // A name says less than a code: a family name may hold any word.
  const { name: ownName, constructor: made } = value as { name?: unknown; constructor?: { name?: unknown } };
  const lighter = evidence.coded === depth ? 35 : 20;
  noteName(evidence, ownName, depth, remote, lighter);
  // A class name means something until a minifier renames it; what a call is told must not depend on that.
  if (evidence.isRunning) {
    if (depth === 0 && typeof made?.name === 'string' && !meaningless.test(made.name)) evidence.className = made.name.slice(0, 64);
  } else if (made?.name !== ownName) noteName(evidence, made?.name, depth, remote, lighter);
  // Some services list their complaints under the names of the fields.
  if (!remote) return;
  for (const name of names.slice(0, 8)) {
    const texts = peek(value, name);
    if (Array.isArray(texts) && / /.test(texts[0])) follow(evidence, texts, depth, true);
  }
}

/** Readers of each role's value; the step holds the object it was found on. */
const readers: Record<Role, (evidence: Evidence, value: unknown, step: Step, name: string) => void> = {
  status(evidence, value, { value: node, depth, remote }, name) {
    const status = Number(value);
    if (/^upstream/i.test(name) && isGrpcStatus(status)) noteGrpcStatus(evidence, status, depth);
    else if (isStatus(status)) {
      // A value under the name of an answer is one, even if its headers were dropped.
      if (remote) evidence.response ??= node;
      // The field in which clients of mail servers keep the reply.
      if (name === 'responseCode') find(evidence, readServerReply(status), depth);
      else noteStatus(evidence, status, depth, true);
      // Many classes have 500 for want of something better.
      if (status < 500 || remote) evidence.answered = depth;
    } else if (status >= 200 && status < 300) evidence.succeeded = true;
    else if (typeof value === 'string') say(evidence, value, depth, 4);
    // Some clients keep all that they know of an answer there.
    else follow(evidence, value, depth, true);
    const headers = peek(node, 'headers') ?? peek(node, 'responseHeaders');
    // Every answer has headers; a client that puts a status on its own error has none to show.
    if (status > 0 && isObject(headers) && (namesOf(headers).length > 0 || peek(headers, 'get') !== undefined)) evidence.response ??= node;
  },
  headers(evidence, value) {
    if (!isObject(value)) return;
    evidence.requested = true;
    if (!evidence.headers.includes(value)) evidence.headers.push(value);
  },
  url(evidence, value, { value: node, depth }, name) {
    evidence.requested = true;
    // Its own word for what it called, which may be no address but the name of a queue.
    if (depth === 0 && name === 'endpoint') evidence.endpoint ??= asString(value);
    noteUrl(evidence, value, node);
  },
  request(evidence, value) {
    if (!isObject(value)) return;
    evidence.requested = true;
    for (const name of ['url', 'uri', 'href']) noteUrl(evidence, peek(value, name), value);
    const host = peekString(value, 'host');
    const path = peekString(value, 'path');
    if (host !== undefined && path?.startsWith('/') === true)
      evidence.urls.push(`${peekString(value, 'protocol') ?? 'https:'}//${host}${path}`);
  },
  requestId(evidence, value) {
    evidence.requestId ??= asString(value);
  },
  code: (evidence, value, step) => noteCode(evidence, value, step, 0),
  type: (evidence, value, step) => noteCode(evidence, value, step, 10),
  // A string, or a member of another language's enum; given at the throw site.
  errorType(evidence, value, { depth }) {
    if (depth !== 0) return;
    evidence.errorType ??= asString(String((isObject(value) ? peek(value, 'value') : value) ?? ''), 100);
    find(evidence, readErrorName(evidence.errorType ?? ''), depth);
  },
  // A GraphQL error has a path too, but it points into the answer; so has a system error, to a file; a failing service may say where, as a
  // schema does.
  issue(evidence, _value, { value: node, depth, listed }) {
    const isElsewhere =
      ['extensions', 'locations', 'syscall'].some((name) => peek(node, name) !== undefined) || (evidence.status ?? 0) >= 500;
    if ((depth === 0 || listed) && !isElsewhere)
      find(evidence, [{ verdict: 'invalid_input', weight: listed ? 51 : 29 }], depth, { text: issueText(evidence, node) });
  },
  issues(evidence, value, { depth, remote }) {
    if (!Array.isArray(value) || value.length === 0) return follow(evidence, value, depth, remote);
    for (const issue of value.slice(0, mostIssues)) evidence.issueValues.push(...issueValues(issue));
    find(evidence, [{ verdict: 'invalid_input', weight: 61 }], depth, { text: issueText(evidence, value[0]) });
    follow(evidence, value, depth, remote);
  },
  timeout: flag('timeout'),
  cancelled: flag('cancelled'),
  // A killed child may have said why before.
  killed: flag('timeout', 45),
  // Libraries give seconds or milliseconds as `retryAfter`. A value of 1000 or more is read as milliseconds.
  seconds: ({ waits }, value, _step, name) =>
    waits.push([peek(value, 'seconds') ?? value, name === 'retryAfter' && Number(value) >= 1000 ? 1 : 1000]),
  milliseconds: ({ waits }, value) => waits.push([value, 1]),
  moment: ({ waits }, value) => waits.push([value]),
  own(evidence, value, { value: node, depth, remote }, name) {
    // Next to a status, this is the status in words.
    if (name === 'reason' && node === evidence.response) return;
    hear(evidence, value, depth, remote);
  },
  cause(evidence, value, { depth, remote }) {
    if (typeof value === 'string') noteText(evidence, value, depth, remote);
    else follow(evidence, value, depth, remote, false, true);
  },
  theirs: (evidence, value, { depth }) => hear(evidence, value, depth, true),
};

/** The values of so many issues are looked for in the message. */
const mostIssues = 20;

/** Takes a text in at once, and what may hold one later. */
function hear(evidence: Evidence, value: unknown, depth: number, remote: boolean): void {
  if (typeof value === 'string') noteText(evidence, value, depth, remote);
  else follow(evidence, value, depth, remote);
}

/** Says which field a schema library complains about, and what it says. */
function issueText(evidence: Evidence, issue: unknown): string | undefined {
  evidence.issueValues.push(...issueValues(issue));
  const path = peek(issue, 'path') ?? peek(issue, 'instancePath') ?? peek(issue, 'property');
  const steps = Array.isArray(path) ? path.slice(0, 8).map((step) => String(isObject(step) ? peek(step, 'key') : step)) : [asString(path)];
  const text = [steps.join('.'), peekString(issue, 'message')].filter(Boolean).join(': ');
  evidence.issue ??= text;
  return text;
}

function flag(verdict: 'timeout' | 'cancelled', weight = 77) {
  return (evidence: Evidence, value: unknown, { depth }: Step): void => {
    if (value === true) find(evidence, [{ verdict, weight }], depth);
  };
}

function noteText(evidence: Evidence, text: string, depth: number, remote: boolean): void {
  const isJson = /^\s*[{[]/.test(text);
  if (!remote && evidence.ownText === undefined) evidence.ownText = asString(text);
  else if (!remote && !isPlainAbort(text)) evidence.reason ??= asString(text);
  else if (remote && !isJson) noteRemoteText(evidence, text);
  if (evidence.structured && !isJson) return;
  // The command of a program says nothing about how it failed. During a call, an author may begin with the same words.
  const isProgram = !evidence.isRunning || evidence.author === program;
  say(evidence, isProgram ? text.replace(/^Command failed.*\n/, '') : text, depth, 0, !remote);
}

/** Keeps the first thing that the other side says, and the complaints that it lists besides. */
function noteRemoteText(evidence: Evidence, text: string): void {
  const { isBehind, isListed, remoteText, complaints } = evidence;
  if (isBehind) evidence.causeText ??= asString(text);
  else if (remoteText === undefined) evidence.remoteText = asString(text);
  else if (
    isListed &&
    isSentence(text) &&
    complaints.length < mostComplaints &&
    ![remoteText, ...complaints].some((said) => said.includes(text))
  )
    complaints.push(text.slice(0, longestComplaint));
}

const mostComplaints = 3;
const longestComplaint = 300;

const meaningless = /^((Aggregate)?Error|Object|Array|)$/;

function noteName(evidence: Evidence, name: unknown, depth: number, remote: boolean, lighter: number): void {
  if (typeof name !== 'string' || meaningless.test(name)) return;
  if (!remote && name.length > 2) evidence.name ??= name.slice(0, 64);
  find(evidence, readErrorName(name), depth);
  say(evidence, name, depth, lighter);
}

function noteCode(evidence: Evidence, code: unknown, step: Step, lighter: number): void {
  const { value: node, depth, remote } = step;
  if (evidence.author !== program && typeof code !== 'string' && !isThrowersChoice(code)) evidence.answered = depth;
  if (typeof code === 'number') {
    // Other libraries number otherwise, so these numbers count only where words do not.
    const isResponse = evidence.structured && !remote && isResponseCode(code);
    if (isResponse) evidence.number ??= code;
    const readings = isResponse ? readResponseCode(code) : readSmallNumber(evidence, code, node);
    if (readings.length > 0) {
      const isVague = isThrowersChoice(code);
      // A service that names one of its numbers for wrong arguments means it.
      const isMeant = remote && !isVague && code <= -32600;
      find(evidence, readings, depth, { isSpoken: isVague && evidence.isRunning, lighter: isMeant ? -30 : 0 });
      if (!isVague) evidence.coded = depth;
    } else if (isStatus(code) && evidence.status === undefined && peek(node, 'codeName') === undefined) noteStatus(evidence, code, depth);
  } else if (typeof code === 'string') {
    // The thrower's own words; services use them for their own.
    if (!remote && (evidence.status === undefined || statedType.test(code))) find(evidence, readErrorName(code), depth);
    if (code === 'ECONNABORTED' && gaveUpOnTime(node)) find(evidence, [{ verdict: 'timeout', weight: 80 }], depth);
    if (lighter === 0 && isIdentifier(code)) {
      if (remote) evidence.remoteCode ??= code;
      evidence.code ??= code;
      evidence.codeText ||= peekString(node, 'message');
    }
    // The runtime checks what it is given with these.
    if (node instanceof TypeError && code.startsWith('ERR_')) find(evidence, [{ verdict: 'invalid_input', weight: 81 }], depth);
    if (/^\d{3}$/.test(code)) noteStatus(evidence, Number(code), depth);
    // Services number their errors too: five digits are a SQLSTATE only if the error has no HTTP status.
    else if (/^(?=.*\d)[\dA-Z]{5}$/.test(code) && (evidence.status === undefined || /[A-Z]/.test(code)))
      find(evidence, readSqlState(code), depth);
    const before = evidence.findings.length;
    say(evidence, code.replace(/^\w+\//, ''), depth, lighter);
    if (evidence.findings.slice(before).some(({ weight }) => !evidence.isRunning || weight >= telling)) evidence.coded = depth;
  } else follow(evidence, code, depth, remote);
}

/** During a call, a code weighs so much that says something: `UNKNOWN` and `ERR_2003` leave the sentence next to them an author's own. */
const telling = 26;

// The type of an error in a contract that has six of them; its author knew the status as well.
const statedType = /^[A-Z_]+$/;

/** Checks whether a request was aborted because its time was over: axios has one code for that and for every other reason. */
function gaveUpOnTime(node: unknown): boolean {
  const text = peekString(node, 'message') ?? '';
  return /time/i.test(text) || (Number(peek(peek(node, 'config'), 'timeout')) > 0 && !/abort/i.test(text));
}

/** Reads a number whose space is told by its neighbours: gRPC has metadata, a shell reports a missing program with 127. */
function readSmallNumber(evidence: Evidence, code: number, node: unknown): readonly Reading[] {
  if (code === missingProgram && evidence.author === program) return [{ verdict: 'not_configured', weight: 66 }];
  if (!isObject(peek(node, 'metadata'))) return readJsonRpcCode(code);
  if (isGrpcStatus(code)) evidence.grpcStatus ??= code;
  return readGrpcStatus(code);
}

/** Takes note of a gRPC status that an exception states of the service it called. */
function noteGrpcStatus(evidence: Evidence, status: number, depth: number): void {
  evidence.grpcStatus ??= status;
  evidence.answered = depth;
  find(evidence, readGrpcStatus(status), depth);
}

/** Checks whether a number can be the gRPC status of a failed call. */
function isGrpcStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 1 && code <= 16;
}

const missingProgram = 127;

function noteUrl({ urls }: Evidence, value: unknown, node: unknown): void {
  const url = isObject(value) ? peek(value, 'href') : value;
  if (typeof url !== 'string' || url === '') return;
  const base = peekString(node, 'baseURL');
  if (/^\w+:\/\//.test(url)) urls.push(url);
  else if (base !== undefined) urls.push(`${base.replace(/\/$/, '')}/${url.replace(/^\//, '')}`);
}

/** Checks whether a number can be the status of a failed request. */
function isStatus(code: number): boolean {
  return code >= 300 && code < 600;
}
