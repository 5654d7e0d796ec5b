import { expect, test } from 'vitest';
import { ownRules } from './own-rules.ts';

const everybody = 'User-agent: *\nDisallow: /all\n';

test.each([
  ['those for all', everybody, 'disallow: /all'],
  ['those under our name, and no others', `${everybody}\nUser-agent: Reader/2.0\nAllow: /mine\nDisallow: /`, 'allow: /mine\ndisallow: /'],
  [
    'those of all groups with our name',
    'User-agent: reader\nDisallow: /a\nUser-agent: x\nDisallow: /x\nUser-agent: reader\nDisallow: /b',
    'disallow: /a\ndisallow: /b',
  ],
  [
    'those that several names share',
    'User-agent: x\nUser-agent: reader\nSitemap: /s\n\nUser-agent: y\nDisallow: /shared',
    'disallow: /shared',
  ],
  ['none, where our group is empty', `${everybody}\nUser-agent: reader\nDisallow:`, 'disallow:'],
  ['none, where no agent is named', 'Disallow: /lost\n', ''],
  ['none of what is no rule', 'User-agent: *\n<html>\n\u0000: x\nCrawl-delay: 5\n# Disallow: /c', ''],
  ['without remarks, with any line end', 'user-agent:*\rDISALLOW : /a # why\r\nallow:/b', 'disallow: /a \nallow:/b'],
])('it takes %s', (_, text, rules) => {
  expect(ownRules(text, 'Reader/1.0')).toBe(rules);
});

test.each([
  ['names', `${'User-agent: *\n'.repeat(20_000)}Disallow: /\n`, 'disallow: /'],
  ['names of others', `${Array.from({ length: 20_000 }, (_, n) => `User-agent: a${n}\n`).join('')}Disallow: /\n`, ''],
  ['rules', `User-agent: *\n${'Disallow: /\n'.repeat(10_001)}`, undefined],
  ['stars', `User-agent: *\nDisallow: /${'*a'.repeat(5_000)}`, undefined],
  ['text', `User-agent: *\n${' '.repeat(512_000)}\nDisallow: /`, ''],
])('a flood of %s costs nothing', (_, text, rules) => {
  expect(ownRules(text, 'reader')).toBe(rules);
});
