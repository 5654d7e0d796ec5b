import { describe, expect, test } from 'vitest';
import { toolErrorType } from '../../../origins/src/error-type/tool-error-type.ts';
import {
  catalogue,
  classify,
  type Failure,
  type FailureKind,
  fail,
  makeFailure,
  ToolErrorType,
  ToolExecutionError,
} from '../outcome/index.ts';
import { errorType } from './error-type.ts';

const failure = (kind: FailureKind, facts: Partial<Failure> = {}): Failure => makeFailure(kind, { message: 'No.', ...facts });

describe('errorType', () => {
  test.each<[string, Failure, string | undefined]>([
    ['a stated type', failure('timeout', { errorType: 'quota', upstream: { status: 504 }, code: 'slow', cause: 'TimeoutError' }), 'quota'],
    ['a timeout', failure('timeout', { upstream: { status: 504 }, code: 'slow', cause: 'TimeoutError' }), 'timeout'],
    ['the status of the upstream', failure('upstream', { upstream: { status: 503 }, code: 'down', cause: 'HttpError' }), '503'],
    ['a code', failure('upstream', { upstream: { status: 200 }, code: 'insufficient_funds', cause: 'HttpError' }), 'insufficient_funds'],
    ['arguments that are wrong', failure('invalid_input'), 'invalid_arguments'],
    ['a result that is wrong', failure('invalid_output'), 'invalid_result'],
    ['a tool that is not there', failure('unknown_tool'), 'tool_not_found'],
    ['an explicit fail', failure('budget_exhausted'), 'budget_exhausted'],
    ['a system code', failure('unreachable', { cause: 'ECONNREFUSED' }), 'ECONNREFUSED'],
    ['a class name', failure('internal', { cause: 'RangeError' }), 'RangeError'],
    ['nothing usable', failure('internal'), '_OTHER'],
    ['a type that is a sentence', failure('internal', { errorType: 'it broke again' }), '_OTHER'],
    ['a denial', failure('denied', { errorType: '403' }), undefined],
    ['a cancellation', failure('cancelled'), undefined],
  ])('of %s', (_, given, type) => {
    expect(errorType(given)).toBe(type);
  });

  test('is the class of an error that was thrown, whatever it reminds us of', () => {
    class ValueError extends Error {}
    expect(errorType(classify(new ValueError('bad value')))).toBe('ValueError');
    expect(errorType(failure('invalid_input', { cause: 'ValueError' }), { origin: 'thrown' })).toBe('ValueError');
  });

  test('is the kind an author stated, where that is known', () => {
    expect(errorType(failure('invalid_input'), { origin: 'fail' })).toBe('invalid_input');
    expect(errorType(failure('upstream', { cause: 'HttpError' }), { origin: 'fail' })).toBe('upstream');
  });
});

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
    expect([toolErrorType(failure(kind)), toolErrorType(failure(kind), 'shipped')]).toEqual([documented, shipped]);
  });

  test('knows every kind', () => {
    for (const kind of Object.keys(catalogue) as FailureKind[]) expect(() => toolErrorType(failure(kind))).not.toThrow();
  });

  test.each([
    ['DNS', failure('unreachable', { cause: 'ENOTFOUND' }), 'java.net.UnknownHostException', 'SERVICE_UNAVAILABLE'],
    ['a status of the upstream', failure('upstream', { upstream: { status: 503 } }), '503', 'SERVICE_UNAVAILABLE'],
    ['an odd status', failure('upstream', { upstream: { status: 507 } }), '507', 'BAD_GATEWAY'],
    ['an exception without a type', failure('internal', { cause: 'ValueError' }), 'ValueError', 'INTERNAL_SERVER_ERROR'],
    ['a gateway that waited too long', failure('timeout', { upstream: { status: 504 } }), 'timeout', 'GATEWAY_TIMEOUT'],
  ])('tells %s apart', (_, given, documented, shipped) => {
    expect([toolErrorType(given), toolErrorType(given, 'shipped')]).toEqual([documented, shipped]);
  });

  test('is the class of an exception whose words alone remind of bad arguments', () => {
    const given = failure('invalid_input', { cause: 'ValueError' });
    expect(toolErrorType(given, '001', { origin: 'thrown' })).toBe('ValueError');
    expect(toolErrorType({ ...given, upstream: { status: 400 } }, '001', { origin: 'thrown' })).toBe('400');
    expect([toolErrorType(given), toolErrorType(given, '001', { origin: 'fail' })]).toEqual(['400', '400']);
    expect(toolErrorType(given, 'shipped', { origin: 'thrown' })).toBe('BAD_REQUEST');
  });

  test.each(['with spaces in it', 'x'.repeat(65)])('does not take a stated type that is no label: %s', (stated) => {
    expect(toolErrorType(failure('internal', { errorType: stated }))).toBe('500');
  });

  test.each(Object.values(ToolErrorType))('leaves the stated type %s as it is', (stated) => {
    const given = classify(new ToolExecutionError('No.', { errorType: stated }));
    expect([errorType(given), toolErrorType(given), toolErrorType(given, 'shipped')]).toEqual([stated, stated, stated]);
    expect(errorType(classify(fail('internal', 'No.', { errorType: stated })))).toBe(stated);
  });
});
