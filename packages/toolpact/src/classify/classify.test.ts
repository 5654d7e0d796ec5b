import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { FailureKind } from '../outcome/catalogue.ts';
import { createRedactor } from '../outcome/redact.ts';
import { fail } from '../outcome/reply.ts';
import { ToolpactError } from '../outcome/toolpact-error.ts';
import { classify } from './classify.ts';

/** Makes an error as libraries do: a message, a name and whatever fields they add. */
function errorOf(message: string, fields: Record<string, unknown> = {}): Error {
  return Object.assign(new Error(message), fields);
}

describe('a schema library that complains about data from elsewhere', () => {
  const secret = 'hunter2-secret';
  const path = ['user', 'nick'];
  test.each<[string, unknown, string]>([
    [
      'valibot',
      errorOf(`Invalid type: Expected number but received "${secret}"`, {
        name: 'ValiError',
        issues: [
          { kind: 'schema', type: 'number', input: secret, received: `"${secret}"`, message: `Expected number but received "${secret}"` },
        ],
      }),
      'Expected number but received "…"',
    ],
    [
      'arktype, whose issue has its rule as its input',
      errorOf(`user.nick must be "x" (was "${secret}")`, {
        name: 'TraversalError',
        arkErrors: [{ path, data: secret, code: 'unit', message: `user.nick must be "x" (was "${secret}")`, input: { unit: 'x' } }],
      }),
      'user.nick must be "x" (was "…")',
    ],
    [
      'yup',
      errorOf(`user.nick must match the following: "/^a/", but the final value was: \`"${secret}"\``, {
        name: 'ValidationError',
        path: 'user.nick',
        value: secret,
        errors: [`user.nick must match the following: "/^a/", but the final value was: \`"${secret}"\``],
      }),
      'user.nick must match the following: "/^a/", but the final value was: `"…"`',
    ],
    [
      'joi',
      errorOf(`"user.nick" with value "${secret}" fails to match the required pattern: /^a/`, {
        name: 'ValidationError',
        details: [{ message: `"user.nick" with value "${secret}" fails`, path, type: 'string.pattern.base', context: { value: secret } }],
      }),
      '"user.nick" with value "…" fails',
    ],
    [
      'superstruct',
      errorOf(`At path: user.nick -- Expected a number, but received: "${secret}"`, { name: 'StructError', value: secret, path }),
      'At path: user.nick -- Expected a number, but received: "…"',
    ],
    [
      'zod 3',
      errorOf('[]', {
        name: 'ZodError',
        issues: [{ code: 'invalid_enum_value', received: secret, path, message: `Expected 'a' | 'b', received '${secret}'` }],
      }),
      "user.nick: Expected 'a' | 'b', received '…'",
    ],
  ])('does not repeat the value where %s does', (_, thrown, message) => {
    const failure = classify(thrown, { during: 'run' });
    expect(failure.message).toContain(message);
    expect(JSON.stringify(failure)).not.toContain(secret);
  });

  test('keeps its words where the value is a word of them', () => {
    const issues = [{ path: ['a'], input: 'number', message: 'Invalid type: Expected number but received "number"' }];
    expect(classify(errorOf('', { issues }), { during: 'run' }).message).toContain('Invalid type: Expected number but received "…"');
  });
});

