import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import { problem } from 'toolpact/dialects';
import { expect, test } from 'vitest';
import { createFormats } from './response-format.ts';

const formats = createFormats([flat, coded, value, status]);
const select = (search: string, accept?: string): string | undefined =>
  formats.select({ search, header: () => accept }, formats.of('outcome'))?.name;

test.each<[string, string | undefined, string | undefined]>([
  ['', undefined, 'outcome'],
  ['', '*/*', 'outcome'],
  ['?dialect=flat', undefined, 'flat'],
  ['?dialect=flat', 'application/json; profile=coded', 'flat'],
  ['', 'application/json; profile=coded', 'coded'],
  ['', 'text/html, application/json;q=0.9;profile="https://example.com/forms#status"', 'status'],
  ['', 'application/problem+json; profile=value', 'value'],
  ['?dialect=__proto__', undefined, undefined],
  ['', 'application/json; profile=constructor', undefined],
  ['', `${'text/x, '.repeat(100)}application/json; profile=coded`, 'coded'],
  ['', `${'text/x, '.repeat(200)}application/json; profile=coded`, 'outcome'],
])('the query %j and Accept %.60j select %s', (search, accept, format) => expect(select(search, accept)).toBe(format));

test('a server without dialects has outcomes and problem details', () => {
  const { names, of, select } = createFormats([]);
  expect(names).toEqual(['outcome', 'problem']);
  expect(select({ search: '?dialect=flat', header: () => undefined }, of('outcome'))).toBeUndefined();
});

test('dialects are strict unless a request asks for more, but for problem details', () => {
  expect([formats.of(coded).strict, formats.of(problem).strict]).toEqual([true, false]);
  expect(formats.select({ search: '?dialect=coded&strict=false', header: () => undefined }, formats.of('outcome'))?.strict).toBe(false);
});
