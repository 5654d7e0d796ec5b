import { expect, test } from 'vitest';
import { rankNames } from './rank-names.ts';

test('ranks the nearest names first and leaves out what has nothing in common', () => {
  expect(rankNames('serch_web', ['delete_user', 'search_web', 'web_search'])).toEqual(['search_web', 'web_search']);
  expect(rankNames('zzzz', ['delete_user', 'search_web'])).toEqual([]);
  expect(rankNames('x'.repeat(1_000_000), ['search'])).toEqual([]);
});