describe('what an error means', () => {
  test.each<[FailureKind, boolean, unknown]>([
    ['failed', false, new Error('boom')],
    ['internal', false, new TypeError("Cannot read properties of undefined (reading 'x')")],
    ['internal', false, new ReferenceError('foo is not defined')],
    ['internal', false, new RangeError('Maximum call stack size exceeded')],
    ['failed', false, 'boom'],
    ['unreachable', true, new TypeError('fetch failed', { cause: errorOf('connect ECONNREFUSED 127.0.0.1:2', { code: 'ECONNREFUSED' }) })],
    ['unreachable', false, errorOf('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
    ['unreachable', true, new AggregateError([errorOf('connect ECONNREFUSED ::1:2', { code: 'ECONNREFUSED' })])],
    ['timeout', true, new DOMException('The operation was aborted due to timeout', 'TimeoutError')],
    ['timeout', true, errorOf('aborted', { name: 'AbortError', cause: new DOMException('late', 'TimeoutError') })],
    ['timeout', true, errorOf('timeout of 300ms exceeded', { code: 'ECONNABORTED' })],
    ['cancelled', false, new DOMException('This operation was aborted', 'AbortError')],
    ['invalid_input', false, errorOf('One or more values were invalid: Missing the key pk', { name: 'ValidationException' })],
    ['too_large', false, errorOf('The input token count (9) exceeds the maximum number of tokens allowed (8).', { status: 400 })],
    ['upstream', true, errorOf('x is not a function', { name: 'ProtocolError', code: -32603 })],
    ['unauthenticated', false, errorOf('Error', { code: 'CLIENT_HTTP_NOT_IMPLEMENTED', data: { status: 401 } })],
    ['bad_response', false, new SyntaxError('Unexpected token \'<\', "<html>"... is not valid JSON')],
    ['not_found', false, errorOf("ENOENT: no such file or directory, open '/srv/data/a.txt'", { code: 'ENOENT', syscall: 'open' })],
    ['conflict', false, errorOf('duplicate key value violates unique constraint', { code: '23505', severity: 'ERROR' })],
    ['conflict', true, errorOf('deadlock detected', { code: '40P01' })],
    ['conflict', true, errorOf('could not serialize access due to concurrent update', { code: '40001' })],
    ['conflict', true, errorOf('database is locked', { code: 'SQLITE_BUSY' })],
    ['unsupported', false, errorOf('12 UNIMPLEMENTED: no such method', { code: 12, metadata: {} })],
    ['rate_limited', true, errorOf('Rate exceeded', { name: 'ThrottlingException', $metadata: { httpStatusCode: 400 } })],
    ['not_configured', false, errorOf('No API key provided', { statusCode: 401 })],
    ['unauthenticated', false, errorOf("You didn't provide an API key.", { status: 401, headers: new Headers() })],
    ['invalid_input', false, errorOf('[]', { name: 'ZodError', issues: [{ path: ['a'], message: 'Required' }] })],
    ['invalid_input', false, [{ instancePath: '', keyword: 'required', message: "must have required property 'a'" }]],
    ['timeout', true, errorOf('Command timed out', { timedOut: true, exitCode: undefined })],
    ['unreachable', true, errorOf('x', { code: 'ECONNREFUSED', output: { statusCode: 502, headers: {} } })],
    ['rate_limited', true, { remainingPoints: 0, msBeforeNext: 4895 }],
    ['upstream', true, { error: { message: 'General Error', http_code: 500 } }],
    ['invalid_input', false, new Error('Request failed: Error (422): Unprocessable Entity')],
    ['invalid_input', false, new RangeError('Dimension mismatch in multiplication')],
    ['invalid_input', false, errorOf('Unrecognized archive format', { code: 'BAD_ARCHIVE' })],
    [
      'upstream',
      true,
      errorOf("Cannot read properties of undefined (reading 'b')", { status: 500, data: { code: 'INTERNAL_SERVER_ERROR' } }),
    ],
    // The family name says less than the code next to it.
    ['invalid_input', false, errorOf('The address is improperly formatted.', { name: 'CloudAuthError', code: 'auth/invalid-email' })],
    ['not_found', false, errorOf('[not_found] no such row', { name: 'ConnectError', code: 5, metadata: {} })],
    ['unreachable', true, errorOf('lost', { name: 'ConnectError', code: 10, metadata: {}, cause: errorOf('x', { code: 'ECONNRESET' }) })],
    ['upstream', true, errorOf('it broke', { name: 'ConnectError', code: 13, metadata: {} })],
    ['forbidden', false, errorOf('no', { name: 'ConnectError', code: 7, metadata: {} })],
    // Services number their errors in five digits, as databases do.
    ['invalid_input', false, errorOf("Invalid 'to' address", { status: 422, error: { errors: [{ code: '40310' }] } })],
    [
      'unauthenticated',
      false,
      errorOf('The access token is not recognised', { status: 401, code: 'access_token_not_found', headers: { a: 'b' } }),
    ],
    // A status of success on an error says that the body was wrong.
    ['bad_response', false, errorOf('200', { name: 'APIError', statusCode: 200 })],
    // A service that names one of the numbers of JSON-RPC means it.
    [
      'invalid_input',
      false,
      errorOf('x', { response: { code: -32602, message: 'Invalid parameters (failed to deserialize the address)' } }),
    ],
    // Why something is not ready, its cause says.
    ['invalid_input', false, errorOf('x', { code: 'DATABASE_NOT_OPEN', cause: errorOf('x', { code: 'INVALID_PATH' }) })],
    // Where else libraries keep what went wrong.
    ['unreachable', true, { exception: errorOf('x', { code: 'ECONNREFUSED' }) }],
    ['conflict', false, errorOf('x', { status: 422, errors: [{ attributes: { code: 'STALE_VERSION' } }] })],
    ['rate_limited', true, errorOf('x', { status: 420 })],
    // A general state says nothing, its words do.
    ['forbidden', false, errorOf('SELECT command denied to user', { code: 'ER_TABLEACCESS_DENIED_ERROR', sqlState: 'HY000' })],
    ['invalid_input', false, errorOf('bind message supplies 0 parameters', { code: '08P01' })],
    // An author's words about an argument, and the engine's words about our own code.
    ['internal', false, new TypeError("undefined is not an object (evaluating 'a.b')")],
    ['invalid_input', false, new RangeError('Use `yyyy` instead of `YYYY`')],
    ['internal', false, new TypeError('Converting circular structure to JSON')],
    ['internal', false, new RangeError('Invalid array length')],
    ['internal', false, errorOf("Cannot read properties of undefined (reading 'x')", { name: 'GraphQLError' })],
    ['failed', false, errorOf('nothing', { name: 'constructor' })],
    ['invalid_input', false, new Error("Cannot convert string 'x' to type UInt32.")],
    // Numbers in words.
    ['not_found', false, new Error('Error downloading the description: HTTP ERROR 404')],
    ['upstream', true, new Error('<html><head><title>503 x</title></head></html>')],
    ['unauthenticated', false, errorOf('Forbidden', { status: 401 })],
    ['forbidden', false, errorOf('Unauthorized', { status: 403 })],
    ['bad_response', false, new Error('An invalid API response was returned')],
    ['too_large', false, new RangeError('Parameter limit exceeded. Only 2 parameters allowed.')],
    ['rate_limited', true, new Error('Too many simultaneous queries')],
    ['conflict', false, errorOf('The value has to be unique.', { status: 400 })],
    ['budget_exhausted', false, errorOf('You are out of email credits.', { status: 422 })],
    ['not_configured', false, new Error('Missing Example Secret Key.')],
    ['invalid_input', false, errorOf('Missing required key', { status: 400 })],
    ['budget_exhausted', false, errorOf('Maximum credits exceeded', { status: 401 })],
    ['not_configured', false, errorOf('no credentials specified', { code: 'X-101' })],
    ['bad_response', false, errorOf('Map keys must be unique at line 2, column 1', { name: 'YAMLParseError', code: 'DUPLICATE_KEY' })],
    // The runtime checks what it is given, whatever the check is about.
    ['invalid_input', false, Object.assign(new TypeError('Invalid JWK EC key'), { code: 'ERR_CRYPTO_INVALID_JWK' })],
    // The output of a program: phrases count, a lone word does not.
    ['not_found', false, errorOf('Command failed: ls x', { code: 2, stderr: "ls: cannot access 'x': No such file or directory" })],
    ['unauthenticated', false, errorOf('Command failed: psql', { code: 2, stderr: 'password authentication failed for user "x"' })],
    ['not_configured', false, errorOf('Command failed: nope', { code: 127, stderr: '/bin/sh: 1: nope: not found' })],
    ['failed', false, errorOf('Command failed: x', { code: 1, stderr: 'bad thing' })],
  ])('reads %s (retryable: %s)', (kind, retryable, thrown) => {
    expect(classify(thrown)).toMatchObject({ kind, retryable });
  });

  test.each<[number, FailureKind, boolean]>([
    [400, 'invalid_input', false],
    [401, 'unauthenticated', false],
    [402, 'budget_exhausted', false],
    [403, 'forbidden', false],
    [404, 'not_found', false],
    [405, 'unsupported', false],
    [408, 'timeout', true],
    [409, 'conflict', false],
    [410, 'not_found', false],
    [412, 'conflict', false],
    [413, 'too_large', false],
    [415, 'unsupported', false],
    [422, 'invalid_input', false],
    [423, 'conflict', true],
    [425, 'not_ready', true],
    [429, 'rate_limited', true],
    [451, 'denied', false],
    [499, 'cancelled', false],
    [500, 'upstream', true],
    [501, 'unsupported', false],
    [503, 'upstream', true],
    [504, 'timeout', true],
    [524, 'timeout', true],
    [529, 'upstream', true],
  ])('reads a bare status %i as %s', (status, kind, retryable) => {
    expect(classify(errorOf('oops', { status }))).toMatchObject({ kind, retryable, upstream: { status } });
  });

  test.each<[string, FailureKind, unknown]>([
    ['a 403 that says rate limit', 'rate_limited', errorOf('API rate limit exceeded', { status: 403 })],
    [
      'a 429 for a spent quota',
      'budget_exhausted',
      errorOf('429', { status: 429, error: { code: 'insufficient_quota', message: 'Quota' } }),
    ],
    ['a 400 for a name that is taken', 'conflict', errorOf('x', { statusCode: 400, body: '{"message":"Index already exists"}' })],
    ['a 400 of a content filter', 'denied', errorOf('x', { status: 400, error: { code: 'content_filter', message: 'filtered' } })],
    ['a 400 for too long a prompt', 'too_large', errorOf('x', { status: 400, error: { message: 'prompt is too long: 200001 tokens' } })],
    ['a 503 that asks to slow down', 'rate_limited', errorOf('x', { name: 'SlowDown', $metadata: { httpStatusCode: 503 } })],
    ['a 400 that lists its complaints by field', 'conflict', errorOf('x', { status: 400, body: { name: ['has already been taken'] } })],
    [
      'a 403 for what is not available to us',
      'forbidden',
      errorOf('x', { status: 403, body: { message: 'Not available for your account' } }),
    ],
    ['a 429 that says busy', 'rate_limited', errorOf('busy', { status: 429 })],
    ['a 429 of an overloaded service', 'rate_limited', errorOf('Service overloaded', { status: 429 })],
    ['a 429 for tokens per minute', 'rate_limited', errorOf('Tokens per minute exceeded', { status: 429, code: 'token_quota_exceeded' })],
    ['a 409 whose summary is a path', 'not_found', errorOf('x', { status: 409, error: { error_summary: 'path/not_found/..' } })],
    ['a 200 that says ok: false', 'not_found', errorOf('An API error occurred', { data: { ok: false, error: 'channel_not_found' } })],
    [
      'GraphQL codes',
      'forbidden',
      errorOf('x', { response: { status: 200, errors: [{ message: 'x', extensions: { code: 'FORBIDDEN' } }] } }),
    ],
  ])('lets the meaning win over the number: %s', (_what, kind, thrown) => {
    expect(classify(thrown).kind).toBe(kind);
  });

  // As PubNub and Hugging Face keep them: without headers, or where others have a number.
  test.each<[FailureKind, number, Record<string, unknown>]>([
    [
      'forbidden',
      403,
      { status: { error: true, category: 'PNAccessDeniedCategory', statusCode: 403, errorData: { message: 'Forbidden' } } },
    ],
    ['invalid_input', 422, { httpResponse: { status: 422, requestId: '', body: { error: '`inputs` tokens must be <= 4096' } } }],
    ['rate_limited', 429, { response: { statusCode: 429 } }],
    ['rate_limited', 429, { res: { status: 429 } }],
    ['rate_limited', 429, { resp: { status: 429 } }],
    ['rate_limited', 429, { $response: { statusCode: 429 } }],
    ['rate_limited', 429, { meta: { statusCode: 429 } }],
    ['rate_limited', 429, { responseStatusCode: 429 }],
  ])('reads %s and the status %i from %j', (kind, status, fields) => {
    expect(classify(errorOf('it failed', fields))).toMatchObject({ kind, upstream: { status } });
  });

  test.each<[FailureKind, boolean, category: string, cause: Error]>([
    ['unreachable', true, 'PNNetworkIssuesCategory', errorOf('connect ECONNREFUSED ::1:2', { code: 'ECONNREFUSED' })],
    ['timeout', true, 'PNTimeoutCategory', new Error('Request timeout')],
  ])('reads %s (retryable: %s) where an object stands for a status that never came', (kind, retryable, category, errorData) => {
    const thrown = errorOf('check status for details', { name: 'PubNubError', status: { statusCode: 0, category, errorData } });
    expect(classify(thrown)).toMatchObject({ kind, retryable });
    expect(classify(thrown)).not.toHaveProperty('upstream');
  });

  // The second number of a reply is more precise than the first (RFC 3463).
  test.each<[FailureKind, boolean, reply: string]>([
    ['upstream', true, '450 4.2.1 The mailbox is busy'],
    ['upstream', true, '451 4.7.1 Greylisted'],
    ['upstream', true, '452 4.2.2 Mailbox full'],
    ['not_found', false, '550 5.1.1 User unknown'],
    ['not_found', false, '553 5.1.2 Bad address'],
    ['invalid_input', false, '501 5.1.3 Bad recipient address syntax'],
    ['budget_exhausted', false, '552 5.2.2 Mailbox full'],
    ['too_large', false, '552 5.3.4 Message too big'],
    ['denied', false, '550 5.7.1 Relaying is not for you'],
    ['denied', false, '550-5.7.26 Unauthenticated mail'],
    ['denied', false, '552 5.7.0 The content presents a security issue'],
    ['unauthenticated', false, '530 5.7.0 Authentication required'],
    ['unauthenticated', false, '534 5.7.9 Application-specific password required'],
    ['unauthenticated', false, '535 5.7.8 Username and password not accepted'],
  ])('reads %s (retryable: %s) from the reply of a mail server: %s', (kind, retryable, reply) => {
    const responseCode = Number(reply.slice(0, 3));
    const thrown = errorOf(`Message failed: ${reply}`, { code: 'EENVELOPE', response: reply, responseCode, command: 'DATA' });
    expect(classify(thrown)).toMatchObject({ kind, retryable });
  });

  test('reads the reply of a mail server next to words that say less', () => {
    const thrown = errorOf("bad response on command 'RCPT': 5.1.1 Recipient address rejected", {
      name: 'SMTPError',
      code: 2,
      smtp: '550 5.1.1 Recipient address rejected\n',
    });
    expect(classify(thrown).kind).toBe('not_found');
  });

  test.each<[FailureKind, boolean, Record<string, unknown>]>([
    ['rate_limited', true, { details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '37s' }] }],
    ['budget_exhausted', false, { details: [] }],
    ['budget_exhausted', false, { resetAt: '2026-02-01T00:00:00Z' }],
  ])('reads an exceeded quota as %s (retryable: %s) with %j', (kind, retryable, fields) => {
    expect(classify(errorOf('Quota exceeded for metric: requests', { status: 429, error: fields }))).toMatchObject({ kind, retryable });
  });

  test('takes a wrapper for what it wraps', () => {
    const inner = errorOf('Not Found', { statusCode: 404, url: 'https://api.example.com/v1/items?key=abc', responseHeaders: {} });
    for (const wrapper of ['cause', 'original', 'parent', 'lastError', 'driverError']) {
      expect(classify(errorOf('failed', { [wrapper]: inner }))).toMatchObject({ kind: 'not_found', upstream: { status: 404 } });
    }
  });
});

