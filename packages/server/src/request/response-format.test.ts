import { expect, test } from 'vitest';
import { defaultFormats, type FormatName, selectFormat } from './response-format.ts';

const select = (search: string, accept?: string): FormatName | undefined =>
  selectFormat({ search, header: () => accept }, defaultFormats.outcome)?.name;

test.each<[string, string | undefined, FormatName | undefined]>([
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
