import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { processorMs } from '../../../../proofs/fixtures/processor-time.ts';
import { propertyRuns } from '../../../../proofs/fixtures/property-runs.ts';
import { compilePattern } from './compile-pattern.ts';
import { withinBudget } from './spend-work.ts';

/** Real patterns of forms, generators and other people's schemas, with a text that fits and one that does not. */
const real: readonly (readonly [pattern: string, fits: string, not: string])[] = [
  ['^[a-z0-9]+(?:-[a-z0-9]+)*$', 'a-b-c', 'a--b'],
  ['^([a-z]+-)*[a-z]+$', 'a-b', 'a-'],
  ['^\\d{3}-\\d{4}$', '555-1234', '555-123'],
  ['^((25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(25[0-5]|2[0-4]\\d|1?\\d?\\d)$', '10.0.0.255', '10.0.0.256'],
  [
    "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$",
    'ann.lee@mail.example.com',
    'ann..lee@example.com',
  ],
  ['^(?=.*[A-Z])(?=.*\\d)(?!.*\\s).{8,}$', 'Passw0rd', 'password1'],
  [
    '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$',
    '123e4567-e89b-12d3-a456-426614174000',
    'no',
  ],
  [
    '^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z|[+-]\\d{2}:\\d{2})$',
    '2026-11-16T01:32:24Z',
    '2026-11-16',
  ],
  ['^https?://[^\\s/]+(/[^\\s/]*)*$', 'https://a.example/b/c', 'https://a b'],
  ['^(?:\\p{L}+\\s)*\\p{L}+$', 'żółw ćma', 'a1'],
  ['^.*$', 'anything', 'a\nb'],
  ['^$', '', 'a'],
  ['a|b', 'xxb', 'xxc'],
  ['^(a|b)*$', 'abba', 'abc'],
  ['^\\bword\\b[)\\]]+$', 'word)]', 'words)'],
  ['^arn:aws[a-zA-Z-]*:[a-z0-9-]{1,1000}$', 'arn:aws:s3', 'arn:aws:'],
  ['^.{1,1000}$', 'a'.repeat(1_000), 'a'.repeat(1_001)],
  ['^data:image/(?:png|jpeg);base64,', 'data:image/png;base64,AA==', 'image'],
  ['^[\\s\\S]*$', 'a\nb', ''],
  ['^\\s+$', '\u00a0\u3000\ufeff', 'a'],
  ['^[^\\S\\n]+$', ' \t', '\n'],
  ['^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$', 'a.b@c.de', 'a@b'],
  ['^\\u{1F600}+$', '😀😀', 'a'],
  ['^[\\u4e00-\\u9fff]{2,4}$', '京都', '京'],
  ['^\\_x\\-$', '_x-', 'x'],
  ['^[[\\]]$', '[', 'a'],
  ['^\\x41\\cA\\0$', 'A\u0001\u0000', 'A'],
  ['^\\/api\\/v\\d+\\/$', '/api/v1/', '/api/'],
  ['^(?<year>\\d{4})$', '2026', '26'],
  ['^$|^(?:[0-9a-zA-Z+/]{4})*(?:(?:[0-9a-zA-Z+/]{2}==)|(?:[0-9a-zA-Z+/]{3}=))?$', 'QUJD', 'QUJ'],
].map(([pattern, fits, not]) => [pattern as string, fits as string, not as string]);

describe('real patterns', () => {
  test.each(real)('%s', (pattern, fits, not) => {
    const native = new RegExp(pattern, isUnicode(pattern) ? 'u' : '');
    const { test: check } = compilePattern(pattern);
    expect([check(fits), check(not)]).toEqual([native.test(fits), native.test(not)]);
    expect(check(fits)).toBe(true);
  });

  test('mean what they mean in JavaScript, for any text', () => {
    const letters = fc.constantFrom(...'ab1-_.@ \t\n/:A[]\\', '\u00a0', '\u2028', '\u3042', '京', 'é', '😀');
    const text = fc.array(letters, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.constantFrom(...real.map(([pattern]) => pattern)), text, (pattern, value) => {
        expect(withinBudget(() => compilePattern(pattern).test(value))).toBe(
          new RegExp(pattern, isUnicode(pattern) ? 'u' : '').test(value),
        );
      }),
      propertyRuns(2_000),
    );
  });

  test('mean what they mean in JavaScript, for any small pattern', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\s',
      '\\S',
      '[ab]',
      '[^a]',
      '[\\s-]',
      '\\b',
      '(?:ab|a)',
      '(a|b)',
      '[^\\S ]',
      '\\w',
    );
    const piece = fc
      .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,3}', '*?'))
      .map(([one, how]) => `${one}${one === '\\b' ? '' : how}`);
    const pattern = fc
      .tuple(fc.constantFrom('', '^'), fc.array(piece, { minLength: 1, maxLength: 5 }), fc.constantFrom('', '$'), fc.constantFrom('', '|b'))
      .map(([start, pieces, end, or]) => `${start}${pieces.join('')}${end}${or}`);
    const text = fc.array(fc.constantFrom('a', 'b', '1', ' ', '\n', '\u00a0', '京'), { maxLength: 10 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(pattern, text, (written, value) => {
        expect(withinBudget(() => compilePattern(written).test(value))).toBe(new RegExp(written, 'u').test(value));
      }),
      propertyRuns(3_000),
    );
  });
});