describe('what is kept of the other side', () => {
  test('keeps status, endpoint without its query, and the request id', () => {
    const failure = classify(
      errorOf('Request failed with status code 503', {
        config: { baseURL: 'https://user:pw@api.example.com/v1', url: '/items?token=abc' },
        response: { status: 503, headers: { 'x-request-id': 'req_1', 'retry-after': '2' }, data: { message: 'Try later' } },
      }),
    );
    expect(failure).toMatchObject({
      kind: 'upstream',
      retryAfterMs: 2000,
      upstream: { status: 503, endpoint: 'https://api.example.com/v1/items', requestId: 'req_1' },
    });
  });

  test('says nothing about an upstream that never answered', () => {
    expect(classify(errorOf('connect ECONNREFUSED', { code: 'ECONNREFUSED' })).upstream).toBeUndefined();
    expect(classify(errorOf('No API key provided', { statusCode: 401 })).upstream).toBeUndefined();
  });

  test('names the system code or the exception, and the code of the other side', () => {
    expect(classify(errorOf('x', { code: 'ECONNRESET' })).cause).toBe('ECONNRESET');
    expect(classify(new TypeError('x is not a function')).cause).toBe('TypeError');
    const quota = errorOf('429', { name: 'RateLimitError', status: 429, error: { code: 'insufficient_quota', message: 'spent' } });
    expect(classify(quota)).toMatchObject({ cause: 'RateLimitError', details: { code: 'insufficient_quota' } });
  });
});

