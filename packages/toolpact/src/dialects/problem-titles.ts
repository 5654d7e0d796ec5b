import type { FailureKind } from '../outcome/index.ts';

/** A short title of each kind, the same on every occurrence, as RFC 9457 asks. */
export const problemTitles = {
  invalid_input: 'The arguments are not valid',
  unknown_tool: 'There is no such tool',
  not_found: 'Not found',
  unauthenticated: 'The credentials were rejected',
  forbidden: 'Not allowed',
  denied: 'Denied; nothing ran',
  conflict: 'Conflict',
  not_ready: 'Not ready yet',
  not_configured: 'Not configured',
  rate_limited: 'Too many requests',
  budget_exhausted: 'The budget is spent',
  timeout: 'The deadline passed',
  cancelled: 'Cancelled by the caller',
  interrupted: 'Interrupted',
  unreachable: 'The service could not be reached',
  upstream: 'The service failed',
  bad_response: 'The response of the service could not be read',
  too_large: 'Too large',
  unsupported: 'Not supported',
  invalid_output: 'The tool broke its own output schema',
  all_failed: 'Every item failed',
  failed: 'The tool failed',
  internal: 'Internal failure',
} as const satisfies Record<FailureKind, string>;

const kinds: ReadonlyMap<number, FailureKind> = new Map([
  [400, 'invalid_input'],
  [401, 'unauthenticated'],
  [402, 'budget_exhausted'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'unsupported'],
  [408, 'timeout'],
  [409, 'conflict'],
  [410, 'not_found'],
  [412, 'conflict'],
  [413, 'too_large'],
  [415, 'unsupported'],
  [422, 'invalid_input'],
  [424, 'upstream'],
  [429, 'rate_limited'],
  [499, 'cancelled'],
  [501, 'unsupported'],
  [504, 'timeout'],
]);

/** Says what an HTTP status means where nothing else is known. */
export function kindOfHttpStatus(status: number): FailureKind {
  return kinds.get(status) ?? (status < 500 ? 'invalid_input' : 'upstream');
}
