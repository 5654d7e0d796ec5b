import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { birthplaceOf } from './birthplace.ts';
import { classify } from './classify.ts';

/** Makes an error whose first frame is the given one. */
function errorAt(message: string, frame: string | undefined, fields: Record<string, unknown> = {}): Error {
  const stack = frame === undefined ? undefined : `Error: ${message}\n    at ${frame}\n    at run (/app/src/tool.js:3:5)`;
  return Object.defineProperty(Object.assign(new Error(message), fields), 'stack', { value: stack });
}

const own = 'run (/app/src/tool.js:3:5)';
const library = 'send (/app/node_modules/some-client/index.js:10:3)';

describe('where an error was made', () => {
  test.each([
    ['own', own],
    ['own', 'async Object.run (file:///home/me/a%20b/tool.ts:3:5)'],
    ['own', 'C:\\app\\src\\tool.js:3:5'],
    ['library', library],
    ['library', 'C:\\app\\node_modules\\x\\index.js:1:2'],
    ['client', 'new Client (/app/node_modules/kit/index.js:1:1)'],
    ['library', 'Socket.emit (node:events:1:2)'],
    ['library', 'node:internal/process/task_queues:1:2'],
    ['engine', 'JSON.parse (<anonymous>)'],
    ['unknown', 'run (https://app.example.com/assets/index-1a2b.js:1:2)'],
    ['unknown', 'eval (eval at run (/app/src/tool.js:1:2), <anonymous>:1:1)'],
    ['unknown', undefined],
  ])('%s: %s', (place, frame) => {
    expect(birthplaceOf(errorAt('x', frame), 'x')).toBe(place);
  });

  test('is not read out of a stack that the message quotes', () => {
    const message = 'Command failed\n    at send (/app/node_modules/x/index.js:1:2)';
    expect(birthplaceOf(errorAt(message, own), message)).toBe('own');
  });

  test('is this package for what this package throws, and unknown for what has no readable stack', () => {
    expect(birthplaceOf(new Error('x'), 'x')).toBe('home');
    expect(birthplaceOf(runInNewContext("Object.defineProperty(new Error('x'), 'stack', { get() { throw 1 } })"), 'x')).toBe('unknown');
  });
});

describe('what an application throws in its own words is left to the reader', () => {
  test.each([
    'cache entry missing',
    'User not found',
    'Invalid state: expected an array of strings',
    'Session expired, please log in again',
    'Rate limit exceeded',
    'The store is not ready yet',
    'Permission denied for this record',
  ])('%s', (message) => {
    expect(classify(errorAt(message, own))).toMatchObject({ kind: 'failed', recovery: 'see_message', retryable: false });
    expect(classify(errorAt(message, own, { cause: new Error('x') }))).toMatchObject({ kind: 'failed' });
  });

  test.each(['invariant failed: user is required here', 'this should never happen'])('but a broken invariant is a bug: %s', (message) => {
    expect(classify(errorAt(message, own))).toMatchObject({ kind: 'internal', recovery: 'stop', retryable: false });
  });

  test('and the same words of a library keep their meaning, in any order', () => {
    const kinds = [own, library, own, library].map((frame) => classify(errorAt('the widget was not found', frame)).kind);
    expect(kinds).toEqual(['failed', 'not_found', 'failed', 'not_found']);
  });

  test.each([
    ['unreachable', errorAt('Loading failed: connect ECONNREFUSED 127.0.0.1:80', own)],
    ['rate_limited', errorAt('The service answered with HTTP 429', own)],
    ['rate_limited', errorAt('Call failed: {"error":{"code":"rate_limit_exceeded"}}', own)],
    ['not_found', errorAt('could not load', own, { cause: Object.assign(new Error('x'), { code: 'ENOENT' }) })],
    ['not_found', errorAt('Item not found', own, { code: 'ITEM_NOT_FOUND' })],
    ['not_configured', errorAt('EXAMPLE_API_KEY environment variable is not set', own)],
  ])('but a status, a code or a cause is a fact: %s', (kind, thrown) => {
    expect(classify(thrown).kind).toBe(kind);
  });
});