describe('stated failures', () => {
  test('takes fail() at its word', () => {
    const thrown = fail('conflict', 'Seat 4 is taken, key sk-abcdefghijklmnopqrstuvwx', {
      code: 'seat_taken',
      retryable: true,
      effect: 'none',
    });
    expect(classify(thrown)).toMatchObject({ kind: 'conflict', code: 'seat_taken', retryable: true, recovery: 'wait' });
    expect(classify(thrown).message).toContain('Seat 4 is taken');
    expect(classify(thrown).message).not.toContain('sk-abc');
  });

  test('recognises the failure of another copy of the package', () => {
    const foreign = Object.assign(new Error('Gone.'), { kind: 'not_found', options: { details: { id: 7 } } });
    Object.defineProperty(foreign, Symbol.for('toolpact/tool-failure'), { value: true });
    expect(classify(foreign)).toMatchObject({ kind: 'not_found', message: 'Gone.', details: { id: 7 } });
  });

  test('reads a kind it does not know as internal, never to be repeated', () => {
    const newer = { kind: 'quantum_error', message: 'Odd.', options: { retryable: true }, [Symbol.for('toolpact/tool-failure')]: true };
    expect(classify(newer)).toMatchObject({ kind: 'internal', code: 'quantum_error', retryable: false });
  });

  test('survives an object that only pretends to be a failure', () => {
    const pretender = {
      [Symbol.for('toolpact/tool-failure')]: true,
      kind: 'timeout',
      get message(): string {
        throw new Error('no');
      },
      options: { issues: [{ path: 'x' }], upstream: 'no', details: [1], retryAfterMs: -5, effect: 'odd' },
    };
    const failure = classify(pretender);
    expect(failure).toMatchObject({ kind: 'timeout', effect: 'none', issues: [] });
    expect(failure.retryAfterMs).toBeUndefined();
  });

  test('takes a plain Failure as such', () => {
    const plain = { kind: 'rate_limited', message: 'Slow down.', retryable: true, retryAfterMs: 50, recovery: 'wait', effect: 'none' };
    expect(classify(plain)).toEqual({ ...plain, advice: 'Wait 1 s before trying again.' });
  });

  test('honours an error type given at the throw site', () => {
    expect(classify(fail('timeout', 'late', { errorType: 'too_late' }))).toMatchObject({ kind: 'timeout', errorType: 'too_late' });
    expect(classify(errorOf('who?', { error_type: 'java.net.UnknownHostException' }))).toMatchObject({
      kind: 'unreachable',
      errorType: 'java.net.UnknownHostException',
    });
    expect(classify(errorOf('x', { error_type: { value: '404' } }))).toMatchObject({ kind: 'not_found', errorType: '404' });
    expect(classify(errorOf('x', { errorType: '500', status: 404 }))).toMatchObject({ kind: 'not_found', errorType: '500' });
  });
});

