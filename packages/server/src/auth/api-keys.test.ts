import { expect, test } from 'vitest';
import { apiKeys, createApiKey, hashApiKey } from './api-keys.ts';

const { key, hash } = createApiKey();
const request = (headers: Record<string, string>) => ({ method: 'GET', url: '/', headers: new Headers(headers) });

test('a new key cannot be guessed, and only its hash is kept', () => {
  expect(key).toMatch(/^tpk_[\w-]{43}$/);
  expect(hash).toMatch(/^sha256:[\da-f]{64}$/);
  expect(hashApiKey(key)).toBe(hash);
  expect(createApiKey().key).not.toBe(key);
});

test('a key brings its tenant, scopes and name', async () => {
  const authenticate = apiKeys([{ hash, tenantId: 'acme', scopes: ['tools:call:add'], subject: 'ann' }]);
  const identity = { tenantId: 'acme', scopes: ['tools:call:add'], subject: 'ann', keyId: hash.slice(7, 19) };
  expect(await authenticate(request({ 'x-api-key': key }))).toEqual(identity);
  expect(await authenticate(request({ authorization: `bearer ${key}` }))).toEqual(identity);
  expect(await authenticate(request({ authorization: `Bearer ${key}x` }))).toBeUndefined();
  expect(await authenticate(request({}))).toBeUndefined();
});

test('of many keys each is known, and nothing that only looks like one', () => {
  const made = Array.from({ length: 500 }, (_, index) => ({ ...createApiKey(), tenantId: `tenant ${index}` }));
  const authenticate = apiKeys(made.map(({ hash: kept, tenantId }) => ({ hash: kept, tenantId })));
  const tenants = made.map(({ key: sent }) => authenticate(request({ 'x-api-key': sent })));
  expect(tenants).toMatchObject(made.map(({ tenantId }) => ({ tenantId })));
  for (const wrong of [hash, hash.slice(7), `${key}`, '', ' ', '\u0000', 'x'.repeat(100_000)]) {
    expect(authenticate({ method: 'GET', url: '/', headers: { get: () => wrong } })).toBeUndefined();
  }
});

test.each([
  [[], /takes an array of at least one key/],
  [[{ hash: key, tenantId: 'acme' }], /keys themselves are not kept/],
  [[{ hash, tenantId: '' }], /needs a tenantId/],
  [[{ hash, tenantId: 'acme', scope: 'all' }], /the option "scope" does not exist. Did you mean "scopes"/],
  [[{ hash, tenantId: 'acme', scopes: 'all' }], /must be texts/],
  [
    [{ hash, tenantId: 'acme', scopes: ['tools:call:add', 'tools:fly:*'] }],
    /unknown scope "tools:fly:\*"; scopes are \*, tools:call:<tool>/,
  ],
  [[{ hash, tenantId: 'acme', scopes: ['tools:call:'] }], /unknown scope/],
  [
    [
      { hash, tenantId: 'acme' },
      { hash, tenantId: 'other' },
    ],
    /two API keys have the same hash; leave one of them out/,
  ],
  [
    [
      { hash, tenantId: 'acme', keyId: 'one' },
      { hash, tenantId: 'other', keyId: 'two' },
    ],
    /two API keys have the same hash; leave one of them out/,
  ],
  [
    [
      { hash, tenantId: 'acme', keyId: 'one' },
      { hash: hashApiKey('another-key-of-24-characters'), tenantId: 'other', keyId: 'one' },
    ],
    /two API keys have the keyId "one"; give each one of its own/,
  ],
])('%j is refused when the server is made', (keys, message) => {
  expect(() => apiKeys(keys as never)).toThrow(message);
});

test('a key that could be guessed is not hashed', () => {
  expect(() => hashApiKey('swordfish')).toThrow(/at least 24 characters/);
});
