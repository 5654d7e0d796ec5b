import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, post, run, toolpact } from './run-toolpact.ts';
import { runProcess, startProcess } from './start-process.ts';

/** Node loads Toolpact, as it does for a package that is installed. */
const installed = { 'toolpact.mjs': `export * from ${JSON.stringify(toolpact)};\n` };
const define = "import { defineTool } from './toolpact.mjs';\n";
const say = (name: string, says: string, description = `String(${says})`): string =>
  `export const ${name} = defineTool({ name: '${name}', description: ${description}, effects: 'none', run: (): string => String(${says}) });\n`;
const module = '{ "type": "module" }';

/** One ordinary project per row: its files, and what its tool, which bears the name of the row, says. */
const projects: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  js_for_ts: {
    'package.json': module,
    'tools.ts': `${define}import { part } from './lib/part.js';\n${say('js_for_ts', 'part')}`,
    'lib/part.ts': `export const part: string = 'js for ts';\n`,
  },
  no_extension: {
    'package.json': module,
    'tools.ts': `${define}import { part } from './lib/part';\n${say('no_extension', 'part')}`,
    'lib/part.ts': `export const part: string = 'no extension';\n`,
  },
  folder: {
    'package.json': module,
    'tools.ts': `${define}import { part } from './lib';\nimport { root } from '.';\n${say('folder', "[part, root].join(' ')")}`,
    'lib/index.ts': `export const part: string = 'a folder';\n`,
    'index.ts': `export const root: string = 'and a dot';\n`,
  },
  paths: {
    'package.json': module,
    'tsconfig.json': '{ "extends": "./tsconfig.base.json" /* a comment */, }',
    'tsconfig.base.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], "~lib": ["./src/lib"] } } }',
    'tools.ts': `${define}import { part } from '@/part.js';\nimport { lib } from '~lib';\n${say('paths', "[part, lib].join(' ')")}`,
    'src/part.ts': `export const part: string = 'paths';\n`,
    'src/lib/index.ts': `export const lib: string = 'of tsconfig';\n`,
  },
  enums: {
    'package.json': module,
    'tools.ts': `${define}enum Colour { Red = 'red' }\nclass Box { constructor(readonly colour: Colour) {} }\nnamespace Space { export const name = 'space'; }\n${say('enums', "[new Box(Colour.Red).colour, Space.name].join(' ')")}`,
  },
  decorators: {
    'package.json': module,
    'tools.ts': `${define}const label = (text: string) => (target: object, key: string) => { Object.assign(target, { [key + 'Label']: text }); };\nclass Box {\n  @label('old style')\n  word(): string { return ''; }\n}\n${say('decorators', "(new Box() as unknown as Record<string, string>)['wordLabel']")}`,
  },
  jsx: {
    'package.json': module,
    'tools.tsx': `${define}const React = { createElement: (tag: string, _: unknown, text: string) => tag + ' ' + text };\n/** @jsxRuntime classic */\nconst shown = <b>bold</b>;\n${say('jsx', 'shown')}`,
  },
  json: {
    'package.json': module,
    'tools.ts': `${define}import data, { word } from './data.json';\nimport marked from './data.json' with { type: 'json' };\n${say('json', '[word, data.word, marked.word].join()')}`,
    'data.json': '{ "word": "json", "not-a-name": 1, "default": 2 }',
  },
  commonjs_project: {
    'package.json': '{ "type": "commonjs" }',
    'tools.ts': `${define}import { part } from './part';\nimport { basename } from 'path';\nconst read = require('./old');\nif (require.main === module) throw new Error('not the main module');\n${say('commonjs_project', '[part, basename(__dirname), basename(__filename), read.word].join()')}`,
    'part.ts': `export const part: string = 'import in commonjs';\n`,
    'old.ts': `enum Word { Old = 'old' }\nmodule.exports = { word: Word.Old as string };\n`,
  },
  commonjs_package: {
    'package.json': module,
    'tools.ts': `${define}import whole, { word } from 'old-package';\nimport deep from 'old-package/deep';\n${say('commonjs_package', '[word, whole.word, deep].join()')}`,
    'node_modules/old-package/package.json': '{ "main": "main.js" }',
    'node_modules/old-package/main.js': `exports.word = 'package';\n`,
    'node_modules/old-package/deep.js': `module.exports = 'deep';\n`,
  },
  monorepo: {
    'package.json': '{ "workspaces": ["packages/*"] }',
    'packages/tools/package.json': module,
    'tools.ts': `${define}import { part } from '@acme/part';\n${say('monorepo', 'part')}`,
    'packages/part/package.json': '{ "name": "@acme/part", "type": "module", "exports": "./src/index.ts" }',
    'packages/part/src/index.ts': `import { Kind } from './kind.js';\nexport const part: string = Kind.Shared;\n`,
    'packages/part/src/kind.ts': `export enum Kind { Shared = 'shared source' }\n`,
  },
  windows_lines: {
    'package.json': module,
    'tools.ts': `${define}enum Colour { Red = 'red' }\n${say('windows_lines', 'Colour.Red')}`.replaceAll('\n', '\r\n'),
  },
};

