import type { Effects, Failure, JsonObject, Meta, Outcome } from 'toolpact';
import type { Decoded, Dialect } from 'toolpact/dialects';
import { decodeOutcome, isOutcome, isRefusingStatus, makeFailure, readHttpStatus, readWait } from 'toolpact/internal';
import type { AnswerForm } from './answer-form.ts';
import type { Answered, Unanswered } from './exchange.ts';
import { loadForeign } from './load-foreign.ts';
import { type AssumedEffect, readFetchError } from './read-thrown.ts';

/** The facts about a request that are known when its answer is read. */
export interface Reading {
  /** The effect of repeating the request; with a key, repeating is harmless. */
  readonly effects: Effects;
  /** The form that was asked for. */
  readonly form: AnswerForm;
  /** The dialects that the client reads, besides those of the library. */
  readonly dialects: readonly Dialect[];
  /** Facts for the outcome's meta that the answer itself may lack. */
  readonly meta: Meta;
}

/** Reads an answer in whichever form it came. Never throws: what cannot be read is a `bad_response`, or what its status says. */
export async function readAnswer(answered: Answered, reading: Reading): Promise<Outcome> {
  const { headers, body } = answered;
  const isFailed = answered.status >= 400;
  const json = parse(body);
  const decoded = json === undefined || isElsewhere(answered) ? undefined : await decode(json, answered, reading);
  if (decoded?.ok === true && (!isFailed || decoded.outcome.status === 'error')) {
    return complete(decoded.outcome, headers, reading);
  }
  if (isFailed) return failed(statusFailure(answered, reading), reading);
  if (decoded?.ok === false) return failed(decoded.failure, reading);
  const what = isElsewhere(answered)
    ? `The server answered with a redirect, which is not followed (HTTP ${answered.status}).`
    : `The response of the server cannot be read: it is not an outcome in a dialect that this client knows (HTTP ${answered.status}, ${headers.get('content-type') ?? 'no content type'}).`;
  return failed(unreadable(what, answered, reading), reading);
}

/** Returns the outcome of a request without an answer. */
export async function readSilence({ is, thrown, isUnsent = false }: Unanswered, reading: Reading): Promise<Outcome> {
  const effect = effectOf(reading);
  switch (is) {
    case 'stopped':
      return failed(
        failureOf('cancelled', `The caller stopped the call before ${isUnsent ? 'it was sent' : 'an answer came'}.`, effect),
        reading,
      );
    case 'late':
      return failed(failureOf('timeout', isUnsent ? lateToSend : 'The server did not answer in time.', effect), reading);
    case 'too_large':
      return failed(failureOf('bad_response', 'The answer of the server is too large to be read.', effect), reading);
    case 'cut':
      return failed(failureOf('unreachable', 'The connection broke before the answer was complete.', effect), reading);
    case 'broken':
      return failed(await readFetchError(thrown, effect), reading);
  }
}

const lateToSend = 'No time was left to send the call.';

/** Builds the outcome of a call that failed on the way. */
export function failed(error: Failure, { meta }: Pick<Reading, 'meta'>): Outcome {
  return Object.freeze({ status: 'error', error, meta });
}

/** Reads the inside of a batch, whose parts come in the form of the whole. */
export function decodePart(json: unknown, form: AnswerForm, effects: Effects): Decoded {
  return form === 'outcome' ? decodeOutcome(json, { effects }) : form.decode(json, { effects });
}

async function decode(json: unknown, { headers }: Answered, { effects, form, dialects }: Reading): Promise<Decoded | undefined> {
  const stated = headers.get('toolpact-dialect');
  if (stated === 'outcome' || (stated === null && isOutcome(json))) return decodeOutcome(json, { effects });
  const isProblem = headers.get('content-type')?.includes('problem+json') === true;
  return (await loadForeign())?.decodeForeign(json, { stated, isProblem, asked: form, given: dialects }, effects);
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
  const retryAfterMs = waitOf(headers);
  return Object.freeze(retryAfterMs === undefined ? whole : { ...whole, error: Object.freeze({ ...whole.error, retryAfterMs }) });
}

/** The failure of an answer that has only an HTTP status. */
function statusFailure({ status: code, headers, url }: Answered, reading: Reading): Failure {
  const { kind, retryable } = readHttpStatus(code);
  const assumed: AssumedEffect = isRefusingStatus(code) ? { effect: 'none', unsafe: false } : effectOf(reading);
  const retryAfterMs = retryable && !assumed.unsafe ? waitOf(headers) : undefined;
  // Paths and queries can hold secrets; the origin cannot.
  const upstream = { status: code, endpoint: new URL(url).origin };
  return makeFailure(kind, {
    message: `The server answered HTTP ${code}, without an outcome.`,
    retryable,
    retryAfterMs,
    upstream,
    ...assumed,
  });
}

/** The wait that the server asks for, in milliseconds. */
function waitOf(headers: Headers): number | undefined {
  const wait = headers.get('retry-after');
  return wait === null ? undefined : readWait(wait.slice(0, 300), Date.now());
}

function unreadable(message: string, { status: code }: Answered, reading: Reading): Failure {
  const effect = effectOf(reading);
  const facts = { code: 'undecodable', upstream: { status: code } };
  const failure = failureOf('bad_response', message, effect);
  return Object.freeze({ ...failure, ...facts });
}

function failureOf(kind: Failure['kind'], message: string, effect: AssumedEffect): Failure {
  return makeFailure(kind, { message, ...effect });
}

/** Without an answer the effect is unknown, unless the tool changes nothing. */
function effectOf({ effects }: Pick<Reading, 'effects'>): AssumedEffect {
  return { effect: effects === 'none' ? 'none' : 'unknown', unsafe: effects === 'writes' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return undefined;
  }
}
