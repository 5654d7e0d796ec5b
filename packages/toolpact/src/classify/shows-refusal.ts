import { peek } from '../json/index.ts';
import { catalogue, type FailureKind } from '../outcome/index.ts';

/**
 * Checks whether an error itself shows that nothing was changed: no connection was made, or the service answered with a status that
 * refuses the request. Fields count, words do not.
 */
export function showsRefusal(kind: FailureKind, thrown: unknown): boolean {
  if (kind === 'unreachable') return isUnsent(thrown, 0);
  return catalogue[kind].refusal && isRefused(thrown, 0);
}

/** Checks whether a service that answers with this status has done nothing. */
export function isRefusingStatus(status: unknown): boolean {
  return refusingStatuses.has(Number(status));
}

const refusingStatuses: ReadonlySet<number> = new Set([400, 401, 403, 404, 409, 422, 429]);
const unsent = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_[A-Z]+)$/;
const deepest = 5;

/** One address that was not refused may have taken the request. */
function isUnsent(error: unknown, depth: number): boolean {
  const tried = peek(error, 'errors');
  if (Array.isArray(tried) && tried.length > 0) return depth < deepest && tried.every((one) => isUnsent(one, depth + 1));
  const code = peek(error, 'code');
  if (typeof code === 'string' && unsent.test(code)) return true;
  const cause = peek(error, 'cause');
  return depth < deepest && cause !== undefined && isUnsent(cause, depth + 1);
}

function isRefused(error: unknown, depth: number): boolean {
  const response = peek(error, 'response');
  const statuses = [error, response].flatMap((holder) => [peek(holder, 'status'), peek(holder, 'statusCode')]);
  if (statuses.some(isRefusingStatus)) return true;
  const cause = peek(error, 'cause');
  return depth < deepest && cause !== undefined && isRefused(cause, depth + 1);
}