describe('where the birthplace is not known', () => {
  test.each([
    ['failed', 'cache entry missing'],
    ['failed', 'user is required here'],
    ['failed', 'handler not found'],
    ['timeout', 'The request timed out after 5000 ms'],
    ['rate_limited', 'Rate limit exceeded, slow down'],
  ])('a lone word is not enough: %s for "%s"', (kind, message) => {
    expect(classify(errorAt(message, undefined)).kind).toBe(kind);
  });

  test.each([
    ['not_found', 'Catalog Error: Table with name nope does not exist!'],
    ['conflict', 'Constraint Error: Duplicate key "a: 1" violates primary key constraint.'],
  ])('an error that native code names in its text is believed: %s for "%s"', (kind, message) => {
    expect(classify(errorAt(message, undefined)).kind).toBe(kind);
    expect(classify(errorAt(message, own)).kind).toBe('failed');
  });
});

describe('what a dependency refuses', () => {
  test.each([
    ['invalid_input', 'Cookie has domain set to a public suffix'],
    ['invalid_input', 'XPath parse error'],
    ['failed', 'worker exited with code: 3'],
    ['bad_response', 'Too many redirects'],
    ['invalid_input', 'Streams in object mode are not supported'],
    ['invalid_input', 'The alphabet must contain at least 16 unique characters'],
    ['conflict', 'The name is not unique, a duplicate exists'],
    ['internal', ''],
    ['failed', 'Failure'],
  ])('is %s for a plain error "%s"', (kind, message) => {
    expect(classify(errorAt(message, library)).kind).toBe(kind);
  });

  test.each([
    ['invalid_input', { name: 'PatchError' }],
    ['invalid_input', { code: 'NJS-101' }],
    ['rate_limited', { name: 'PatchError', retryAfter: 3 }],
    ['failed', { syscall: 'read', code: 'ENOTBLK' }],
    ['failed', { exitCode: 3 }],
    ['failed', { stderr: 'boom' }],
  ])('is %s for an error with %o', (kind, fields) => {
    expect(classify(errorAt('Test operation did what it did', library, fields)).kind).toBe(kind);
    expect(classify(errorAt('Test operation did what it did', own, fields)).kind).toBe(kind === 'invalid_input' ? 'failed' : kind);
  });

  test.each([
    ['invalid_input', 'Unexpected end at index 3', { name: 'PathError' }],
    ['invalid_input', 'Streams in object mode are not supported', { bufferedData: '' }],
    ['invalid_input', 'The first character of a path should be a slash', { name: 'AssertionError', code: 'ERR_ASSERTION' }],
    ['bad_response', 'Unexpected end of the header', { name: 'FrameError', code: 'BAD_HEADER' }],
    ['bad_response', 'Could not parse response content', { name: 'LengthError' }],
    ['unsupported', 'It failed', { name: 'NotSupportedError' }],
  ])('is %s for "%s" with %o', (kind, message, fields) => {
    expect(classify(errorAt(message, library, fields)).kind).toBe(kind);
  });

  test('with an assertion is a bug where the arguments were checked before, and in a file of the application', () => {
    const fields = { name: 'AssertionError', code: 'ERR_ASSERTION' };
    expect(classify(errorAt('The path should begin with a slash', library, fields), { during: 'run' }).kind).toBe('internal');
    expect(classify(errorAt('The path should begin with a slash', own, fields)).kind).toBe('internal');
  });

  test.each([
    ['invalid_input', 'Password string too short', { status: 500 }],
    ['upstream', 'The service is wrong: 500', { status: 500 }],
    ['upstream', 'Invalid query plan', { status: 500, response: { status: 500, headers: { date: 'x' } } }],
    ['upstream', 'Request failed', { status: 500, body: 'invalid state' }],
  ])('is %s for "%s" under the status of %o', (kind, message, fields) => {
    expect(classify(errorAt(message, library, fields)).kind).toBe(kind);
  });

  test.each([
    ['not_configured', 'Missing publicKey during the initialization'],
    ['not_configured', 'The "config.server" property is required and must be of type string.'],
    ['invalid_input', 'First argument must be a positive number or an array'],
  ])('while it creates a client is %s for "%s"', (kind, message) => {
    expect(classify(errorAt(message, 'new Client (/app/node_modules/kit/index.js:1:1)')).kind).toBe(kind);
    expect(classify(errorAt(message, library)).kind).toBe('invalid_input');
    expect(classify(errorAt(message, 'new Client (/app/src/client.js:1:1)')).kind).toBe('failed');
  });

  test('blames the arguments only where they were not checked before', () => {
    const thrown = errorAt('Cookie has domain set to a public suffix', library);
    expect(classify(thrown, { during: 'run' }).kind).toBe('failed');
    expect(classify(thrown, { classify: 'structure' }).kind).toBe('internal');
  });
});
