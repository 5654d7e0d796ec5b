import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, test } from 'vitest';
import { runNode } from '../../../proofs/fixtures/run-node.ts';
import { install } from './install.ts';
import { folderWith, main, run } from './run-toolpact.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The package.json of `npm init -y`. */
const npmInit = `{
  "name": "shop",
  "version": "1.0.0",
  "main": "index.js",
  "scripts": {
    "test": "echo \\"Error: no test specified\\" && exit 1"
  },
  "type": "commonjs"
}
`;

/** Makes a project with a first tool, installed as npm would: the packages are links. */
async function createProject(files: Readonly<Record<string, string>> = { 'package.json': npmInit }) {
  const folder = folderWith(files);
  const { code, stderr } = await run(['init', '--yes'], { cwd: folder });
  expect([code, stderr]).toEqual([0, expect.stringContaining('npm install')]);
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  install(folder, Object.keys({ ...dependencies, ...devDependencies }));
  return folder;
}

describe('toolpact init', () => {
  test('does not say to install what is installed', async () => {
    const folder = folderWith({
      'package.json': npmInit,
      'node_modules/toolpact/package.json': '{}',
      'node_modules/zod/package.json': '{}',
      'node_modules/@toolpact/cli/package.json': '{}',
      'node_modules/@toolpact/testing/package.json': '{}',
      'node_modules/@types/node/package.json': '{}',
    });
    const { stderr } = await run(['init', '--yes'], { cwd: folder });
    expect(stderr).toMatch(/Done\. Next:\n {2}npx toolpact call/);
  });

  test.each([
    ['an empty folder', {}],
    ['what npm init made', { 'package.json': npmInit }],
  ])('makes a project of %s whose tool runs, and whose test passes', async (_, files) => {
    const folder = await createProject(files);
    const called = await run(['call', 'to_fahrenheit', '{"celsius":100}', '--store', 'memory'], { cwd: folder });
    expect([called.code, called.stdout, called.stderr]).toEqual([0, '{\n  "fahrenheit": 212\n}\n', '']);
    const failed = await run(['call', 'to_fahrenheit', '{"celsius":-300}', '--store', 'memory'], { cwd: folder });
    expect([failed.code, failed.stderr]).toEqual([10, expect.stringContaining('Nothing is colder')]);
    const [tested, checked] = await Promise.all([runNode(['--test', 'tools.test.ts'], { cwd: folder }), run(['check'], { cwd: folder })]);
    expect([tested.code, tested.stdout]).toEqual([0, expect.stringMatching(/pass 3\b/)]);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('0 broken, 0 could be better')]);
  });

  test('makes a project that compiles', async () => {
    const folder = await createProject({});
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await runNode([tsc, '--pretty', 'false'], { cwd: folder });
    expect([code, stdout]).toEqual([0, '']);
  });

  test('replaces nothing, and says so', async () => {
    const folder = folderWith({ 'tools.ts': 'mine', 'package.json': npmInit });
    const { stderr } = await run(['init', '--yes'], { cwd: folder });
    expect(stderr).toMatch(/keep +tools\.ts/);
    expect(stderr).toMatch(/Next:[\s\S]*npx toolpact list\n/);
    expect([readFileSync(join(folder, 'tools.ts'), 'utf8'), existsSync(join(folder, 'tools.test.ts'))]).toEqual(['mine', false]);
    const again = await run(['init', '--yes'], { cwd: folder });
    expect([again.code, again.stderr]).toEqual([0, 'Everything is in place already; nothing was changed.\n']);
  });

  test('makes a new folder when one is named', async () => {
    const folder = folderWith();
    const { stderr } = await run(['init', 'My Tools', '--yes'], { cwd: folder });
    expect(stderr).toContain('cd My Tools');
    expect(JSON.parse(readFileSync(join(folder, 'My Tools/package.json'), 'utf8'))).toMatchObject({ name: 'my-tools' });
  });

  test('says so where it may not write', async () => {
    const folder = folderWith({ shop: 'a file where the folder should be' });
    const { code, stderr } = await run(['init', 'shop', '--yes'], { cwd: folder });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/error .*shop cannot be written \(\w+\)\.\nfix {3}Check that the folder exists/),
    ]);
  });

  test('writes nothing when package.json cannot be read', async () => {
    const folder = folderWith({ 'package.json': '{ "name": ' });
    const { code, stderr } = await run(['init', '--yes'], { cwd: folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/package\.json is not valid JSON.*\n.*nothing was written/s)]);
    expect(readdirSync(folder)).toEqual(['package.json']);
  });
});

test('npm create toolpact does the same', async () => {
  const folder = folderWith();
  install(folder, ['create-toolpact']);
  const { code } = await runNode([join(folder, 'node_modules/create-toolpact/create.js'), 'shop', '--yes'], { cwd: folder });
  expect([code, readdirSync(join(folder, 'shop')).sort()]).toEqual([
    0,
    ['AGENTS.md', 'package.json', 'toolpact.config.ts', 'tools.test.ts', 'tools.ts', 'tsconfig.json'],
  ]);
});

describe('toolpact mcp --print-config', () => {
  test('gives every client an entry that starts from any folder', async () => {
    const folder = await createProject();
    const entryOf = async (client: string): Promise<unknown> => {
      const { code, stdout } = await run(['mcp', '--print-config', client], { cwd: folder });
      const { mcpServers, servers } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
      const [entry] = Object.values(mcpServers ?? servers ?? {});
      expect(code).toBe(0);
      return entry;
    };
    const entry = (await entryOf('claude-desktop')) as { command: string; args: string[] };
    for (const client of ['claude-code', 'cursor']) expect(await entryOf(client)).toEqual(entry);
    expect(await entryOf('vscode')).toEqual({ type: 'stdio', ...entry });
    const [flag, cli, ...words] = entry.args;
    expect([entry.command, flag, cli]).toEqual(['npx', '-y', '@toolpact/cli']);
    const elsewhere = folderWith();
    // As npx would start it.
    const transport = new StdioClientTransport({ command: process.execPath, args: [main, ...words], cwd: elsewhere, stderr: 'ignore' });
    const connected = new Client({ name: 'test', version: '1.0.0' });
    await connected.connect(transport);
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain('to_fahrenheit');
    const answer = await connected.callTool({ name: 'to_fahrenheit', arguments: { celsius: 0 } });
    expect(answer.structuredContent).toEqual({ fahrenheit: 32 });
    await connected.close();
    expect([readdirSync(elsewhere), existsSync(join(folder, '.toolpact/toolpact.db'))]).toEqual([[], true]);
  });

  test('keeps the address of a database, which may hold a password, out of the entry', async () => {
    const folder = folderWith({ 'package.json': npmInit });
    writeFileSync(join(folder, 'tools.ts'), '');
    const { stdout } = await run(['mcp', '--print-config', 'cursor', '--store', 'postgres://ann:pw-1234@db/tools'], { cwd: folder });
    expect(stdout).not.toContain('pw-1234');
  });

  test('names the clients it knows', async () => {
    const { code, stderr } = await run(['mcp', '--print-config', 'emacs', '--sample']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('--print-config must be one of claude-desktop, claude-code, cursor, vscode'),
    ]);
  });
});
