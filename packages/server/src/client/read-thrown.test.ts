import { expect, test } from 'vitest';
import { readFetchError, readThrown } from './read-thrown.ts';

const writes = { effect: 'unknown', unsafe: true } as const;
const failedFetch = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code }) });

test.each([
  ['ECONNREFUSED', 'unreachable', 'none', true],
  ['ENOTFOUND', 'unreachable', 'none', true],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'none', true],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'unreachable', 'none', false],
  ['ECONNRESET', 'unreachable', 'unknown', false],
  ['UND_ERR_SOCKET', 'unreachable', 'unknown', false],
  ['UND_ERR_HEADERS_TIMEOUT', 'timeout', 'unknown', false],
  ['HPE_INVALID_CONSTANT', 'bad_response', 'unknown', false],
])('a fetch that failed with %s is %s, its effect %s', async (code, kind, effect, retryable) => {
  expect(await readFetchError(failedFetch(code), writes)).toMatchObject({ kind, effect, retryable, cause: code });
});

test.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.', 'terminated'])(
  'a browser or runtime that says only "%s" did not reach the server',
  async (message) => {
    expect(await readFetchError(new TypeError(message), { effect: 'none', unsafe: false })).toMatchObject({
      kind: 'unreachable',
      retryable: true,
      cause: 'TypeError',
    });
  },
);

test('an answer that is not HTTP is a bad response by its name alone', async () => {
  const cause = Object.assign(new Error('Response does not match the HTTP/1.1 protocol'), { name: 'HTTPParserError' });
  expect(await readFetchError(new TypeError('fetch failed', { cause }), writes)).toMatchObject({ kind: 'bad_response' });
});

test('a code that the client does not know is classified', async () => {
  expect(await readFetchError(failedFetch('ERR_SSL_WRONG_VERSION_NUMBER'), writes)).toMatchObject({
    kind: 'unreachable',
    cause: 'ERR_SSL_WRONG_VERSION_NUMBER',
  });
});

test('an abort that the caller did not ask for is a timeout', async () => {
  expect(await readFetchError(new DOMException('a', 'AbortError'), writes)).toMatchObject({ kind: 'timeout', effect: 'unknown' });
});

test.each([
  ['failed', new Error('x')],
  ['failed', 'text'],
  ['internal', undefined],
  ['internal', null],
  [
    'internal',
    new Proxy(
      {},
      {
        get() {
          throw new Error('no');
        },
      },
    ),
  ],
])('anything else is classified as %s, and nothing is thrown', async (kind, thrown) => {
  expect(await readFetchError(thrown, writes)).toMatchObject({ kind, effect: 'unknown', recovery: 'verify' });
  expect(await readThrown(thrown)).toMatchObject({ effect: 'none' });
});
