import { expect, test } from 'vitest';
import { toLogRecord } from './to-log-record.ts';

test.each([
  ['a\nb\r\nc\rd', 'a\n  b\n  c\n  d'],
  ['a\u2028b\u2029c\u0085d\ve\ff', 'a\n  b\n  c\n  d\n  e\n  f'],
  ['tab\tstays, \u001b[2Jescape and \u202eturned text do not', 'tab\tstays, \ufffd[2Jescape and \ufffdturned text do not'],
  ['TypeError: x\n    at run (a.ts:1:1)', 'TypeError: x\n    at run (a.ts:1:1)'],
  ['one line', 'one line'],
])('%j is written as %j', (text, record) => {
  expect(toLogRecord(text)).toBe(record);
});
