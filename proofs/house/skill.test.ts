import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { commands, globalFlags } from '../../packages/cli/src/commands/commands.ts';
import { frameworks } from '../../packages/cli/src/init/frameworks.ts';
import { flagOf, settingNames } from '../../packages/cli/src/settings/settings.ts';
import { checkRules, type GatewayRule } from '../../packages/server/src/gateway/rules.ts';
import { operatorTools } from '../../packages/server/src/operator/operator-tools.ts';
import { entries, internalEntries, packages, pathOf } from './own-packages.ts';

// Programs of the skill are run and compiled by proofs/docs/programs.test.ts, ten programs that were written with it by proofs/skills. Here: what
// it names outside of programs exists.
const folder = pathOf('packages/toolpact/skills/toolpact');
const names = readdirSync(folder);
const textOf = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');

test('the skill says what it is called and when to use it', () => {
  expect(textOf('SKILL.md')).toMatch(/^---\nname: toolpact\ndescription: .{100,1024}\n---\n/);
});

test('it links to each of its pages, and all links of its pages work', () => {
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

const specifiers = entries.map(({ specifier }) => specifier).filter((specifier) => !internalEntries.includes(specifier));
/** Every word of the types that users import, without comments. */
const declared = new Set(
  [...new Set(entries.map(({ folder }) => folder))].flatMap((folder) => {
    const dist = pathOf(`packages/${folder}/dist`);
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
    return files.flatMap(
      (file) =>
        readFileSync(`${dist}/${file}`, 'utf8')
          .replace(/\/\*[\s\S]*?\*\//g, '')
          .match(/[\w$]+/g) ?? [],
    );
  }),
);
const operators = new Set(operatorTools({ decide: true }).map(({ name }) => name));
/** Words of other libraries and of the examples of the skill. */
const others =
  /^(generateText|staticToolResults|createAgent|createSdkMcpServer|Agent|LlmAgent|inputProcessors|beforeModelCallback|describe|charge|read_file)$/;

test.each(names)('the entries and names in %s exist', (name) => {
  expect(unknownNames(textOf(name))).toEqual([]);
});

test('an entry, a function or an option that does not exist is found', () => {
  const page = 'Call `createToolBox(tools)` of `toolpact/adapters/ai` with `{ maxStep: 5 }`; `checkTools` comes from `@toolpact/tests`.';
  expect(unknownNames(page)).toEqual(['createToolBox', 'toolpact/adapters/ai', 'maxStep', '@toolpact/tests']);
});

/** Returns the entries, functions, options and words with an underscore that the prose of a page names and nothing declares. */
function unknownNames(page: string): string[] {
  const spans = [...page.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);
  return spans.flatMap((span) => {
    if (/^(@toolpact\/[\w-]+|toolpact)(\/[\w-]+)*$/.test(span))
      return specifiers.includes(span) || Object.values(packages).some((known) => known.name === span) ? [] : [span];
    if (/^(npx|node) /.test(span)) return [];
    const code = span.replace(/'[^']*'|"[^"]*"/g, '');
    const words = code.match(/[\w$]+(?=\()|\b[a-z]+[A-Z]\w*|\b[a-z]+_\w+/g) ?? [];
    return words.filter((word) => !declared.has(word) && !others.test(word) && !operators.has(word));
  });
}

test('the types of frameworks that it names are those that the adapters are tested with', () => {
  const { dependencies } = JSON.parse(readFileSync(pathOf('proofs/peers/package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const told = [...textOf('frameworks.md').matchAll(/`([\w@/-]+)`\s(\d+(?:\.\d+)?)(?=[,.\s])/g)].map(([, name = '', version = '']) => [
    name,
    version,
  ]);
  expect(told).toHaveLength(11);
  expect(told.filter(([name = '', version = '']) => !dependencies[name]?.startsWith(`${version}.`))).toEqual([]);
});

test('the rules of its gateway file are rules', () => {
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(textOf('gateway.md')) ?? [];
  const { servers, rules } = parse(text) as { servers: object; rules: readonly GatewayRule[] };
  expect(rules).toHaveLength(4);
  expect(() => checkRules(rules, Object.keys(servers))).not.toThrow();
});

test('its table of frameworks has the lines that the adapters have', () => {
  const page = textOf('frameworks.md');
  const missing = frameworks.filter(({ line, from }) => !page.includes(line.replace(/^await /, '')) || !page.includes(`\`${from}\``));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
