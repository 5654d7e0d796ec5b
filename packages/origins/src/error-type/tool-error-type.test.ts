import { catalogue, classify, type Failure, type FailureKind } from 'toolpact';
import { makeFailure } from 'toolpact/internal';
import { errorType } from 'toolpact/telemetry';
import { describe, expect, test } from 'vitest';
import { shippedErrorType, toolErrorType } from './tool-error-type.ts';
import { ToolErrorType, ToolExecutionError } from './tool-execution-error.ts';

const failure = (kind: FailureKind, facts: Partial<Failure> = {}): Failure => makeFailure(kind, { message: 'No.', ...facts });

describe('toolErrorType', () => {
  test.each<[FailureKind, string | undefined, string | undefined]>([
    ['invalid_input', '400', 'BAD_REQUEST'],
    ['unknown_tool', '400', 'BAD_REQUEST'],
    ['not_found', '404', 'NOT_FOUND'],
    ['unauthenticated', '401', 'UNAUTHORIZED'],
    ['forbidden', '500', 'FORBIDDEN'],
    ['denied', undefined, undefined],
    ['conflict', '500', 'BAD_REQUEST'],
    ['not_ready', '500', 'SERVICE_UNAVAILABLE'],
    ['not_configured', '500', 'INTERNAL_SERVER_ERROR'],
    ['rate_limited', '500', 'SERVICE_UNAVAILABLE'],
    ['budget_exhausted', '500', 'INTERNAL_SERVER_ERROR'],
    ['timeout', 'timeout', 'REQUEST_TIMEOUT'],
    ['cancelled', undefined, undefined],
    ['interrupted', '500', 'SERVICE_UNAVAILABLE'],
    ['unreachable', '500', 'SERVICE_UNAVAILABLE'],
    ['upstream', '500', 'BAD_GATEWAY'],
    ['bad_response', '500', 'BAD_GATEWAY'],
    ['too_large', '400', 'BAD_REQUEST'],
    ['unsupported', '500', 'INTERNAL_SERVER_ERROR'],
    ['invalid_output', '500', 'INTERNAL_SERVER_ERROR'],
    ['all_failed', '500', 'BAD_GATEWAY'],
    ['internal', '500', 'INTERNAL_SERVER_ERROR'],
  ])('of %s is %s, or %s by the names that shipped', (kind, documented, shipped) => {
    expect([toolErrorType(failure(kind)), shippedErrorType(failure(kind))]).toEqual([documented, shipped]);
  });

  test('knows every kind', () => {
    for (const kind of Object.keys(catalogue) as FailureKind[]) expect(() => toolErrorType(failure(kind))).not.toThrow();
  });

  test.each([
    ['DNS', failure('unreachable', { cause: 'ENOTFOUND' }), 'java.net.UnknownHostException', 'SERVICE_UNAVAILABLE'],
    ['a status of the upstream', failure('upstream', { upstream: { status: 503 } }), '503', 'SERVICE_UNAVAILABLE'],
    ['a status that a kind stands for', failure('forbidden', { upstream: { status: 403 } }), '403', 'FORBIDDEN'],
    ['a stated type beside a status', failure('rate_limited', { errorType: 'quota', upstream: { status: 429 } }), 'quota', 'quota'],
    ['a denial that a service gave', failure('denied', { upstream: { status: 403 } }), undefined, undefined],
    ['an odd status', failure('upstream', { upstream: { status: 507 } }), '507', 'BAD_GATEWAY'],
    ['an exception without a type', failure('internal', { cause: 'ValueError' }), 'ValueError', 'INTERNAL_SERVER_ERROR'],
    ['a gateway that waited too long', failure('timeout', { upstream: { status: 504 } }), 'timeout', 'GATEWAY_TIMEOUT'],
  ])('tells %s apart', (_, given, documented, shipped) => {
    expect([toolErrorType(given), shippedErrorType(given)]).toEqual([documented, shipped]);
  });

  test('is the class of an exception whose words alone remind of bad arguments', () => {
    const given = failure('invalid_input', { cause: 'ValueError' });
    expect(toolErrorType(given, { origin: 'thrown' })).toBe('ValueError');
    expect(toolErrorType({ ...given, upstream: { status: 400 } }, { origin: 'thrown' })).toBe('400');
    expect([toolErrorType(given), toolErrorType(given, { origin: 'fail' })]).toEqual(['400', '400']);
    expect(shippedErrorType(given)).toBe('BAD_REQUEST');
  });

  test.each(['with spaces in it', 'x'.repeat(65)])('does not take a stated type that is no label: %s', (stated) => {
    expect(toolErrorType(failure('internal', { errorType: stated }))).toBe('500');
  });

  test.each(Object.values(ToolErrorType))('leaves the stated type %s as it is', (stated) => {
    const given = classify(new ToolExecutionError('No.', { errorType: stated }));
    expect([errorType(given), toolErrorType(given), shippedErrorType(given)]).toEqual([stated, stated, stated]);
  });
});
