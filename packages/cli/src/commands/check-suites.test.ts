import { expect, test } from 'vitest';
import { checkSuites } from './check-suites.ts';

test('every check is in one suite, which its id begins with', () => {
  const ids = checkSuites.flatMap(({ name, checks }) => checks.map(({ id }) => [name, id] as const));
  expect(ids.filter(([name, id]) => !id.startsWith(`${name}/`))).toEqual([]);
  expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
  expect(checkSuites.map(({ name, checks }) => [name, checks.length > 3])).toEqual([
    ['tools', true],
    ['crashes', true],
    ['contract', true],
    ['store', true],
  ]);
});