describe('what the model reads', () => {
  test.each<[message: string, advice: string, thrown: unknown]>([
    [
      'connect ECONNREFUSED',
      'Try again in a moment.',
      new TypeError('fetch failed', { cause: errorOf('connect ECONNREFUSED 127.0.0.1:9', { code: 'ECONNREFUSED' }) }),
    ],
    [
      'Rate limit reached',
      'Wait 8 s before trying again.',
      errorOf('Rate limit reached', { status: 429, url: 'https://api.example.com/v1', headers: { 'Retry-After': '8' } }),
    ],
    [
      'boom',
      'If the message names something you sent, correct that; otherwise try another way. Do not repeat the call unchanged.',
      new Error('boom'),
    ],
    ['The tool failed unexpectedly.', 'Repeating the same call will not help.', new Error('')],
    ['This operation was aborted', 'Do not repeat this call.', new DOMException('This operation was aborted', 'AbortError')],
    ['User rejected the request', 'Do not repeat this call.', new Error('User rejected the request')],
    ['The service failed.', 'Try again in a moment.', errorOf('<html><title>502</title></html>', { status: 502 })],
  ])('reads %j and what to do: %j', (message, advice, thrown) => {
    expect(classify(thrown)).toMatchObject({ message, advice });
  });

  test.each([
    'Refusing to write /etc/hosts: only files below /home/bob/app may be changed',
    'route /v1/users/42 does not exist',
    'GET /api/users/7 returned nothing',
    "ENOENT: no such file or directory, open 'src/nope.ts'",
    'Cannot load C:\\Users\\john\\app\\index.html now',
    'Nothing was found at https://api.example.com/items?q=kyoto&page=2',
    'Expected a <title> in index.html',
    'Tests failed:\n\n  1) adds two numbers\n\texpected 3, got 4\n  2) subtracts',
  ])('shows what an author wrote as it was written: %j', (text) => {
    expect(classify(new Error(text)).message).toBe(text);
  });

  test.each([
    ['see https://api.example.com/a?token=abcdef&q=kyoto', 'see https://api.example.com/a?token=[redacted]&q=kyoto'],
    ['Failed to parse URL from v1/items?api_key=abcdef&q=kyoto', 'Failed to parse URL from v1/items?api_key=[redacted]&q=kyoto'],
    ['first line\n    at run (/srv/app/index.js:1:2)\n    at async go (file:///srv/app/go.js:7:1)', 'first line'],
    ['first line\n    at new Promise (<anonymous>)\nlast line', 'first line\nlast line'],
    ['first line\nrun@file:///srv/app/index.js:1:2', 'first line'],
    ['\u001b[31mred\u001b[39m\r\nand plain\u0007', 'red\nand plain'],
    ['The proxy answered <!DOCTYPE html><html><body>no</body></html>', 'The proxy answered'],
    ['The proxy answered: "<html><body>no</body></html>"', 'The proxy answered'],
    ['502 <html><body>no</body></html>', 'The service failed.'],
  ])('hides secrets, and leaves out stacks, colours and pages: %j', (text, message) => {
    expect(classify(new Error(text)).message).toBe(message);
  });

  test('shows up to 4,000 characters, and marks a cut', () => {
    const long = 'word '.repeat(800).trim();
    expect(classify(new Error(long)).message).toBe(long);
    const { message } = classify(new Error('word '.repeat(1e6)));
    expect(message).toHaveLength(4_006);
    expect(message.endsWith('word… [cut]')).toBe(true);
  });

  test('lets no cause replace the words of an author', () => {
    const refused = errorOf('connect ECONNREFUSED 10.0.0.5:5432', { code: 'ECONNREFUSED' });
    const failure = classify(new Error('Failed to load the customer', { cause: refused }));
    expect(failure).toMatchObject({ kind: 'unreachable', message: 'Failed to load the customer' });
  });

  test('shows the whole message of which a part was read', () => {
    const message = `The server is busy: rate limit exceeded\n${'Each line tells more of it. '.repeat(40).trim()}`;
    expect(classify(errorOf(message, { name: 'QueueError' }))).toMatchObject({ kind: 'rate_limited', message });
  });

  test('uses only our own words when that is asked for', () => {
    const thrown = errorOf('secret plans', { status: 404, url: 'https://api.example.com/v1', headers: {} });
    expect(classify(thrown, { expose: 'authored' })).toMatchObject({
      message: 'The item was not found.',
      advice: 'Check the name or id before trying again.',
    });
  });

  test('shows nothing when the redactor breaks', () => {
    const broken = { ...createRedactor(), text: () => JSON.parse('{') as string };
    expect(classify(new Error('secret'), { redactor: broken }).message).toBe('The tool failed unexpectedly.');
  });
});

