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
  'help of %s has its examples, its flags, the settings of files, and names the other settings that it takes',
  (name, { examples, flags, groups }) => {
    const text = helpOf(name, paint);
    for (const [line] of examples) expect(text).toContain(`  ${line}`);
    for (const flag of Object.keys(flags)) expect(text).toContain(`  --${flag}`);
    const shown = settingNames.filter((setting) => text.includes(`${variableOf(setting)}]`));
    const isWhole = name === 'dev' || name === 'serve';
    const listed = groups.filter((group) => isWhole || group === 'files');
    expect(shown).toEqual(settingNames.filter((setting) => listed.includes(settingOf(setting).group)));
    const named = groups.filter((group) => !listed.includes(group));
    expect(text.includes(`Also takes those of ${named.join(', ')}: toolpact help serve lists them.`)).toBe(named.length > 0);
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
