import type { Outcome } from 'toolpact';
import { problem, retryAfter } from 'toolpact/dialects';
import { httpStatus } from 'toolpact/extend';
import type { HttpAnswer } from './http-answer.ts';
import { encodeFormat, type ResponseFormat } from './response-format.ts';
import { securityHeaders } from './security-headers.ts';

/**
 * Writes an outcome as an answer: the body in a format, the status of the catalogue, and the headers that say the same once more. `status` is an
 * HTTP status that says more than that of the failure's kind.
 */
export function encodeOutcome(
  outcome: Outcome,
  format: ResponseFormat,
  echo?: Readonly<Record<string, string>>,
  status = statusOf(outcome),
): HttpAnswer {
  const { traceId, invocationId, replayed } = outcome.meta;
  const type = format.dialect === problem && status >= 400 ? 'application/problem+json' : 'application/json';
  const headers = callHeaders(type, format, traceId);
  if (invocationId !== undefined) headers['x-invocation-id'] = toHeader(invocationId);
  const wait = outcome.status === 'error' || outcome.status === 'pending' ? retryAfter(outcome) : undefined;
  if (wait !== undefined) headers['retry-after'] = wait;
  Object.assign(headers, echo);
  // The key is sent back where it is kept; elsewhere nothing can be said about repetitions.
  if (headers['idempotency-key'] !== undefined) {
    headers['idempotency-replayed'] = String(replayed === true);
    headers['x-idempotency-replayed'] = headers['idempotency-replayed'];
  }
  const body = encodeFormat(outcome, format);
  // Problem details repeat the status.
  return { status, headers, body: JSON.stringify(format.dialect === problem ? { ...body, status } : body) };
}

/** Gives the headers that every answer to a call has. */
export function callHeaders(type: string, format: ResponseFormat, traceId: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { ...securityHeaders, 'content-type': type, 'toolpact-dialect': format.name };
  if (traceId !== undefined) headers['x-trace-id'] = toHeader(traceId);
  return headers;
}

/** Writes something that is no outcome as plain JSON. */
export function encodeJson(traceId: string, value: unknown, status = 200): HttpAnswer {
  const headers = { ...securityHeaders, 'content-type': 'application/json', 'x-trace-id': toHeader(traceId) };
  return { status, headers, body: JSON.stringify(value) };
}

/** Returns the HTTP status of an outcome. */
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

/** Ids come from callers; a header cannot hold every character. */
export function toHeader(id: string): string {
  return /^[\x20-\x7e]*$/.test(id) ? id : encodeURIComponent(id.toWellFormed());
}
