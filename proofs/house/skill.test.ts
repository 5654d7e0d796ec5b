import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commands, globalFlags } from '../../packages/cli/src/commands/commands.ts';
import { frameworks } from '../../packages/cli/src/init/frameworks.ts';
import { flagOf, settingNames } from '../../packages/cli/src/settings/settings.ts';
import { pathOf } from './own-packages.ts';

// Programs of the skill are run and compiled by proofs/docs/programs.test.ts. Here: what it names outside of programs exists.
const folder = pathOf('packages/toolpact/skills/toolpact');
const names = readdirSync(folder);
const textOf = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

test('the skill says what it is called and when to use it', () => {
  expect(textOf('SKILL.md')).toMatch(/^---\nname: toolpact\ndescription: .{100,1024}\n---\n/);
});

test('it leads to each of its pages, and pages lead to pages that exist', () => {
  const links = names.map((name) => [...textOf(name).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target ?? ''));
  expect(links.flat().filter((target) => !names.includes(target))).toEqual([]);
  expect([...new Set(textOf('SKILL.md').match(/(?<=\]\()\w+\.md/g))].sort()).toEqual(names.filter((name) => name !== 'SKILL.md').sort());
});

test.each(names)('the commands and flags in %s exist', (name) => {
  const calls = [...textOf(name).matchAll(/\bnpx (?:-y )?(?:@toolpact\/cli|toolpact) ([\w-]+)((?: +(?:--?[\w-]+|'[^']*'|[\w.{}"]+))*)/g)];
  const unknown = calls.flatMap(([, command = '', words = '']) => {
    const known = commands[command];
    if (known === undefined) return [command];
    const flags = new Set([...Object.keys(known.flags), ...Object.keys(globalFlags), ...settingNames.map(flagOf)]);
    return (words.split(' -- ')[0]?.match(/(?<=--)[\w-]+/g) ?? []).filter((flag) => !flags.has(flag)).map((flag) => `${command} --${flag}`);
  });
  expect(unknown).toEqual([]);
});

test('its table of frameworks has the lines that the adapters have', () => {
  const page = textOf('frameworks.md');
  const missing = frameworks.filter(({ line, from }) => !page.includes(line.replace(/^await /, '')) || !page.includes(`\`${from}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