describe('hostile values', () => {
  const cyclic = errorOf('cyclic');
  cyclic.cause = cyclic;
  let deep: Error = new Error('bottom');
  for (let level = 0; level < 10_000; level++) deep = new Error('level', { cause: deep });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throwing = new Proxy({}, { get: () => JSON.parse('{'), getPrototypeOf: () => JSON.parse('{'), has: () => JSON.parse('{') });
  const endless: unknown = new Proxy(() => {}, { get: (_target, key) => (key === Symbol.toPrimitive ? undefined : endless) });
  const wide: Record<string, number> = {};
  for (let index = 0; index < 1e5; index++) wide[`key${index}`] = index;

  test.each<[FailureKind, string, unknown]>([
    ['internal', 'undefined', undefined],
    ['internal', 'null', null],
    ['internal', 'a symbol', Symbol('x')],
    ['internal', 'a function', () => {}],
    ['internal', 'a bigint', 10n],
    ['internal', 'NaN', Number.NaN],
    ['internal', 'an empty object', {}],
    ['internal', 'an object without prototype', Object.create(null)],
    ['failed', 'a frozen error', Object.freeze(new Error('frozen'))],
    ['failed', 'a cyclic cause', cyclic],
    ['failed', 'ten thousand causes', deep],
    ['internal', 'a revoked proxy', revoked.proxy],
    ['internal', 'a proxy whose traps throw', throwing],
    ['internal', 'a proxy without end', { cause: endless, response: endless }],
    ['internal', 'a hundred thousand keys', wide],
    ['failed', 'a long array', new Array(1e6).fill(new Error('x'))],
    ['failed', 'a long message', new Error(`${'a '.repeat(2e6)}{"`)],
    ['failed', 'brackets', new Error('[{"'.repeat(1e5))],
    ['failed', 'slashes', new Error('/a'.repeat(1e5))],
  ])('answers %s for %s', (kind, _what, thrown) => {
    const failure = classify(thrown);
    expect(failure).toMatchObject({ kind, retryable: false });
    expect(Object.isFrozen(failure)).toBe(true);
    // The same as the arguments of a call.
    expect(classify(thrown, { during: 'run', args: thrown, params: ['a', ''] })).toMatchObject({ retryable: false });
    expect(classify(new Error('It broke'), { during: 'run', args: thrown, params: ['a', ''] }).kind).toBe('failed');
  });

  test('still reads what lies next to a throwing getter or a revoked proxy', () => {
    const thrown = errorOf('Not here', { status: 404, cause: revoked.proxy });
    Object.defineProperty(thrown, 'response', {
      get() {
        throw new Error('no');
      },
    });
    expect(classify(thrown).kind).toBe('not_found');
  });

  test('reads errors of another realm', () => {
    expect(
      classify(runInNewContext("new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ENOTFOUND' }) })")),
    ).toMatchObject({
      kind: 'unreachable',
      cause: 'ENOTFOUND',
    });
  });

  test('reads of a fetch response only what can be read twice', () => {
    class Reply {
      get status(): number {
        return 404;
      }
      get data(): never {
        throw new Error(String(touched.push('data')));
      }
      json(): void {}
    }
    const touched: string[] = [];
    expect(classify(errorOf('x', { response: new Reply() }))).toMatchObject({ kind: 'not_found', upstream: { status: 404 } });
    expect(touched).toEqual([]);
  });

  test('never reads the stack', () => {
    const thrown = new Error('boom');
    Object.defineProperty(thrown, 'stack', {
      get() {
        throw new Error('read');
      },
    });
    expect(classify(thrown).message).toContain('boom');
  });
});

