import { expect, test } from 'vitest';
import type { FailureKind } from '../../outcome/catalogue.ts';
import { classify } from '../classify.ts';

/** The same number means something else in each space, and its neighbours tell which space it is. */
test.each<[string, FailureKind, Record<string, unknown>]>([
  ['an HTTP status', 'timeout', { status: 504 }],
  ['a reply of a mail server', 'unsupported', { responseCode: 504 }],
  ['an HTTP status for legal reasons', 'denied', { status: 451 }],
  ['a reply of a mail server that asks to come back', 'upstream', { responseCode: 451 }],
  ['an HTTP status beyond those in use', 'upstream', { status: 550 }],
  ['a reply of a file server', 'not_found', { code: 550 }],
  ['a gRPC status', 'not_found', { code: 5, metadata: {} }],
  ['a gRPC status that is stated', 'not_found', { upstream_status: 5 }],
  ['a small number that nothing marks as gRPC', 'failed', { code: 5 }],
  ['a JSON-RPC code', 'invalid_input', { code: -32602 }],
  ['a SQLSTATE', 'not_found', { code: '42P01' }],
  ['the class of a SQLSTATE', 'conflict', { code: '40P99' }],
  ['the number of a service in five digits', 'invalid_input', { status: 422, code: '40310' }],
  ['a system code', 'forbidden', { code: 'EROFS' }],
  ['a documented code whose words say something else', 'conflict', { code: 'SQLITE_BUSY' }],
  ['a documented code that its words explain', 'rate_limited', { code: 'TOO_MANY_REQUESTS' }],
  ['the type of an error in a contract', 'unreachable', { type: 'RETRYABLE' }],
  ['the type of an error beside a status', 'internal', { error_type: 'FATAL', upstream_status: 503 }],
])('%s is read as %s', (_what, kind, fields) => {
  expect(classify(Object.assign(new Error('It did what it did'), fields)).kind).toBe(kind);
});

test('the numbers of coded responses count only where words do not', () => {
  const coded = Object.assign(new Error('It did what it did'), { code: 4005 });
  expect(classify(coded, { classify: 'structure' }).kind).toBe('not_found');
  expect(classify(coded).kind).toBe('failed');
});

test.each<[string, FailureKind, Record<string, unknown>]>([
  ['timeout of 100ms exceeded', 'timeout', {}],
  ['It took too long', 'timeout', { config: { timeout: 100 } }],
  ['Request aborted', 'unreachable', { config: { timeout: 100 } }],
  ['It took too long', 'unreachable', { config: { timeout: 0 } }],
])('ECONNABORTED with "%s" is read as %s', (message, kind, fields) => {
  const thrown = Object.assign(new Error(message), { code: 'ECONNABORTED', ...fields });
  expect(classify(thrown, { classify: 'structure' }).kind).toBe(kind);
});
