import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { wrapServers } from '../src/wrap/client-file.ts';
import { folderWith, main, run } from './run-toolpact.ts';

const python = fileURLToPath(new URL('../../server/test/gateway/python-server.py', import.meta.url));
const settings = {
  theme: 'dark',
  mcpServers: {
    notes: { command: 'python3', args: [python], env: { TOKEN: 'secret-of-notes' } },
    far: { url: 'https://example.com/mcp' },
  },
};
const text = JSON.stringify(settings, null, 4);
const write = (cwd: string, ...flags: string[]) =>
  run(['wrap', '--write-config', 'claude-desktop', '--client-file', 'client.json', ...flags], { cwd });

test('puts the gateway before the servers that a client starts, shows what changes, and undoes it to the letter', async () => {
  const cwd = folderWith({ 'client.json': text });
  const file = join(cwd, 'client.json');
  const ran = await write(cwd);
  expect(ran.code).toBe(0);
  expect(ran.stdout).toContain(`notes\n  - ["python3","${python}"]\n  + ["npx","-y","@toolpact/cli","wrap","--store",`);
  expect(ran.stdout + ran.stderr).not.toContain('secret-of-notes');
  expect(ran.stderr).toContain('far is left unchanged: it is not started by the client.');
  const written = JSON.parse(readFileSync(file, 'utf8'));
  expect(written).toEqual({
    theme: 'dark',
    mcpServers: {
      notes: {
        command: 'npx',
        args: [
          ...['-y', '@toolpact/cli', 'wrap', '--store', join(cwd, 'toolpact/calls.db'), '--lock', join(cwd, 'toolpact/notes.lock.json')],
          ...['--', 'python3', python],
        ],
        env: { TOKEN: 'secret-of-notes' },
      },
      far: { url: 'https://example.com/mcp' },
    },
  });
  expect(readFileSync(`${file}.before-toolpact`, 'utf8')).toBe(text);
  expect((await write(cwd)).stderr).toContain('notes is left unchanged: it is wrapped already.');
  expect((await write(cwd, '--undo')).code).toBe(0);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(existsSync(`${file}.before-toolpact`)).toBe(false);
});

test('what was written starts the server behind the gateway', async () => {
  const cwd = folderWith({ 'client.json': text });
  await write(cwd);
  const { args } = JSON.parse(readFileSync(join(cwd, 'client.json'), 'utf8')).mcpServers.notes as { args: string[] };
  // `npx -y @toolpact/cli` is this program.
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, ...args.slice(2)], cwd: '/', stderr: 'ignore' });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(transport);
  await client.callTool({ name: 'count_notes', arguments: {} });
  await client.close();
  const { stdout } = await run(['calls', '--json', '--store', join(cwd, 'toolpact/calls.db')], { cwd });
  expect(stdout).toContain('"count_notes"');
  expect(existsSync(join(cwd, 'toolpact/notes.lock.json'))).toBe(true);
});

test('a link to the settings stays a link', async () => {
  const cwd = folderWith({ 'dotfiles/client.json': text });
  symlinkSync(join('dotfiles', 'client.json'), join(cwd, 'client.json'));
  await run(['wrap', '--write-config', 'cursor', '--client-file', 'client.json'], { cwd });
  expect(lstatSync(join(cwd, 'client.json')).isSymbolicLink()).toBe(true);
  expect(readFileSync(join(cwd, 'dotfiles', 'client.json'), 'utf8')).toContain('@toolpact/cli');
});

test('what was changed in the meantime is kept when the gateway is taken away', async () => {
  const cwd = folderWith({ 'client.json': text });
  const file = join(cwd, 'client.json');
  await write(cwd);
  writeFileSync(file, readFileSync(file, 'utf8').replace('"dark"', '"light"'));
  await write(cwd, '--undo');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...settings, theme: 'light' });
  expect(existsSync(`${file}.before-toolpact`)).toBe(true);
});

