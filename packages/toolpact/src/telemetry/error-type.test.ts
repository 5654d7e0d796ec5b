import { describe, expect, test } from 'vitest';
import { classify } from '../classify/index.ts';
import { type Failure, type FailureKind, fail, makeFailure } from '../outcome/index.ts';
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

  test.each(['timeout', '500', 'java.net.UnknownHostException'])('is %s where the throw site stated it', (stated) => {
    expect(errorType(classify(fail('internal', 'No.', { errorType: stated })))).toBe(stated);
  });
});
