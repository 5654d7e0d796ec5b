import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith, helloFile, run, toolpact } from './run-toolpact.ts';
import { runProcess } from './start-process.ts';

const from = `import { defineTool } from ${JSON.stringify(toolpact)};\n`;

test('a command that only looks at calls makes no file', async () => {
  const cwd = folderWith();
  expect(await run(['calls'], { cwd })).toMatchObject({ code: 0, stderr: expect.stringContaining('No matching calls.') });
  expect(await run(['approvals'], { cwd })).toMatchObject({ code: 0 });
  expect(readdirSync(cwd)).toEqual([]);
});

test('a server that nobody can reach is named, with the reason', async () => {
  const { code, stdout, stderr } = await run(['call', 'add', '{}', '--url', await closedAddress()]);
  expect([code === 0, stdout + stderr]).toEqual([
    false,
    expect.stringMatching(/The server at http:\/\/127\.0\.0\.1:\d+ could not be reached: connection refused\./),
  ]);
});

/** The address of a server that has ended. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

describe('the command line', () => {
  test.each([
    [
      'a mistyped command',
      ['serv'],
      'error toolpact has no command "serv". Did you mean serve?\nfix   toolpact help lists all commands.\n',
    ],
    [
      'a command whose letters changed places',
      ['dve'],
      'error toolpact has no command "dve". Did you mean dev?\nfix   toolpact help lists all commands.\n',
    ],
    ['a command that is like no other', ['xyzzy'], 'error toolpact has no command "xyzzy".\nfix   toolpact help lists all commands.\n'],
    ['a mistyped flag alone', ['--hlep'], 'error There is no flag --hlep. Did you mean --help?\nfix   toolpact help lists all commands.\n'],
    ['a check that is like no other', ['explain', 'nope'], 'error There is no check "nope".\nfix   toolpact explain lists all.\n'],
    [
      'a flag before the command',
      ['--port', '1', 'dev'],
      'error The command comes first, then --port.\nfix   toolpact help lists all commands.\n',
    ],
    [
      'a mistyped flag',
      ['dev', '--prot', '1'],
      'error toolpact dev has no flag --prot. Did you mean --port?\nfix   toolpact help dev lists them.\n',
    ],
    [
      'a flag of another command',
      ['list', '--port', '1'],
      'error toolpact list has no flag --port.\nfix   toolpact help list lists them.\n',
    ],
    ['a missing word', ['call'], 'error toolpact call needs <tool>.\nfix   toolpact call <tool> [json|-]\n'],
    [
      'a word too many',
      ['translate', 'a', 'b', '--to', 'flat'],
      'error toolpact translate does not take "b".\nfix   toolpact translate [file|-]\n',
    ],
    [
      'a file where a flag is needed',
      ['call', 'hello', '{}', 'tools.ts'],
      'error toolpact call does not take "tools.ts".\nfix   Files are named with a flag here: --tools tools.ts\n',
    ],
    [
      'a dialect that is none',
      ['translate', '--to', 'xml'],
      'error --to must be one of flat, coded, value, status, mcp, openai, anthropic, gemini, problem, outcome, not "xml".\n',
    ],
    ['no dialect at all', ['translate'], 'error The target format is missing.\nfix   Add --to, for example --to problem.\n'],
    ['a number that is none', ['dev', '--sample', '--port', 'http'], 'error --port must be a whole number from 0 to 65535, not "http".\n'],
    ['two places for tools', ['list', 'a.ts', '--sample'], 'error --sample brings its own tools; name no file.\n'],
    [
      'what a server would not hear',
      ['call', 'add', '{}', '--url', 'http://127.0.0.1:1', '--retry-attempts', '2'],
      'error --retry-attempts has no meaning with --url: the server decides that.\n',
    ],
    [
      'a tool nobody has',
      ['schema', '--sample', '--tool', 'ad'],
      'error There is no tool "ad". Did you mean add?\nfix   There are: add, stock_quote, pay_invoice, crawl_site, weather, book_trip, read_result, wait_for_result.\n',
    ],
  ])('%s', async (_, words, stderr) => expect(await run(words)).toEqual({ code: 2, stdout: '', stderr }));

  test('an unknown variable', async () => {
    expect(await run(['list', '--sample'], { env: { TOOLPACT_STOR: 'memory' } })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error The variable TOOLPACT_STOR is not known. Did you mean TOOLPACT_STORE?\nfix   Correct or unset it. toolpact help serve lists all.\n',
    });
  });
});

describe('a file with tools', () => {
  test('that is misspelt brings no example of a file: there is one', async () => {
    const near = await run(['list', 'tool.ts'], { cwd: folderWith({ 'tools.ts': '' }) });
    expect(near.stderr).toContain('Correct the path');
    expect(near.stderr).not.toContain('defineTool');
    const none = await run(['list', 'tool.ts'], { cwd: folderWith({}) });
    expect(none.stderr).toContain('defineTool');
  });

  test.each<[string, Record<string, string>, string[], string]>([
    ['that is not there', { 'tools.ts': '' }, ['tool.ts'], 'error There is no file tool.ts. Did you mean tools.ts?\n'],
    [
      'that is rather the name of a tool',
      { 'tools.ts': '' },
      ['get_ticket'],
      'error There is no file get_ticket.\nfix   Files are named with their extension, such as tools.ts; tools with --tool get_ticket, where a command has it (toolpact schema).\n',
    ],
    [
      'that is a folder',
      { 'tools.ts': '' },
      ['.'],
      'error . is a folder, not a file with tools.\nfix   Name the file in it, for example tools.ts.\n',
    ],
    [
      'that is data',
      { 'tools.json': '{}' },
      ['tools.json'],
      'error tools.json is not a module.\nfix   Tools can be .ts, .mts, .js or .mjs files.\n',
    ],
    ['that exports nothing', { 'tools.ts': 'export {};' }, [], 'error tools.ts exports nothing.\n'],
    ['that is empty', { 'tools.ts': '' }, [], 'error tools.ts exports nothing.\n'],
    [
      'that is CommonJS without a tool',
      { 'tools.cjs': 'exports.a = 1;' },
      ['tools.cjs'],
      'error tools.cjs exports a, default, which are not tools.\n',
    ],
    ['without a tool', { 'tools.ts': 'export const a = 1, b = "x";' }, [], 'error tools.ts exports a, b, which are not tools.\n'],
    [
      'with a tool nobody made',
      { 'tools.ts': "export const hello = { name: 'hello', run: () => 1 };" },
      [],
      'error tools.ts exports "hello", which looks like a tool but was not made by defineTool.\nfix   Write: export const hello = defineTool({ name, description, input, run });\n',
    ],
    [
      'with a tool nobody made among the fields of an object',
      {
        'tools.ts': `${from}const a = defineTool({ name: 'a', description: 'x', run: () => 1 });\nexport const tools = { a, b: { name: 'b', run: () => 1 } };`,
      },
      [],
      'error tools.ts exports "tools.b", which looks like a tool but was not made by defineTool.\nfix   Write: b: defineTool({ name, description, input, run });\n',
    ],
    [
      'with a mistake in its TypeScript',
      { 'tools.ts': 'const a: number = 1;\nconst b = {;\n' },
      [],
      'error tools.ts did not load. SyntaxError: Unexpected token `;`. Expected identifier, string literal, numeric literal or [ for the computed key\n  at tools.ts:2\n',
    ],
    [
      'with a mistake in its JavaScript',
      { 'tools.mjs': 'const a = 1;\n\nconst b = {;\n' },
      [],
      "error tools.mjs did not load. SyntaxError: Unexpected token ';'\n  at tools.mjs:3\n",
    ],
    [
      'with a mistake in what it imports',
      { 'tools.mjs': "import './part.mjs';\n", 'part.mjs': '\nlet a b;\n' },
      [],
      "error tools.mjs did not load. SyntaxError: Unexpected identifier 'b'\n  at part.mjs:2\n",
    ],
    [
      'with a mistake after a decorator',
      { 'tools.ts': 'const log = (value: unknown) => value;\n@log\nexport class A {}\nimport { a } from "./none";\nlet b c;\n' },
      [],
      'error tools.ts did not load. SyntaxError: ',
    ],
    [
      'with a decorated field',
      { 'tools.ts': 'const log = () => undefined;\nexport class A { @log a = 1; }\nnew A();\n' },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. Decorating class property failed[\s\S]*\nfix {3}Decorated fields need your own compiler: name the file that it writes\.\n$/,
      ) as unknown as string,
    ],
    [
      'that imports what is not exported',
      { 'tools.ts': "import { b } from './part.ts';\nexport const a = b();\n", 'part.ts': 'export const c = 1;\n' },
      [],
      "error tools.ts did not load. SyntaxError: The requested module './part.ts' does not provide an export named 'b'\n  at tools.ts:1\n",
    ],
    [
      'that needs names of CommonJS in a module',
      { 'tools.ts': 'export const a = __dirname;\n' },
      [],
      'error tools.ts did not load. ReferenceError: __dirname is not defined in ES module scope\n  at tools.ts:1\nfix   Write import.meta.dirname',
    ],
    [
      'with an enum, that throws',
      { 'tools.ts': 'enum A { b }\n\nexport const a = A.b;\nthrow new RangeError("too far");\n' },
      [],
      'error tools.ts did not load. RangeError: too far\n  at tools.ts:4\n',
    ],
    [
      'with an enum, that imports a package nobody installed',
      { 'tools.ts': "import { z } from 'zodd';\nenum A { b }\nexport const a = [z, A.b];\n" },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. Cannot find package 'zodd' imported from .*tools\.ts\nfix {3}npm install zodd\n/,
      ) as unknown as string,
    ],
    [
      'that throws',
      { 'tools.ts': '\n\nexport const a = 1;\nthrow new RangeError("too far");\n' },
      [],
      'error tools.ts did not load. RangeError: too far\n  at tools.ts:4\n',
    ],
    [
      'that throws a text with a secret',
      { 'tools.ts': 'export {}; throw "Bearer sk-abcdefghijklmnopqrstuvwxyz123456";\n' },
      [],
      'error tools.ts did not load. It threw Bearer [redacted]\n',
    ],
    [
      'whose tool is defined wrongly',
      { 'tools.ts': `${from}export const bad = defineTool({ name: 'bad name', description: 'x', run: () => 1 });\n` },
      [],
      'error tools.ts did not load. ToolpactError: the tool name "bad name" must be letters, digits, "_", "." or "-", at most 64, optionally as resource:action\n  at tools.ts:2\n',
    ],
    [
      'whose tool has an object in place of a schema',
      { 'tools.ts': `${from}export const bad = defineTool({ name: 'bad', description: 'x', input: { city: 'string' }, run: () => 1 });\n` },
      [],
      'error tools.ts did not load. ToolpactError: tool "bad": input is not a Standard Schema. Use a schema of zod, ArkType or valibot, such as z.object({ city: z.string() }); for a JSON Schema, fromJsonSchema of @toolpact/openapi.\n  at tools.ts:2\n',
    ],
    [
      'that imports a package nobody installed',
      { 'tools.ts': "import { z } from 'zodd';\nexport const a = z;\n" },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. Cannot find package 'zodd' imported from .*tools\.ts\nfix {3}npm install zodd\n/,
      ) as unknown as string,
    ],
    [
      'that imports a file that is not there',
      { 'tools.ts': "import { a } from './part';\nexport const b = a;\n" },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. Cannot find module .*\nfix {3}Correct the path of the import; the file is not there\.\n$/,
      ) as unknown as string,
    ],
    [
      'that imports by a path of tsconfig.json',
      { 'tools.ts': "import { a } from '@/lib/part';\nexport const b = a;\n" },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. .*\nfix {3}Add it to "paths" of the nearest tsconfig\.json, or correct the path there\.\n$/,
      ) as unknown as string,
    ],
    [
      'that imports a package of the workspace which is not built',
      { 'tools.ts': "import './dist/lib.js';\n" },
      [],
      expect.stringMatching(
        /^error tools\.ts did not load\. .*\nfix {3}Build the package first, or let "exports" of its package\.json name the source\.\n$/,
      ) as unknown as string,
    ],
    [
      'with two tools of one name',
      {
        'tools.ts': `${from}const make = () => defineTool({ name: 'a', description: 'x', run: () => 1 });\nexport default [make(), make()];\n`,
      },
      [],
      'error Could not create the toolbox: two tools are named "a".\n',
    ],
  ])('%s', async (_, files, words, stderr) => {
    const ran = await run(['list', ...words], { cwd: folderWith(files) });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    if (typeof stderr === 'string') expect(ran.stderr.slice(0, stderr.length)).toBe(stderr);
    else expect(ran.stderr).toEqual(stderr);
    expect(ran.stderr).not.toMatch(/^ {4}at /m);
  });

  // Both end a process before the command is done, which only the process itself can notice.
  test.each([
    [
      'that ends the process, with the exit code of Ctrl-C',
      'process.exit(130);',
      130,
      'error A tool, or a file that was loaded, called process.exit(130) before the command was done.\nfix   Throw an error instead; and let the file with tools start nothing by itself.\n',
    ],
    [
      'that waits for something that never comes',
      'await new Promise(() => undefined);\nexport {};',
      1,
      'error The command cannot finish: a file or a tool awaits something that never settles.\nfix   Look for an await at the top of the file whose promise is never settled.\n',
    ],
  ])('%s', async (_, text, code, stderr) => {
    expect(await runProcess(['list'], { cwd: folderWith({ 'tools.ts': text }) })).toEqual({ code, stdout: '', stderr });
  });

  test('that exports its tools as fields of an object', async () => {
    const tool = (name: string) => `${name}: defineTool({ name: '${name}', description: 'x', run: () => 1 })`;
    const cwd = folderWith({ 'tools.ts': `${from}export default { ${tool('one')}, ${tool('two')}, limit: 3 };\n` });
    expect((await run(['list'], { cwd })).stdout).toMatch(/^one .*\ntwo /);
  });

  test('whose stack is asked for with --verbose', async () => {
    const cwd = folderWith({ 'tools.ts': 'export {}; throw new RangeError("too far");\n' });
    expect((await run(['list', '--verbose'], { cwd })).stderr).toMatch(/^ {4}at .*tools\.ts/m);
  });
});

describe('a configuration file', () => {
  const config = (text: string): string => folderWith({ 'tools.ts': helloFile('hi'), 'toolpact.config.ts': text });
  test.each([
    [
      'with an unknown field',
      'export default { prot: 1 };',
      2,
      'error toolpact.config.ts has the unknown field "prot". Did you mean port?\nfix   toolpact help serve lists all settings.\n',
    ],
    [
      'with a wrong value',
      'export default { port: true };',
      2,
      'error port in toolpact.config.ts must be a whole number from 0 to 65535, not true.\n',
    ],
    [
      'that exports nothing',
      'export const a = 1;',
      1,
      "error toolpact.config.ts does not export a configuration.\nfix   Write: import { defineConfig } from '@toolpact/cli/config'; export default defineConfig({ … });\n",
    ],
    ['that does not load', 'export default {', 1, 'error toolpact.config.ts did not load. SyntaxError: '],
  ])('%s', async (_, text, code, stderr) => {
    const ran = await run(['list'], { cwd: config(text) });
    expect(ran.code).toBe(code);
    expect(ran.stderr.slice(0, stderr.length)).toBe(stderr);
  });

  test('that is named but not there', async () => {
    expect((await run(['list', '--sample', '--config', 'my.config.ts'])).stderr).toBe(
      'error There is no configuration file my.config.ts.\nfix   Correct the path, or leave --config out to go without one.\n',
    );
  });

  test('is used, and overruled by variables and flags', async () => {
    const cwd = config('export default { tools: "other.ts", store: "memory" };');
    writeFileSync(join(cwd, 'other.ts'), helloFile('from the file'));
    expect((await run(['call', 'hello'], { cwd })).stdout).toBe('from the file\n');
    expect((await run(['call', 'hello'], { cwd, env: { TOOLPACT_TOOLS: 'tools.ts' } })).stdout).toBe('hi\n');
    expect((await run(['call', 'hello', '--tools', 'other.ts'], { cwd, env: { TOOLPACT_TOOLS: 'tools.ts' } })).stdout).toBe(
      'from the file\n',
    );
  });
});

test('colours are for terminals, and FORCE_COLOR', async () => {
  expect((await run(['serv'])).stderr).not.toContain('\u001b');
  expect((await run(['serv'], { env: { FORCE_COLOR: '1' } })).stderr).toContain('\u001b[31merror\u001b[39m');
  expect((await run(['serv'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })).stderr).not.toContain('\u001b');
});

test.each([
  ['a store of another kind', 'redis://localhost', 'error There is no store for redis addresses.\n'],
  ['a store where no file can be', '/dev/null/x.db', 'error The store /dev/null/x.db cannot be used: '],
  ['a database nobody answers at', 'postgres://user:hunter2@127.0.0.1:1/x', 'error The PostgreSQL store '],
])('%s is said before anything runs', async (_, store, stderr) => {
  const ran = await run(['call', 'add', '{"a":1,"b":2}', '--sample', '--store', store]);
  expect([ran.code, ran.stdout]).toEqual([1, '']);
  expect(ran.stderr.slice(0, stderr.length)).toBe(stderr);
  expect(ran.stderr).not.toContain('hunter2');
});