/** Patterns that a backtracking engine takes seconds, years or longer for, each with a text that shows it. */
const many = (part: string, end = '!'): string => part.repeat(Math.floor(100_000 / part.length)) + end;
const hostile: readonly (readonly [pattern: string, text: string])[] = [
  // Loops in loops.
  ['^(a+)+$', many('a')],
  ['^(a*)*$', many('a')],
  ['^((a+)+)+$', many('a')],
  ['^(a+)*b$', many('a')],
  ['^(a?)*$', many('a')],
  ['(a+)+!!', many('a')],
  ['^(\\w+)+$', many('a')],
  ['^(\\w*)*$', many('a')],
  ['^(.+)+$', many('a', '\n')],
  ['^(.*)*x$', many('a')],
  ['^(\\d+)+$', many('1')],
  ['^(?:\\s*\\w+\\s*)*!!$', many('a ')],
  ['^([a-zA-Z0-9]+\\s?)*!!$', many('ab ')],
  ['^(a+){10}$', many('a')],
  ['^(a{1,30}){1,30}$', many('a')],
  ['^((a{1,15}){1,15}){1,15}$', many('a')],
  ['^(((a?){15}){15}){15}$', many('a')],
  ['^(x+x+)+y$', many('x')],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', many('a')],
  ['^(?:a?b?)*?(?:a+)+$', many('ab')],
  // Alternatives that overlap.
  ['^(a|a)*$', many('a')],
  ['^(a|a?)+$', many('a')],
  ['^(a|[a-z])*!!$', many('a')],
  ['^(\\d+|\\w+)*$', many('1')],
  ['^((ab|a)(b|bb)?)*c$', many('ab')],
  ['^(a|b|ab)*c$', many('ab')],
  ['^([\\u3040-\\u30ff]|[\\u3041-\\u3096])+$', many('あ')],
  ['^([\\u{1F600}-\\u{1F64F}]|[\\u{1F610}-\\u{1F620}])+$', many('😐')],
  ['^([\\u0660-\\u0669]|\\p{Nd})+$', many('٣')],
  ['^(\\p{L}|\\p{Ll})+$', many('é')],
  ['^(é|[à-ü])+$', many('é')],
  ['^(\\s|\\u00a0)+$', many('\u00a0')],
  ['^(?:[^x]|[^y])+$', `${many('a', '')}`],
  ['^(.|\\s)*!!$', many(' ')],
  // Loops in a row.
  ['^a*a*a*$', many('a')],
  ['^a*a*a*a*a*$', many('a')],
  ['^a*a*a*a*a*a*a*a*a*a*b$', many('a')],
  ['^\\d*\\d*\\d*\\d*x$', many('1')],
  ['^\\w*\\d*\\w*\\d*x$', many('1')],
  ['^.*.*.*=.*$', many('x')],
  ['^(.*)(.*)(.*)(.*)[^a]$', many('a', 'a')],
  ['^[a-z]*[a-y]*[a-x]*[a-w]*1$', many('a')],
  ['^a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?aaaaaaaaaaaaaaaa!!$', many('a')],
  ['(?:.*a){12}', many('b')],
  ['^.*a.*b.*c.*d.*e$', many('abcd')],
  // Searches that begin everywhere.
  ['\\s+$', many(' ')],
  ['a+$', many('a')],
  ['\\d+x', many('1')],
  ['[a-z]+@', many('a')],
  ['.*,.*,.*,!!', many('a,')],
  ['\\w+\\s*=\\s*\\w+;', many('a ')],
  ['<[^>]*>.*</', many('<')],
  ['(?:[a-z0-9]{1,30}[._-]?){1,30}@', many('ab')],
  // Large counts and large sets.
  ['[ab]*a[ab]{20}[cd]', many('abbab')],
  ['[ab]*a[ab]{200}[cd]', many('abbab')],
  ['[ab]*a[ab]{900}[cd]', many('abbab')],
  ['^([ab]*a[ab]{300}){1,3}[cd]$', many('abbab')],
  ['^(?:[^x]{0,30}[ab]?){30}[cd]$', many('ab')],
  ['^(?:.?){1000}[cd]$', many('ab')],
  ['^(?:a{0,1000}){0,1}b$', many('a')],
  ['^(\\p{L}{1,300}|\\p{Lu}{1,300}|.{1,300})+[cd]$', many('éaÉ')],
  ['^(?:\\p{L}|\\p{N}){1,300}$', many('é')],
  ['(a|b)'.repeat(1_000), many('ab')],
  [`^${'(a?)'.repeat(500)}${'a'.repeat(500)}$`, many('a')],
  [`^${'('.repeat(200)}a+${')+'.repeat(200)}$`, many('a')],
  // Needs to go back.
  ['^(a+)\\1+$', many('a')],
  ['^(?<x>a+)\\k<x>b$', many('a')],
  ['(?<=a+)b', many('a')],
  ['^(?:a(?=a+b))*$', many('a')],
  ['(?=(a+))\\1b', many('a')],
  ['^(?!(a+)+b)', many('a')],
  ['^(?=(a|a)*$).*!!', many('a')],
];

describe(`${hostile.length} hostile patterns`, () => {
  test.each(hostile)('%s holds nothing up', async (pattern, text) => {
    const tookMs = await processorMs(500, () => {
      try {
        const compiled = compilePattern(pattern);
        for (const value of [text, text.slice(0, 2_000), text.slice(0, 41)]) withinBudget(() => compiled.test(value));
      } catch {
        // Refused, as it is or for so long a text.
      }
    });
    expect(tookMs).toBeLessThan(500);
  });
});

function isUnicode(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode;
  } catch {
    return false;
  }
}