describe('what was read before', () => {
  const without = (message: string, facts: object): Error => {
    const error = Object.assign(new Error(message), facts);
    delete error.stack;
    return error;
  };

  test.each<[string, () => Error, string, string]>([
    ['without a message', () => Object.assign(new Error(), { status: 404 }), 'not_found', 'internal'],
    ['without a stack', () => without('it went away', { code: 'ECONNREFUSED' }), 'unreachable', 'failed'],
  ])('does not rub off on an error of the same words that says more, %s', (_what, telling, kind, unread) => {
    const plain = () => new Error(telling().message);
    expect([plain(), telling(), plain(), telling()].map((error) => classify(error).kind)).toEqual([unread, kind, unread, kind]);
  });

  test('is stated anew for every call: effect, attempt, debug id and advice', () => {
    const hints = { effect: 'none', unsafe: false, attempt: undefined, debugId: 'a' } as const;
    const first = classify(new Error('the same again'), hints);
    const second = classify(new Error('the same again'), { ...hints, debugId: 'b', attempt: 2 });
    expect(second).toEqual({ ...first, debugId: 'b', attempt: 2 });
    const unsafe = classify(new Error('the same again'), { ...hints, effect: 'unknown', unsafe: true, writes: true });
    expect(unsafe).toMatchObject({ effect: 'unknown', recovery: 'verify', advice: 'It may have taken effect; check before repeating it.' });
    expect(classify(new Error('the same again'), { expose: 'authored' }).message).not.toContain('the same again');
  });

  test('comes from what an error says, not from a getter that may change its mind', () => {
    let reads = 0;
    const error = Object.defineProperty(new Error(), 'message', { get: () => (reads++ === 0 ? 'fine words' : 'other words') });
    classify(error);
    expect(classify(new Error('fine words')).message).toContain('fine words');
  });
});

