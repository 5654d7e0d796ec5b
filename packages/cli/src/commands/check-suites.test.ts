import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { checkSuites } from './check-suites.ts';

test('every check is in one suite, which its id begins with', () => {
  const ids = checkSuites.flatMap(({ name, checks }) => checks.map(({ id }) => [name, id] as const));
  expect(ids.filter(([name, id]) => !id.startsWith(`${name}/`))).toEqual([]);
  expect(new Set(ids.map(([, id]) => id)).size).toBe(ids.length);
  expect(checkSuites.map(({ name, checks }) => [name, checks.length > 3])).toEqual([
    ['tools', true],
    ['contract', true],
    ['crashes', true],
    ['store', true],
  ]);
});

test('no source names a check that is in none of them, and that `explain` would not know', () => {
  const packages = fileURLToPath(new URL('../../../', import.meta.url));
  const files = globSync('{cli,origins,testing}/src/**/*.ts', { cwd: packages }).filter((file) => !/\.test(-d)?\.ts$/.test(file));
  const names = checkSuites.map(({ name }) => name).join('|');
  const written = files.flatMap((file) => [
    ...readFileSync(`${packages}${file}`, 'utf8').matchAll(new RegExp(`'((?:${names})/[a-z-]+)'`, 'g')),
  ]);
  const known = new Set(checkSuites.flatMap(({ checks }) => checks.map(({ id }) => id)));
  const ids = new Set(written.map(([, id = '']) => id));
  expect(ids.size).toBeGreaterThan(50);
  expect([...ids].filter((id) => !known.has(id))).toEqual([]);
});
