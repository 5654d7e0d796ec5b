import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { repairJson } from './repair-json.ts';

test.each([
  ['{"a": 1,}', { a: 1 }, 'trailing comma'],
  ['[1, 2, ]', [1, 2], 'trailing comma'],
  ["{'a': 'b'}", { a: 'b' }, 'single quotes'],
  ['{a: 1}', { a: 1 }, 'bare key'],
  ['{"a": True, "b": None}', { a: true, b: null }, 'True'],
  ['{"a": "one\ntwo"}', { a: 'one\ntwo' }, 'raw control character'],
  ['```json\n{"a": 1}\n```', { a: 1 }, 'code fence'],
  ['```json\r\n{"a": 1}\r\n```', { a: 1 }, 'code fence'],
  ['{"a": 1 /* one */}', { a: 1 }, 'comment'],
  ['// one\n{"a": 1, // two\n}', { a: 1 }, 'comment'],
  ["{'it\\'s': '\\u00e9\\n'}", { "it's": 'é\n' }, 'single quotes'],
])('reads %j without guessing', (text, value, repair) => {
  expect(repairJson(text)).toMatchObject({ ok: true, value, repairs: expect.arrayContaining([repair]) });
});

test.each([
  ['{"a": "b', 8, true],
  ['{"a":', 5, true],
  ['[1, 2', 5, true],
  ['{"a": 1} and more', 9, false],
  ['{"a": 1 "b": 2}', 8, false],
  ['{"a": undefined}', 6, false],
  ['{"a": 0x10}', 6, false],
  ['{"zip": 01234}', 8, false],
  ['{a: -007}', 4, false],
  ['{"a": "\\q"}', 7, false],
  ['', 0, true],
])('does not read %j and says where it breaks', (text, at, truncated) => {
  expect(repairJson(text)).toEqual({ ok: false, at, truncated });
});

test('stays within bounds on hostile text', () => {
  expect(repairJson('['.repeat(100_000))).toMatchObject({ ok: false });
  expect(repairJson(`\`\`\`${' '.repeat(100_000)}`)).toMatchObject({ ok: false });
  expect(repairJson('{"__proto__": {"admin": true},}')).toMatchObject({ ok: true });
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

test('gives back every JSON value unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const text = JSON.stringify(value);
      expect(repairJson(text)).toMatchObject({ ok: true, repairs: [] });
      expect(JSON.stringify((repairJson(text) as { value: unknown }).value)).toBe(text);
    }),
    propertyRuns(500),
  );
});
