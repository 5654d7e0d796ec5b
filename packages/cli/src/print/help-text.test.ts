import { expect, test } from 'vitest';
import { commands } from '../commands/commands.ts';
import { flagOf, settingNames, settingOf, variableOf } from '../settings/settings.ts';
import { helpOf, overview } from './help-text.ts';

const paint = (_: string, text: string): string => text;

test('the overview names every command once', () => {
  const text = overview(paint, '1.2.3');
  expect(text).toMatch(/^toolpact 1\.2\.3: /);
  const rows = Object.entries(commands).map(([name, { takes, summary }]) => [`  ${name} ${takes} `, summary] as const);
  for (const [start, summary] of rows) {
    expect(text).toContain(start);
    expect(text.split(summary)).toHaveLength(2);
  }
});

test.each(Object.entries(commands))(
  'help of %s has its examples, its flags, and every setting of its groups',
  (name, { examples, flags, groups }) => {
    const text = helpOf(name, paint);
    for (const [line] of examples) expect(text).toContain(`  ${line}`);
    for (const flag of Object.keys(flags)) expect(text).toContain(`  --${flag}`);
    const shown = settingNames.filter((setting) => text.includes(`${variableOf(setting)}]`));
    expect(shown).toEqual(settingNames.filter((setting) => groups.includes(settingOf(setting).group)));
    for (const setting of shown) expect(text).toMatch(new RegExp(`^ {2}--(\\[no-\\])?${flagOf(setting)}\\b`, 'm'));
  },
);

test.each(Object.keys(commands))('help of %s fits into a terminal', (name) => {
  const long = helpOf(name, paint)
    .split('\n')
    .filter((line) => line.length > 112);
  expect(long).toEqual([]);
});

test.each(Object.values(commands).flatMap(({ flags }) => Object.keys(flags)))('the flag --%s means nothing else elsewhere', (flag) => {
  const clashes = Object.values(commands).filter(
    ({ flags, groups }) => flag in flags && settingNames.some((name) => flagOf(name) === flag && groups.includes(settingOf(name).group)),
  );
  expect(clashes).toEqual([]);
});
