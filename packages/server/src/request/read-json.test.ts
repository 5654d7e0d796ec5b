import { describe, expect, test } from 'vitest';
import { checkBodyHead, parseJson } from './read-json.ts';
import { toRequestHead } from './request-head.ts';

const limits = { maxBodyBytes: 1_000, maxDepth: 8 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a body', () => {
  test.each([
    ['', undefined],
    ['{"a":1}', { a: 1 }],
    ['[[[[[[[[]]]]]]]]', [[[[[[[[]]]]]]]]],
    [`{"a":"${'['.repeat(50)}"}`, { a: '['.repeat(50) }],
    [`{"a":"\\"${'{'.repeat(50)}\\\\"}`, { a: `"${'{'.repeat(50)}\\` }],
    ['{"a":1e308,"b":1e-999,"c":"1e999"}', { a: 1e308, b: 0, c: '1e999' }],
    ['\ufeff{"a":1}', { a: 1 }],
    ['{"id":9007199254740993}', { id: '9007199254740993' }],
  ])('that says %j is read', (text, value) => {
    expect(parseJson(bytes(text), limits)).toEqual({ value });
  });

  test.each([
    ['{', /not valid JSON at position 1 \(line 1 column 2\)\.$/],
    ['{"a":1}x', /not valid JSON at position 7 \(line 1 column 8\)\.$/],
    ["{'a':1}", /not valid JSON at position 1 \(line 1 column 2\)\.$/],
    ['NaN', /^The body is not valid JSON\.$/],
    ['[[[[[[[[[1]]]]]]]]]', /deeper than 8/],
    [`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`, /deeper than 8/],
    ['['.repeat(100_000), /deeper than 8/],
    ['{"a":1e999}', /too large/],
    ['{"a":[-1E+400]}', /too large/],
    [`{"a":${'9'.repeat(400)}}`, /too large/],
  ])('that says %.40j is refused', (text, message) => {
    expect(parseJson(bytes(text), limits)).toMatchObject({ kind: 'invalid_input', message: expect.stringMatching(message) });
  });

  test.each([[[0xff]], [[0xc3, 0x28]], [[0xed, 0xa0, 0x80]], [[0xf5, 0x80, 0x80, 0x80]], [[0xc0, 0xaf]]])(
    'that holds the bytes %j is no text',
    (wrong) => {
      expect(parseJson(new Uint8Array([0x22, ...wrong, 0x22]), limits)).toMatchObject({ message: 'The body is not valid UTF-8.' });
    },
  );

  test('cannot reach the prototype of anything', () => {
    const read = parseJson(bytes('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'), limits);
    expect(Object.keys((read as { value: object }).value)).toEqual(['__proto__', 'constructor']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  test('is not read any further where it passes the limit', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(400));
      },
    });
    const request = new Request('http://127.0.0.1', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await toRequestHead(request).readBody(1_000)).toBe('too_large');
    expect(sent).toBeLessThan(6);
  });
});

describe('objects of very many keys', () => {
  const pairs = (from: number, count: number): string => Array.from({ length: count }, (_, at) => `"k${from + at}":[1]`).join(',');

  test.each([
    ['one object', `{${pairs(0, 50_001)}}`],
    ['an object inside', `{"a":[{"b":":{"},{${pairs(0, 50_001)}}]}`],
    ['a body that ends too early', `{${pairs(0, 50_001)}`],
  ])('are refused before they are built: %s', (_, text) => {
    expect(parseJson(bytes(text), limits)).toEqual({ kind: 'invalid_input', message: 'An object in the body has more than 50000 keys.' });
  });

  test('are counted apart, and texts do not count', () => {
    const text = `[{${pairs(0, 30_000)}},{${pairs(0, 30_000)}},{"a":"${':'.repeat(60_000)}"}]`;
    expect(parseJson(bytes(text), limits)).toEqual({ value: JSON.parse(text) });
  });
});

test('digits are read in a time that grows with their number alone, however they are cut up', () => {
  // With every digit looked at again from each before it, this would not end within the time of a test.
  const text = JSON.stringify({ a: `${'1'.repeat(299)} `.repeat(100_000) });
  expect(parseJson(bytes(text), limits)).toEqual({ value: JSON.parse(text) });
});

test.each<[Record<string, string>, string | undefined]>([
  [{}, undefined],
  [{ 'content-type': 'application/json', 'content-length': '10' }, undefined],
  [{ 'content-type': 'application/json; charset=UTF-8' }, undefined],
  [{ 'content-type': 'application/vnd.api+json' }, undefined],
  [{ 'content-length': '0' }, undefined],
  [{ 'content-length': '10' }, 'unsupported'],
  [{ 'transfer-encoding': 'chunked' }, 'unsupported'],
  [{ 'content-type': 'text/plain' }, 'unsupported'],
  [{ 'content-type': 'application/x-www-form-urlencoded' }, 'unsupported'],
  [{ 'content-type': 'application/jsonp' }, 'unsupported'],
  [{ 'content-type': 'application/json; charset=latin1' }, 'unsupported'],
  [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'unsupported'],
  [{ 'content-type': 'application/json', 'content-length': '1001' }, 'too_large'],
])('a body announced by %j is refused as %s before it is read', (headers, kind) => {
  const found = checkBodyHead((name) => headers[name], limits);
  expect(found && 'kind' in found ? found.kind : undefined).toBe(kind);
});
