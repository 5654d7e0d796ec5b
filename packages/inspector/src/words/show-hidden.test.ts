import { expect, test } from 'vitest';
import { showHidden } from './show-hidden.ts';

test.each([
  ['plain text, 日本語, עברית, 👩', 'plain text, 日本語, עברית, 👩'],
  ['line\n\tend', 'line\n\tend'],
  ['<script>alert(1)</script>', '<script>alert(1)</script>'],
  ['a\u0000b\u001b[31mc', 'a\\u0000b\\u001b[31mc'],
  ['invoice\u202Efdp.exe', 'invoice\\u202efdp.exe'],
  ['zero\u200bwidth', 'zero\\u200bwidth'],
  ['half \ud83d', 'half \ufffd'],
])('%j is shown as %j', (text, shown) => {
  expect(showHidden(text)).toBe(shown);
});
