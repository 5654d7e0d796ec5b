import { describe, expect, test } from 'vitest';
import { isExplosive } from './is-explosive.ts';

/** Real patterns of forms, generators and other people's schemas. */
const harmless = [
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  '^([a-z]+-)*[a-z]+$',
  '^\\d{3}-\\d{4}$',
  '^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$',
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
  '^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2})$',
  '^https?://[^\\s/]+(/[^\\s/]*)*$',
  '^(?:\\p{L}+\\s)*\\p{L}+$',
  '^(?<year>\\d+)-\\k<year>$',
  '^.*$',
  '^$',
  'a|b|',
  '^(a|b)*$',
  '^\\bword\\b[)\\]]+$',
];

/** Each takes exponential time on a short text. */
const explosive = [
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|[a-z])*!$',
  '^(?:\\s*\\w+\\s*)*!$',
  '^([a-zA-Z0-9]+\\s?)*!$',
  '^(\\d+|\\w+)*$',
  '^(a{1,30}){1,30}$',
  '^(a+){10}$',
  '^(.*,)*.*x(.*)*$',
  '^((ab|a)(b|bb)?)*c$',
  '^(?:a?b?)*?(?:a+)+$',
];

describe('a pattern that takes its time by its length', () => {
  test.each(harmless)('%s is not explosive', (pattern) => expect(isExplosive(pattern)).toBe(false));
});

describe('a pattern that some text runs through in two ways', () => {
  test.each(explosive)('%s is explosive', (pattern) => expect(isExplosive(pattern)).toBe(true));
});

test('a pattern too large to judge counts as explosive', () => {
  expect(isExplosive('(a|b)'.repeat(300))).toBe(true);
});
