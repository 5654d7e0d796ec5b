import { catalogue, classify, type FailureKind, type JsonObject, ToolFailure } from 'toolpact';
import { cutText, type Effect } from 'toolpact/internal';
import { asList, asMap, asText, isMap } from '../document/document-problem.ts';
import type { OperationPlan } from '../plan/operation-plan.ts';
import { failureCode } from '../plan/plan-answers.ts';
import type { ReadBody } from './read-body.ts';

/** By these statuses a server says that it did not do what was asked. Others, such as 408 and 500, may come after it was done. */
const refused = new Set([
  400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 423, 424, 426, 428, 429, 431, 451, 501, 505,
]);

/**
 * Creates the failure of an answer that is not a success: its kind from status, headers and body, its code from the description,
 * its wait from `Retry-After`. The API's own words are quoted when they are about the request, and kept in `details` in any case.
 */
export function failResponse(plan: OperationPlan, response: Response, url: string, body: ReadBody, mayHaveRun: boolean): ToolFailure {
  const { status, headers } = response;
  const said = saidIn(body, response);
  const thrown = { name: 'HttpError', status, headers, url, ...(said !== undefined && { body: said }) };
  const failure = classify(thrown, { expose: status < 500 ? 'redacted' : 'authored' });
  const code = codeOf(plan, status);
  const details = { ...failure.details, ...detailsOf(said) };
  const effect: Effect | undefined = mayHaveRun ? 'unknown' : refused.has(status) ? 'none' : undefined;
  return new ToolFailure(mayHaveRun ? asLate(failure.kind) : failure.kind, failure.message, {
    retryable: failure.retryable,
    cause: thrown,
    upstream: failure.upstream ?? { status, endpoint: url },
    ...(code !== undefined && { code }),
    ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
    ...(effect !== undefined && { effect }),
    ...(Object.keys(details).length > 0 && { details }),
  });
}

/** The service took the request, and failed when its result was read: that is no refusal of the request. */
function asLate(kind: FailureKind): FailureKind {
  return catalogue[kind].refusal ? 'upstream' : kind;
}

/** Returns the declared code of a status: itself, its class, or the default. */
function codeOf({ answers: { failures } }: OperationPlan, status: number): string | undefined {
  return [String(status), `${Math.floor(status / 100)}XX`, 'default'].map(failureCode).find((code) => Object.hasOwn(failures, code));
}

const longestBody = 2_000;

function detailsOf(said: unknown): JsonObject {
  const message = typeof said === 'string' ? cutText(said.trim(), 300) : cutText(messageOf(said, 0) ?? '', 500);
  const isSmall = isMap(said) && JSON.stringify(said).length <= longestBody;
  return { ...(message !== '' && { message }), ...(isSmall && { body: said as JsonObject }) };
}

/** Finds the sentence in a body, where APIs put it. */
function messageOf(said: unknown, depth: number): string | undefined {
  if (typeof said === 'string') return asText(said);
  if (Array.isArray(said)) return messageOf(said[0], depth + 1);
  if (!isMap(said) || depth > 3) return undefined;
  for (const name of ['message', 'error_description', 'detail', 'title', 'msg', 'description', 'reason']) {
    const text = asText(said[name]);
    if (text !== undefined) return text;
  }
  return messageOf(said.error, depth + 1) ?? messageOf(asList(said.errors)[0] ?? asMap(said.errors), depth + 1);
}

/** The API's own words: JSON, also with another media type, or a text; an HTML page does not help. */
function saidIn(body: ReadBody, { headers }: Response): unknown {
  if (body.form === 'json') return body.value;
  if (body.form !== 'text' || /html/i.test(headers.get('content-type') ?? '')) return undefined;
  return body.json?.value ?? cutText(body.text, 2_000);
}
