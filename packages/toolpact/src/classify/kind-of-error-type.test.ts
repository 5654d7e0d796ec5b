import { expect, test } from 'vitest';
import { kindOfErrorType } from './kind-of-error-type.ts';

test.each([
  ['timeout', 'timeout'],
  ['500', 'upstream'],
  ['400', 'invalid_input'],
  ['401', 'unauthenticated'],
  ['404', 'not_found'],
  ['java.net.UnknownHostException', 'unreachable'],
  ['GATEWAY_TIMEOUT', 'timeout'],
  ['503', 'upstream'],
  ['409', 'conflict'],
  ['service_unavailable', 'upstream'],
  ['rate_limit_exceeded', 'rate_limited'],
  ['my_own_type', 'internal'],
  ['constructor', 'internal'],
])('the error type %s stands for %s', (errorType, kind) => {
  expect(kindOfErrorType(errorType)).toBe(kind);
});
