import { expect, test } from 'vitest';
import { whyUnreachable } from './why-unreachable.ts';

const fetchFailed = (code: string) => new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });

test.each([
  [fetchFailed('ECONNREFUSED'), 'connection refused'],
  [fetchFailed('ENOTFOUND'), 'no such host'],
  [new Error('not sent', { cause: fetchFailed('ECONNRESET') }), 'the connection broke'],
  [{ code: 'ETIMEDOUT' }, 'no answer in time'],
  [fetchFailed('toString'), undefined],
  [new TypeError('fetch failed'), undefined],
  ['ECONNREFUSED', undefined],
  [undefined, undefined],
])('%o failed because of: %s', (thrown, why) => {
  expect(whyUnreachable(thrown)).toBe(why);
});
