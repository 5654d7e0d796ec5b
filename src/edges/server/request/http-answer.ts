import { coded, type Dialect, flat, problem, retryAfter, status, value } from '../../../core/dialects/index.ts';
import { isObject } from '../../../core/json/index.ts';
import { httpStatus, type Outcome } from '../../../core/outcome/index.ts';
import type { RequestHead } from './request-head.ts';
import { securityHeaders } from './security-headers.ts';

/** An answer that every listener can send. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | ReadableStream<Uint8Array>;
}

/** Distinguishes an answer, which refuses a request, from the value of a step that succeeded. */
export function isAnswer(value: unknown): value is HttpAnswer {
  return isObject(value) && 'body' in value && 'headers' in value;
}

/** Gives a response of the fetch API as an answer, with the security headers that it lacks. */
export function fromResponse({ status, headers, body }: Response): HttpAnswer {
  return { status, headers: { ...securityHeaders, ...Object.fromEntries(headers) }, body: body ?? '' };
}

/** Gives an answer as a response of the fetch API. */
export function toResponse({ status, headers, body }: HttpAnswer, method: string): Response {
  const isEmpty = method === 'HEAD' || status === 204 || status === 304;
  return new Response(isEmpty ? null : body, { status, headers });
}

/**
 * Writes an outcome as an answer: the body in a format, the status of the catalogue, and the headers that say the same once more. `stated` is an
 * HTTP status that says more than that of the failure's kind.
 */
export function encodeOutcome(
  outcome: Outcome,
  format: ResponseFormat,
  extra?: Readonly<Record<string, string>>,
  stated?: number,
): HttpAnswer {
  const status = stated ?? statusOf(outcome);
  const { traceId, invocationId, replayed } = outcome.meta;
  const type = format.name === 'problem' && status >= 400 ? 'application/problem+json' : 'application/json';
  const headers = callHeaders(type, format.name);
  if (traceId !== undefined) headers['x-trace-id'] = toHeader(traceId);
  if (invocationId !== undefined) headers['x-invocation-id'] = toHeader(invocationId);
  const wait = outcome.status === 'error' || outcome.status === 'pending' ? retryAfter(outcome) : undefined;
  if (wait !== undefined) headers['retry-after'] = wait;
  if (extra !== undefined) Object.assign(headers, extra);
  // The key is sent back where it is kept; elsewhere nothing can be said about repetitions.
  if (headers['idempotency-key'] !== undefined) {
    headers['idempotency-replayed'] = replayed === true ? 'true' : 'false';
    headers['x-idempotency-replayed'] = headers['idempotency-replayed'];
  }
  const body = encodeFormat(outcome, format);
  // Problem details repeat the status.
  return { status, headers, body: JSON.stringify(stated !== undefined && format.name === 'problem' ? { ...body, status } : body) };
}

/** Writes something that is no outcome as plain JSON. */
export function encodeJson(traceId: string, value: unknown, status = 200): HttpAnswer {
  const headers = { ...securityHeaders, 'content-type': 'application/json', 'x-trace-id': toHeader(traceId) };
  return { status, headers, body: JSON.stringify(value) };
}

/** Gives the HTTP status of an outcome. */
function statusOf(outcome: Outcome): number {
  switch (outcome.status) {
    case 'ok':
      return 200;
    case 'partial':
      return 207;
    case 'pending':
      return 202;
    case 'error':
      return httpStatus(outcome.error);
  }
}

const sendable = /^[\x20-\x7e]*$/;

/** Ids come from callers; a header cannot hold every character. */
export function toHeader(id: string): string {
  return sendable.test(id) ? id : encodeURIComponent(id.toWellFormed());
}

/** How the body of an answer looks: an outcome as it is, or in one of the dialects that travel over HTTP. */
export type FormatName = 'outcome' | 'flat' | 'coded' | 'coded.shipped' | 'value' | 'status' | 'problem';