test('ordinary projects load as they are', async () => {
  const files = Object.entries(projects).flatMap(([name, project]) =>
    Object.entries({ ...project, ...installed }).map(([file, text]) => [`${name}/${file}`, text] as const),
  );
  const cwd = folderWith(Object.fromEntries(files));
  link(join(cwd, 'monorepo/packages/part'), join(cwd, 'monorepo/node_modules/@acme/part'));
  const { code, stdout, stderr } = await runProcess(
    ['list', '--json', ...Object.keys(projects).map((name) => `${name}/tools.${name === 'jsx' ? 'tsx' : 'ts'}`)],
    {
      cwd,
    },
  );
  expect([code, stderr]).toEqual([0, '']);
  const listed = JSON.parse(stdout) as { name: string; description: string }[];
  expect(Object.fromEntries(listed.filter(({ name }) => name in projects).map(({ name, description }) => [name, description]))).toEqual({
    js_for_ts: 'js for ts',
    no_extension: 'no extension',
    folder: 'a folder and a dot',
    paths: 'paths of tsconfig',
    enums: 'red space',
    decorators: 'old style',
    jsx: 'b bold',
    json: 'json,json,json',
    commonjs_project: 'import in commonjs,commonjs_project,tools.ts,old',
    commonjs_package: 'package,package,deep',
    monorepo: 'shared source',
    windows_lines: 'red',
  });
});

test.each([
  ['Node loads it', ''],
  ['jiti loads it', 'enum A { b }\n'],
  ['it throws', "throw new Error('boom');\n"],
  ['it imports in the middle what is not there', "await import('./none');\n"],
  ['it imports what is not there', "import './none';\n"],
])('what a file imports runs at most once: %s', async (_, text) => {
  const cwd = folderWith({
    'package.json': module,
    'tools.ts': `import './count.ts';\n${text}`,
    'count.ts': "import { appendFileSync } from 'node:fs';\nappendFileSync(new URL('runs.txt', import.meta.url), '1');\n",
  });
  expect((await run(['list'], { cwd })).code).toBe(1);
  expect(readFileSync(join(cwd, 'runs.txt'), 'utf8')).toBe('1');
});

test('an error after compiled lines keeps its line', async () => {
  const cwd = folderWith({
    'package.json': module,
    'tools.ts': 'enum Colour {\n  Red = 1,\n}\n\nexport const tools = [Colour.Red];\n  throw new RangeError("too far");\n',
  });
  // Vitest writes the stacks of its process, and does not look at source maps.
  expect((await runProcess(['list', '--verbose'], { cwd })).stderr).toMatch(/tools\.ts:6:/);
});

test('a mistake in a file with an enum has its place', async () => {
  const cwd = folderWith({ 'package.json': module, 'tools.ts': 'enum A { b }\nconst c = {;\n' });
  expect((await run(['list'], { cwd })).stderr).toBe(
    'error tools.ts did not load. SyntaxError: Unexpected token `;`. Expected identifier, string literal, numeric literal or [ for the computed key\n  at tools.ts:2\n',
  );
});

test('check, mcp and dev load such a project too, and dev shows where a bug is and reads .env again when it changes', async () => {
  const cwd = folderWith({
    ...installed,
    'package.json': '{ "type": "commonjs" }',
    'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    '.env': 'WORD=first\r\nSET_BEFORE=file\r\nTOOLPACT_STORE=memory\r\n',
    'tools.ts': `${define}import { word } from '@/word';\n${say('say_word', 'word()', "'Says a word.'")}`,
    'src/word.ts': `enum Bug { None }\nexport function word(): string {\n  if (process.env.WORD === 'bug') throw new TypeError('no word');\n  return \`\${process.env.WORD} \${process.env.SET_BEFORE} \${Bug.None}\`;\n}\n`,
  });
  expect((await runProcess(['call', 'say_word', '{}', '--env-file', '.env'], { cwd, env: { SET_BEFORE: 'before' } })).stdout).toBe(
    'first before 0\n',
  );
  expect((await run(['call', 'say_word', '{}'], { cwd })).stdout).toBe('undefined undefined 0\n');
  expect((await run(['check', '--env-file', '.env'], { cwd })).code).toBe(0);
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  expect((await run(['mcp', '--env-file', '.env'], { cwd, input: `${JSON.stringify(initialize)}\n` })).stdout).toMatch(/"serverInfo"/);
  const printed = await run(['mcp', '--print-config', 'cursor'], { cwd });
  expect(printed.stdout).toContain(`"--env-file",\n        ${JSON.stringify(join(cwd, '.env'))}`);

  const dev = startProcess(['dev', '--port', '0'], { cwd, env: { SET_BEFORE: 'before' } });
  const [, url = ''] = await dev.until(/(http:\/\/127\.0\.0\.1:\d+)/, 'stdout');
  expect((await post(url, 'say_word', {})).body).toMatchObject({ data: 'first before 0' });
  writeFileSync(join(cwd, '.env'), 'WORD=bug\nSET_BEFORE=file\nTOOLPACT_STORE=memory\n');
  const [, again = url] = await dev.until(/\.env changed: \d tools? loaded/);
  expect((await post(again, 'say_word', {})).body).toMatchObject({ error: { kind: 'internal' } });
  await dev.until(/at word \(src\/word\.ts:3:\d+\)/);
});

test('a file of variables that is not there is named', async () => {
  const { code, stderr } = await run(['list', '--sample', '--env-file=prod.env']);
  expect([code === 0, stderr]).toEqual([false, expect.stringContaining('prod.env')]);
});

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path);
}
