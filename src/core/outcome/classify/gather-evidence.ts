import {
  type Evidence,
  find,
  follow,
  isStatus,
  jsonStart,
  noteCode,
  noteNumber,
  noteStatus,
  type Step,
  say,
  type Walk,
} from './evidence.ts';
import { asString, isObject, type PropertyReader, peek, propertyReader } from './peek.ts';
import type { Reading } from './read-meaning.ts';

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
  if (typeof value === 'string') {
    if (depth === 0) walk.evidence.ownText ??= asString(value);
    say(walk, value, depth, 0);
  } else if (Array.isArray(value)) visitList(walk, value, depth, remote);
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
  const inside = sealed ? readOwn(inner, node) : inner.read(node);
  for (let index = 0; index < inside.length; index++) {
    const value = inside[index];
    if (value === undefined || typeof value === 'function') continue;
    const key = inner.names[index] as string;
    follow(walk, value, depth, remote || remoteKeys.test(key));
  }
  const said = sealed ? readOwn(texts, node) : texts.read(node);
  for (let index = 0; index < said.length; index++) {
    const value = said[index];
    if (value === undefined || value === null) continue;
    const key = texts.names[index] as string;
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

function readOwn({ names }: PropertyReader, node: object): readonly unknown[] {
  return names.map((name) => (Object.hasOwn(node, name) ? peek(node, name) : undefined));
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

/** A GraphQL error has a path too, but it points into the answer. */
function looksLikeIssue(item: unknown): boolean {
  if (!isObject(item) || peek(item, 'extensions') !== undefined || peek(item, 'locations') !== undefined) return false;
  return issueMarks.read(item).some((mark) => mark !== undefined);
}
