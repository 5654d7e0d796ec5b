import { describe, expect, test } from 'vitest';
import { classify } from './classify.ts';
import { readWait } from './retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

/** Returns the wait that `classify` reads from a 429 with these headers and fields. */
function waitOf(headers: unknown, fields: Record<string, unknown> = {}, message = 'x'): number | undefined {
  return classify(Object.assign(new Error(message), { status: 429, headers, ...fields }), { now }).retryAfterMs;
}

describe('headers', () => {
  test.each(['headers', 'responseHeaders', 'responseHeader', 'rawHeaders'])('are read from %s', (name) => {
    expect(waitOf(undefined, { [name]: name === 'rawHeaders' ? ['Retry-After', '4'] : { 'Retry-After': '4' } })).toBe(4000);
  });

  test.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '-3' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '9999999' }, 86_400_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'Sun, 01 Mar 2015 12:00:30 GMT' }, 0],
    [{ 'retry-after-ms': '850' }, 850],
    [{ 'x-ms-retry-after-ms': '850' }, 850],
    [{ 'x-ratelimit-reset': String(now / 1000 + 40) }, 40_000],
    [{ 'x-ratelimit-reset': String(now + 40_000) }, 40_000],
    [{ 'x-ratelimit-reset': '40' }, 40_000],
    [{ 'x-ratelimit-reset-after': '1.5' }, 1500],
    [{ 'x-ratelimit-reset-requests': '1m30s', 'x-ratelimit-reset-tokens': '7.66s' }, 90_000],
    [{ 'x-ratelimit-reset-requests': '1m30s', 'x-ratelimit-reset-tokens': '7.66s', 'x-ratelimit-remaining-tokens': '0' }, 7660],
    [{ 'anthropic-ratelimit-tokens-reset': '2026-01-01T12:00:05Z' }, 5000],
    [{ ratelimit: 'limit=100, remaining=0, reset=50' }, 50_000],
    [{ ratelimit: '"default";r=0;t=30' }, 30_000],
  ])('reads %j as %s ms, in whatever holds the headers', (headers, wait) => {
    expect(waitOf(headers)).toBe(wait);
    expect(waitOf(new Headers(headers))).toBe(wait);
    expect(waitOf(new Map(Object.entries(headers)))).toBe(wait);
    expect(waitOf(Object.entries(headers))).toBe(wait);
    expect(waitOf(Object.entries(headers).flat())).toBe(wait);
    expect(waitOf(undefined, { response: { status: 429, headers } })).toBe(wait);
  });

  test('uses the reset of a limit only for a failure about limits', () => {
    const thrown = Object.assign(new Error('x'), { status: 503, headers: { 'x-ratelimit-reset': '40' } });
    expect(classify(thrown, { now }).retryAfterMs).toBeUndefined();
  });

  test('gives no wait for what waiting cannot help', () => {
    const thrown = Object.assign(new Error('x'), { status: 404, headers: { 'retry-after': '7' } });
    expect(classify(thrown, { now }).retryAfterMs).toBeUndefined();
  });
});

describe('bodies and texts', () => {
  test.each<[Record<string, unknown>, number]>([
    [{ response: { parameters: { retry_after: 12 } } }, 12_000],
    [{ error: { details: [{ '@type': 'RetryInfo', retryDelay: '34s' }] } }, 34_000],
    [{ retryAfterInMs: 850 }, 850],
    [{ retryAfter: 7 }, 7000],
    [{ retryAfter: 7000 }, 7000],
    [{ msBeforeNext: 120 }, 120],
  ])('reads the field in %j as %i ms', (fields, wait) => {
    expect(waitOf(undefined, fields)).toBe(wait);
  });

  test.each([
    ['Rate limit reached. Please try again in 7.66s.', 7660],
    ['Please try again in 1m30s', 90_000],
    ['Please try again in 20ms', 20],
    ['Too many requests: wait 2 minutes', 120_000],
    // No caller is told to wait longer than a day.
    ['Rate limit exceeded, try again in 30 days', 86_400_000],
    ['Too Many Requests, retry after 10 seconds', 10_000],
    ['Too many requests, retry_after: 12', 12_000],
    ['Rate limit exceeded. Please retry in a minute', 60_000],
    ['User-rate limit exceeded.  Retry after 2026-01-01T12:00:30.000Z', 30_000],
    ['Rate limit exceeded. Try again at 2026-01-01T13:00:30+01:00.', 30_000],
    ['Rate limit exceeded, try again at Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Rate limit exceeded, Retry-After: Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
    ['Rate limited until 2026-01-01 12:00:30 UTC', 30_000],
    [`Rate limit exceeded, it will reset at ${now / 1000 + 30}`, 30_000],
    ['Rate limit exceeded, try again at 2015-01-01T12:00:30Z', 0],
  ])('reads %j as %i ms', (message, wait) => {
    expect(waitOf(undefined, {}, message)).toBe(wait);
  });
});

test('reads no moment without its time zone', () => {
  expect(waitOf(undefined, {}, 'Rate limited until 2026-01-01 12:00:30')).toBeUndefined();
});

describe('gRPC', () => {
  /** Metadata as @grpc/grpc-js keeps it. */
  const metadataOf = (values: Record<string, string[]>) => ({ internalRepr: new Map(Object.entries(values)), options: {} });

  test.each<[Record<string, unknown>, number | undefined]>([
    [{ metadata: metadataOf({ 'grpc-retry-pushback-ms': ['1500'] }) }, 1500],
    [{ metadata: metadataOf({ 'grpc-retry-pushback-ms': ['-1'] }) }, undefined],
    [{ metadata: metadataOf({ 'retry-after': ['3'] }) }, 3000],
    // As google-gax decodes it: a 64-bit number is an object.
    [{ metadata: metadataOf({}), statusDetails: [{ retryDelay: { seconds: { low: 34, toString: () => '34' }, nanos: 0 } }] }, 34_000],
  ])('%#: reads the wait', (fields, wait) => {
    const thrown = Object.assign(new Error('8 RESOURCE_EXHAUSTED: x'), { code: 8, details: 'x', ...fields });
    expect(classify(thrown, { now })).toMatchObject({ kind: 'rate_limited' });
    expect(classify(thrown, { now }).retryAfterMs).toBe(wait);
  });
});

test('reads a number in the stated unit', () => {
  expect(readWait('5', now)).toBe(5000);
  expect(readWait('5', now, 1)).toBe(5);
});
