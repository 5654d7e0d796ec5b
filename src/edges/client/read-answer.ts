import type { Effects } from '../../core/contract/index.ts';
import { coded, type Decoded, type Dialect, detectDialect, dialects, flat, problem, status, value } from '../../core/dialects/index.ts';
import { isObject } from '../../core/json/index.ts';
import { classify, type Failure, isOutcome, type JsonObject, type Meta, makeFailure, type Outcome } from '../../core/outcome/index.ts';
import type { Answered, Unanswered } from './exchange.ts';

/** The forms a server can be asked for. */
export type AnswerForm = 'outcome' | 'flat' | 'coded' | 'value' | 'status' | 'problem';

/** What is known about a request when its answer is read. */
export interface Reading {
  /** What repeating the request could do; a key makes it harmless. */
  readonly effects: Effects;
  /** The form that was asked for. */
  readonly form: AnswerForm;
  /** What the outcome says about the call where the answer does not. */
  readonly meta: Meta;
}

const forms: Readonly<Record<Exclude<AnswerForm, 'outcome'>, Dialect>> = { flat, coded, value, status, problem };
/** A server whose name could not be found, or that took no connection, has heard of nothing. */
const unsent =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+)$/;

/** Reads an answer in whichever form it came. Never throws: what cannot be read is a `bad_response`, or what its status says. */
export function readAnswer(answered: Answered, reading: Reading): Outcome {
  const { headers, body } = answered;
  const isFailed = answered.status >= 400;
  const json = parse(body);
  const decoded = json === undefined || isElsewhere(answered) ? undefined : decode(json, answered, reading);
  if (decoded?.ok === true && (!isFailed || decoded.outcome.status === 'error')) {
    return complete(decoded.outcome, headers, reading);
  }
  if (isFailed) return failed(statusFailure(answered, reading), reading);
  if (decoded?.ok === false) return failed(decoded.failure, reading);
  const what = isElsewhere(answered)
    ? `The server sends its callers elsewhere (HTTP ${answered.status}).`
    : 'The answer of the server cannot be read.';
  return failed(unreadable(what, answered, reading), reading);
}

/** Tells what a request without an answer ends as. */
export function readSilence({ is, thrown }: Unanswered, reading: Reading): Outcome {
  const effect = effectOf(reading);
  switch (is) {
    case 'stopped':
      return failed(told('cancelled', 'The call was stopped by its caller before an answer came.', effect), reading);
    case 'late':
      return failed(told('timeout', 'The server did not answer in time.', effect), reading);
    case 'too_large':
      return failed(told('bad_response', 'The answer of the server is too large to be read.', effect), reading);
    case 'cut':
      return failed(told('unreachable', 'The connection broke before the answer was complete.', effect), reading);
    case 'broken': {
      const failure = classify(thrown, { ...effect, stopped: false });
      const isUnsent = failure.cause !== undefined && unsent.test(failure.cause);
      return failed(isUnsent ? classify(thrown, { effect: 'none', stopped: false }) : failure, reading);
    }
  }
}

/** Builds the outcome of a call that failed on the way. */
export function failed(error: Failure, { meta }: Pick<Reading, 'meta'>): Outcome {
  return Object.freeze({ status: 'error', error, meta });
}

/** Reads an outcome as servers of this package write it, every field checked. */
export function decodeOutcome(json: unknown, effects: Effects): Decoded {
  const outcome = (isObject(json) ? json : {}) as { status?: unknown; data?: unknown; pending?: unknown };
  const { status: ended, data = null, pending } = outcome;
  // The block of a dialect holds exactly an outcome, and is read with all checks; around it lies what that dialect shows of it.
  const shown = { success: ended === 'ok' || ended === 'pending', value: ended === 'pending' ? { pending } : data, message: '' };
  const decoded = value.decode({ ...shown, _toolpact: { ...outcome, v: 1 } }, { effects });
  if (decoded.ok) return decoded;
  const { code = 'undecodable', issues = [] } = decoded.failure;
  const own = issues.map((issue) => ({ ...issue, path: issue.path.slice(1), message: issue.message.replace('_toolpact.', '') }));
  const message = `Not a sound outcome: ${own[0]?.message ?? 'reading it failed'}.`;
  return { ok: false, failure: Object.freeze({ ...decoded.failure, code, message, issues: own }) };
}

/** Reads the inside of a batch, whose parts come in the form of the whole. */
export function decodePart(json: unknown, form: string | null, effects: Effects): Decoded {
  const dialect = form === null ? undefined : formOf(form);
  return dialect === undefined ? decodeOutcome(json, effects) : dialect.decode(json, { effects });
}

function decode(json: unknown, { headers }: Answered, { effects, form }: Reading): Decoded | undefined {
  const stated = headers.get('toolpact-dialect');
  if (stated === 'outcome' || (stated === null && isOutcome(json))) return decodeOutcome(json, effects);
  const detected = detectDialect(json);
  const dialect =
    (stated === null ? undefined : formOf(stated)) ??
    (headers.get('content-type')?.includes('problem+json') === true ? problem : undefined) ??
    (detected === undefined ? formOf(form) : dialects[detected]);
  return dialect?.decode(json, { effects });
}

function formOf(name: string): Dialect | undefined {
  return Object.hasOwn(forms, name) ? forms[name as keyof typeof forms] : undefined;
}

function isElsewhere({ status: code }: Answered): boolean {
  return code === 0 || (code >= 300 && code < 400);
}

/** Adds what the headers contain and the body does not. */
function complete(outcome: Outcome, headers: Headers, { meta }: Reading): Outcome {
  const traceId = headers.get('x-trace-id') ?? meta.traceId;
  const invocationId = headers.get('x-invocation-id');
  const known = {
    ...(meta.tool !== undefined && { tool: meta.tool }),
    ...(traceId !== undefined && { traceId }),
    ...(invocationId !== null && { invocationId }),
    ...(headers.get('idempotency-replayed') === 'true' && { replayed: true }),
  };
  const whole = { ...outcome, meta: Object.freeze({ ...known, ...outcome.meta }) } as Outcome;
  if (whole.status !== 'error' || !whole.error.retryable || whole.error.retryAfterMs !== undefined) return Object.freeze(whole);
  const { retryAfterMs } = classify(new Response(null, { status: 503, headers: waitOf(headers) }));
  return Object.freeze(retryAfterMs === undefined ? whole : { ...whole, error: Object.freeze({ ...whole.error, retryAfterMs }) });
}

/** What the status of an answer says that says nothing else. */
function statusFailure({ status: code, headers, url }: Answered, reading: Reading): Failure {
  return classify({ name: 'HTTPError', status: code, headers: waitOf(headers), url, message: `HTTP ${code}` }, effectOf(reading));
}

function waitOf(headers: Headers): Record<string, string> {
  const wait = headers.get('retry-after');
  return wait === null ? {} : { 'retry-after': wait };
}

function unreadable(message: string, { status: code }: Answered, reading: Reading): Failure {
  const effect = effectOf(reading);
  const facts = { code: 'undecodable', upstream: { status: code } };
  const failure = told('bad_response', message, effect);
  return Object.freeze({ ...failure, ...facts });
}

function told(kind: Failure['kind'], message: string, effect: ReturnType<typeof effectOf>): Failure {
  return makeFailure(kind, { message, ...effect });
}

/** Without an answer the effect is unknown, unless the tool changes nothing. */
function effectOf({ effects }: Reading): { readonly effect: 'none' | 'unknown'; readonly unsafe: boolean } {
  return { effect: effects === 'none' ? 'none' : 'unknown', unsafe: effects === 'writes' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return undefined;
  }
}