/** A format that was selected. */
export interface ResponseFormat {
  readonly name: FormatName;
  /** Writes only what the format documents. */
  readonly strict: boolean;
}

/** The dialects, and whether they are strict unless a request asks for more: those of other systems are, whose readers may refuse what they do not know. */
const dialects: Readonly<Record<Exclude<FormatName, 'outcome'>, { readonly dialect: Dialect; readonly strict: boolean }>> = {
  flat: { dialect: flat, strict: true },
  coded: { dialect: coded, strict: true },
  'coded.shipped': { dialect: coded.shipped, strict: true },
  value: { dialect: value, strict: true },
  status: { dialect: status, strict: true },
  problem: { dialect: problem, strict: false },
};

/** The names of all formats. */
export const formatNames: readonly FormatName[] = ['outcome', ...(Object.keys(dialects) as Exclude<FormatName, 'outcome'>[])];

/**
 * Reads which format a request selects: `?dialect=`, else the profile of a JSON type in `Accept`, else the default of its route.
 * Undefined when it names one that does not exist.
 */
export function selectFormat(head: Pick<RequestHead, 'search' | 'header'>, fallback: ResponseFormat): ResponseFormat | undefined {
  const { search } = head;
  const accept = head.header('accept');
  if (search === '' && (accept === undefined || !accept.includes('profile'))) return fallback;
  const query = new URLSearchParams(search);
  const named = query.get('dialect') ?? profileOf(accept?.slice(0, maxAccept) ?? '') ?? fallback.name;
  if (!isFormatName(named)) return undefined;
  const strict = query.get('strict');
  if (strict === null) return named === fallback.name ? fallback : defaultFormats[named];
  return { name: named, strict: strict === '' || strict === 'true' || strict === '1' };
}

/** No more of `Accept` is searched: it is read before it is known who asks. */
const maxAccept = 1_000;

/** Writes an outcome in a format. */
export function encodeFormat(outcome: Outcome, { name, strict }: ResponseFormat): object {
  return name === 'outcome' ? outcome : dialects[name].dialect.encode(outcome, { strict });
}

/** The formats as they are when a request selects nothing more. */
export const defaultFormats = Object.fromEntries(
  formatNames.map((name) => [name, { name, strict: name === 'outcome' || dialects[name].strict }]),
) as Readonly<Record<FormatName, ResponseFormat>>;

/** Gives the format of a server that speaks one dialect: strict, because its readers know nothing else. Problem details take more fields by their nature. */
export function spokenFormat(name: FormatName | undefined): ResponseFormat | undefined {
  return name && { name, strict: name !== 'problem' };
}

function isFormatName(name: string): name is FormatName {
  return formatNames.includes(name as FormatName);
}

/** Reads the profile of the first JSON type that has one: its value may be quoted, and may be a URI that ends in the name. */
function profileOf(accept: string): string | undefined {
  const found = /application\/(?:[\w.-]+\+)?json\s*;[^,]*?\bprofile\s*=\s*(?:"([^"]{0,200})"|([^\s;,"]{1,200}))/i.exec(accept);
  const profile = found?.[1] ?? found?.[2];
  return profile?.slice(Math.max(profile.lastIndexOf('/'), profile.lastIndexOf('#')) + 1);
}

/** Makes the headers that every answer to a call has. Spelt out, because an object of one shape is made and read much faster than one that is put together. */
export function callHeaders(type: string, dialect: string): Record<string, string> {
  return {
    'cache-control': securityHeaders['cache-control'],
    'content-security-policy': securityHeaders['content-security-policy'],
    'cross-origin-resource-policy': securityHeaders['cross-origin-resource-policy'],
    'referrer-policy': securityHeaders['referrer-policy'],
    'x-content-type-options': securityHeaders['x-content-type-options'],
    'content-type': type,
    'toolpact-dialect': dialect,
  };
}