test.each([
  ['of a file', 'npx', ['-y', '@toolpact/cli', 'wrap', '--config', 'gateway.yaml']],
  ['of a version', 'npx', ['-y', '@toolpact/cli@1.2.3', 'wrap', '--store', 'calls.db', '--lock', 'a.json', '--', 'python3', python]],
  ['of a command', 'npx', ['-y', '@toolpact/cli', 'wrap', '--', 'python3', python]],
  ['that is installed', '/usr/local/bin/toolpact', ['wrap', '--', 'python3', python]],
  ['that is started by its file', 'node', ['/opt/node_modules/@toolpact/cli/dist/main.js', 'wrap', 'https://example.com/mcp']],
])('a gateway %s that somebody has written is neither wrapped nor taken away', async (_, command, args) => {
  const given = { mcpServers: { own: { command, args }, notes: settings.mcpServers.notes } };
  const cwd = folderWith({ 'client.json': JSON.stringify(given) });
  const read = () => JSON.parse(readFileSync(join(cwd, 'client.json'), 'utf8')).mcpServers;
  expect((await write(cwd)).stderr).toContain('own is left unchanged: it is wrapped already.');
  expect(read().own).toEqual(given.mcpServers.own);
  expect(read().notes.command).toBe('npx');
  // Somebody has changed the file since, so it is not put back as a whole.
  writeFileSync(join(cwd, 'client.json'), JSON.stringify({ mcpServers: read(), theme: 'dark' }));
  await write(cwd, '--undo');
  expect(read()).toEqual(given.mcpServers);
});

test('servers with different names have different lock files', async () => {
  const names = ['a b', 'a_b', 'a/b', 'A_B', '../a_b', 'x'.repeat(300)];
  const mcpServers = Object.fromEntries(names.map((name) => [name, settings.mcpServers.notes]));
  const cwd = folderWith({ 'client.json': JSON.stringify({ mcpServers }) });
  await write(cwd);
  const written = JSON.parse(readFileSync(join(cwd, 'client.json'), 'utf8')).mcpServers as Record<string, { args: string[] }>;
  const locks = names.map((name) => String(written[name]?.args[6]).toLowerCase());
  expect(new Set(locks).size).toBe(names.length);
  for (const lock of locks) expect([dirname(lock), basename(lock).length < 100]).toEqual([join(cwd, 'toolpact').toLowerCase(), true]);
});

test.each<[string, Readonly<Record<string, string>>, string[], string]>([
  ['no file', {}, [], 'claude-desktop has no file'],
  ['a file that is no JSON', { 'client.json': '{ // mine\n}' }, [], 'is not JSON, so it was left alone'],
  ['a server beside it', { 'client.json': text }, ['--', 'npx', 'x'], 'name none'],
])('%s is refused, and nothing is touched', async (_, files, words, message) => {
  const cwd = folderWith(files);
  const ran = await write(cwd, ...words);
  expect(ran.code).not.toBe(0);
  expect(ran.stderr).toContain(message);
  for (const [name, content] of Object.entries(files)) expect(readFileSync(join(cwd, name), 'utf8')).toBe(content);
});

test('the file of Claude Desktop is where it keeps it', async () => {
  const cwd = folderWith();
  const ran = await run(['wrap', '--write-config', 'claude-desktop'], { cwd, env: { HOME: cwd, XDG_CONFIG_HOME: join(cwd, 'conf') } });
  expect(ran.stderr).toContain(join('Claude', 'claude_desktop_config.json'));
  expect(await run(['wrap', '--undo'], { cwd })).toMatchObject({ code: 2, stderr: expect.stringContaining('belong to --write-config') });
});

test('on Windows the shell starts npx', () => {
  const { content } = wrapServers(
    { mcpServers: { notes: { command: 'notes.exe' } } },
    { store: 'calls.db', lock: (server) => `${server}.json`, platform: 'win32' },
  );
  expect(content).toEqual({
    mcpServers: {
      notes: {
        command: 'cmd',
        args: ['/c', 'npx', '-y', '@toolpact/cli', 'wrap', '--store', 'calls.db', '--lock', 'notes.json', '--', 'notes.exe'],
      },
    },
  });
});
