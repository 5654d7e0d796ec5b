import { expect, test } from 'vitest';
import { readFindings } from './read-findings.ts';

test.each([
  [[], []],
  [{}, []],
  [{ findings: [{ check: 'never-throws', message: 'It threw.' }] }, [{ name: 'never-throws', text: 'It threw.' }]],
  [[{ other: 1 }], [{ name: 'finding', text: '{"other":1}' }]],
])('%j is shown as %j', (result, shown) => {
  expect(readFindings(result)).toEqual(shown);
});
