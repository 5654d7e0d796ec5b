import type { Failure, FailureKind } from 'toolpact';
import type { ErrorTypeHints } from 'toolpact/extend';
import { expectFailure, isUsable, upstreamStatus } from 'toolpact/internal';
import { ToolErrorType } from './tool-execution-error.ts';

type ByKind = Readonly<Record<FailureKind, string | undefined | ((failure: Failure) => string)>>;

const { TIMEOUT, INTERNAL_SERVER_ERROR, BAD_REQUEST, UNAUTHORIZED, NOT_FOUND, UNKNOWN_HOST } = ToolErrorType;
const dnsCauses: readonly unknown[] = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME'];

/** The values of failures in which no service answered with a status of its own. */
const documented = {
  invalid_input: BAD_REQUEST,
  unknown_tool: BAD_REQUEST,
  not_found: NOT_FOUND,
  unauthenticated: UNAUTHORIZED,
  forbidden: INTERNAL_SERVER_ERROR,
  denied: undefined,
  conflict: INTERNAL_SERVER_ERROR,
  not_ready: INTERNAL_SERVER_ERROR,
  not_configured: INTERNAL_SERVER_ERROR,
  rate_limited: INTERNAL_SERVER_ERROR,
  budget_exhausted: INTERNAL_SERVER_ERROR,
  timeout: TIMEOUT,
  cancelled: undefined,
  interrupted: INTERNAL_SERVER_ERROR,
  unreachable: ({ cause }) => (dnsCauses.includes(cause) ? UNKNOWN_HOST : INTERNAL_SERVER_ERROR),
  upstream: INTERNAL_SERVER_ERROR,
  bad_response: INTERNAL_SERVER_ERROR,
  too_large: BAD_REQUEST,
  unsupported: INTERNAL_SERVER_ERROR,
  invalid_output: INTERNAL_SERVER_ERROR,
  all_failed: INTERNAL_SERVER_ERROR,
  failed: classNameOf,
  internal: classNameOf,
} satisfies ByKind;

const shippedByStatus: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
};

const shipped = {
  invalid_input: 'BAD_REQUEST',
  unknown_tool: 'BAD_REQUEST',
  not_found: 'NOT_FOUND',
  unauthenticated: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  denied: undefined,
  conflict: 'BAD_REQUEST',
  not_ready: 'SERVICE_UNAVAILABLE',
  not_configured: 'INTERNAL_SERVER_ERROR',
  rate_limited: 'SERVICE_UNAVAILABLE',
  budget_exhausted: 'INTERNAL_SERVER_ERROR',
  timeout: (failure) => (upstreamStatus(failure) === 504 ? 'GATEWAY_TIMEOUT' : 'REQUEST_TIMEOUT'),
  cancelled: undefined,
  interrupted: 'SERVICE_UNAVAILABLE',
  unreachable: 'SERVICE_UNAVAILABLE',
  upstream: (failure) => shippedByStatus[upstreamStatus(failure) ?? 502] ?? 'BAD_GATEWAY',
  bad_response: 'BAD_GATEWAY',
  too_large: 'BAD_REQUEST',
  unsupported: 'INTERNAL_SERVER_ERROR',
  invalid_output: 'INTERNAL_SERVER_ERROR',
  all_failed: 'BAD_GATEWAY',
  failed: 'INTERNAL_SERVER_ERROR',
  internal: 'INTERNAL_SERVER_ERROR',
} satisfies ByKind;

/** An exception without a type has its class name. */
function classNameOf({ cause }: Failure): string {
  return isUsable(cause) ? cause : INTERNAL_SERVER_ERROR;
}

/** An exception around one with a type has the kind of that type. */
const wrapped = 'ToolExecutionError';

/**
 * Returns the `error.type` of a failure as contract 001 documents it: the type that was stated at the throw site, `timeout`, the status that a
 * service answered with, one of the other values, or a class name. Undefined for what is no fault: `denied` and `cancelled`.
 */
export function toolErrorType(failure: Failure, { origin }: ErrorTypeHints = {}): string | undefined {
  expectFailure('toolErrorType', failure);
  const { kind, cause } = failure;
  const status = upstreamStatus(failure);
  if (status !== undefined && documented[kind] !== undefined && kind !== 'timeout' && !isUsable(failure.errorType)) return String(status);
  const isRead = kind === 'invalid_input' && origin === 'thrown' && cause !== wrapped;
  // By its words alone an exception is no bad request: the document gives it its class name.
  const isClass = isRead && isUsable(cause) && !isUsable(failure.errorType);
  return isClass ? cause : valueFrom(documented, failure);
}

/** Returns the `error.type` of a failure by the nine names that the proposal later shipped with. */
export function shippedErrorType(failure: Failure): string | undefined {
  expectFailure('shippedErrorType', failure);
  return valueFrom(shipped, failure);
}

function valueFrom(table: ByKind, failure: Failure): string | undefined {
  const value = table[failure.kind];
  if (value === undefined) return undefined;
  if (isUsable(failure.errorType)) return failure.errorType;
  return typeof value === 'function' ? value(failure) : value;
}
