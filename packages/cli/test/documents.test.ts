import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith, ragFile, run } from './run-toolpact.ts';

/** A folder with a collection in it, and things that are none of it. */
function collection(): string {
  const cwd = folderWith({ 'readme.md': '# Read me\nAll about tea.', 'tools.mjs': ragFile });
  for (const folder of ['notes/deep', 'node_modules/tea', '.hidden']) mkdirSync(join(cwd, folder), { recursive: true });
  writeFileSync(join(cwd, 'notes/tea.md'), 'Green tea is steeped at seventy degrees.');
  writeFileSync(join(cwd, 'notes/deep/coffee.txt'), 'Coffee wants ninety.');
  writeFileSync(join(cwd, 'node_modules/tea/readme.md'), 'A package about tea.');
  writeFileSync(join(cwd, '.hidden/tea.md'), 'Secret tea.');
  return cwd;
}

const counted = (documents: number) => `{"documents":${documents},"chunks":${documents},"file":".toolpact/documents.db"}\n`;

test('a document is the same however its path is written', async () => {
  const cwd = collection();
  for (const words of [['notes'], ['./notes/'], [join(cwd, 'notes')], ['notes/tea.md'], ['notes/deep', 'notes/../notes/deep/coffee.txt']])
    expect(await run(['documents', ...words, '--json'], { cwd })).toMatchObject({ code: 0, stdout: counted(2) });
  const found = await run(['call', 'rag:search', '{"query":"degrees"}', '--store', 'memory'], { cwd });
  expect(JSON.parse(found.stdout)).toEqual({
    query: 'degrees',
    context: '[1] notes/tea.md, part 1\nGreen tea is steeped at seventy degrees.',
  });
});

test('a collection that is empty says so, wherever history is kept', async () => {
  const cwd = folderWith({ 'tools.mjs': ragFile });
  await run(['documents'], { cwd });
  const { code, stderr } = await run(['call', 'rag:search', '{"query":"tea"}', '--store', 'memory'], { cwd });
  expect(code).toBe(10);
  expect(stderr).toContain('The document collection is empty: nothing has been put into it yet.');
});

test('what is put in is not committed', async () => {
  const cwd = collection();
  await run(['documents', 'notes'], { cwd });
  expect(readFileSync(join(cwd, '.toolpact/.gitignore'), 'utf8')).toBe('*\n');
});

test('of the folder itself, packages and hidden files are left out', async () => {
  const cwd = collection();
  expect((await run(['documents', '.', '--json'], { cwd })).stdout).toBe(counted(3));
});

test('only what is gone is taken out: not what lies beside a file, nor what lies elsewhere', async () => {
  const cwd = collection();
  mkdirSync(join(cwd, 'sub'));
  const sub = { cwd: join(cwd, 'sub') };
  expect((await run(['documents', '../notes', '--json'], sub)).stdout).toBe(counted(2));
  expect((await run(['documents', '../notes/tea.md', '--prune', '--json'], sub)).stdout).toBe(counted(2));
  expect((await run(['documents', '.', '--prune', '--json'], sub)).stdout).toBe(counted(2));
});

test.each([
  ['it is no index', (file: string) => writeFileSync(file, 'This is a letter, not a database. It is long enough to be looked at.')],
  ['it cannot be opened, perhaps because its folder is not there', (file: string) => mkdirSync(file)],
])('an index file that cannot be used is reported in a sentence: %s', async (why, spoil) => {
  const cwd = collection();
  mkdirSync(join(cwd, '.toolpact'));
  spoil(join(cwd, '.toolpact/documents.db'));
  const message = `The file of the document index cannot be used: ${why}.`;
  expect(await run(['documents', 'notes'], { cwd })).toEqual({
    code: 1,
    stdout: '',
    stderr: `error ${message}\nfix   Move .toolpact/documents.db away, or see that it can be read and written.\n`,
  });
  const call = await run(['call', 'rag:search', '{"query":"tea"}', '--store', 'memory', '--dialect', 'coded'], { cwd });
  expect(JSON.parse(call.stdout)).toMatchObject({ code: 5010, message: expect.stringContaining(message) });
});