describe("with expose: 'full'", () => {
  test.each<[title: string, thrown: unknown, message: string]>([
    ['all lines', new Error('first\nsecond  line\n\tthird'), 'first\nsecond  line\n\tthird'],
    ['paths', new Error('cannot open /srv/app/data.json'), 'cannot open /srv/app/data.json'],
    ['a long text', new Error('word '.repeat(1000)), 'word '.repeat(1000)],
    ['what a service failed with', Object.assign(new Error('Bad Gateway'), { status: 502 }), 'Bad Gateway'],
    [
      'the text of a wrapper',
      new TypeError('fetch failed', { cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }) }),
      'fetch failed',
    ],
    ['a string', 'just this', 'just this'],
    ['half a character', new Error('a\ud800b'), 'a\ufffdb'],
    ['nothing', new Error(''), 'The tool failed unexpectedly.'],
  ])('the message is %s', (_, thrown, message) => {
    expect(classify(thrown, { expose: 'full' }).message).toBe(message);
  });

  test('secrets are hidden and the rest ends at 64 kB', () => {
    expect(classify(new Error('token=abcdefghijklmnop1234567890'), { expose: 'full' }).message).not.toContain('abcdefghijklmnop');
    expect(classify(new Error('x y '.repeat(50_000)), { expose: 'full' }).message).toHaveLength(65_536);
  });
});

describe("with expose: 'verbatim'", () => {
  const text = 'Config(api_key=abcdefghijklmnop1234567890)\n  at line 3';

  test.each<[title: string, thrown: unknown, message: string]>([
    ['an error', new Error(text), text],
    ['what `fail` says', fail('upstream', text), text],
    ['a string', text, text],
    ['half a character', new Error('a\ud800b'), 'a\ufffdb'],
    ['nothing', new Error(''), 'The tool failed unexpectedly.'],
  ])('the message is the text as it was thrown: %s', (_, thrown, message) => {
    expect(classify(thrown, { expose: 'verbatim' }).message).toBe(message);
  });

  test('all but the text is without secrets', () => {
    const thrown = Object.assign(new Error('no'), { status: 500, url: 'https://me:pw@api.example/v1?key=k-1' });
    expect(classify(thrown, { expose: 'verbatim' }).upstream).toEqual({ status: 500, endpoint: 'https://api.example/v1' });
  });
});

describe("with classify: 'structure'", () => {
  test.each<[thrown: unknown, kind: string]>([
    [new Error('cache entry missing'), 'internal'],
    [new Error('template not found in bundle'), 'internal'],
    [new Error('unsupported operand'), 'internal'],
    [new Error('timeout'), 'internal'],
    [new Error('rate limit exceeded, HTTP 429'), 'internal'],
    [new RangeError('bad value'), 'internal'],
    [new TypeError('x must be a string'), 'internal'],
    [errorOf('bad', { name: 'ValueError' }), 'internal'],
    ['not found', 'internal'],
    [errorOf('x', { status: 404 }), 'not_found'],
    [errorOf('x', { code: 'ECONNREFUSED' }), 'unreachable'],
    [errorOf('x', { name: 'TimeoutError' }), 'timeout'],
    [new Error('x', { cause: errorOf('y', { status: 429 }) }), 'rate_limited'],
    [errorOf('x', { code: 4005 }), 'not_found'],
    [errorOf('x', { code: 5006 }), 'upstream'],
  ])('%s is %s', (thrown, kind) => {
    expect(classify(thrown, { classify: 'structure' }).kind).toBe(kind);
  });
});

test.each([
  ['internal_error', 'internal'],
  ['external_service_error', 'upstream'],
  ['rate_limited', 'rate_limited'],
  ['timeout', 'timeout'],
  ['not_found', 'not_found'],
  ['invalid_input', 'invalid_input'],
])('an exception that carries the code %s is %s', (code, kind) => {
  expect([classify(errorOf('x', { code })).kind, classify(errorOf('x', { error_code: code }), { classify: 'structure' }).kind]).toEqual([
    kind,
    kind,
  ]);
});

test.each([
  ['InputError', 'invalid_input'],
  ['ContextError', 'invalid_input'],
  ['InconsistentMetadataError', 'invalid_input'],
  ['UpstreamError', 'upstream'],
  ['UpstreamServiceError', 'upstream'],
  ['TransientError', 'unreachable'],
])('an exception named %s is %s', (name, kind) => {
  expect(classify(errorOf('x', { name })).kind).toBe(kind);
});

test.each(['invalid_argument', 'unknown_option', 'duplicate_name', 'missing_guard', 'invalid_step'] as const)(
  'a mistake of the author in the use of this library is not blamed on the model: %s',
  (code) => {
    expect(classify(new ToolpactError(code, 'the input is not valid'), { during: 'run' })).toMatchObject({
      kind: 'internal',
      recovery: 'stop',
    });
  },
);

test.each(['fetch failed', 'Failed to fetch'])('what fetch says where it reaches nobody is no bug, also without a cause: %s', (message) => {
  expect(classify(new TypeError(message))).toMatchObject({ kind: 'unreachable', recovery: 'wait', retryable: true });
});
