import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { addFiles } from './add-files.ts';
import { createDocumentIndex } from './document-index.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'sandbox-index-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

const ids = (hits: readonly { id: string }[]) => hits.map(({ id }) => id);

test('documents are found, replaced, left alone and taken out', () => {
  const index = createDocumentIndex({ path: ':memory:' });
  const [tea, coffee] = [
    { id: 'tea', title: 'Tea', text: 'Green tea is steeped at eighty degrees.' },
    { id: 'coffee', text: 'Coffee is brewed at ninety-five degrees.' },
  ];
  expect(index.add([tea, coffee])).toEqual({ added: 2, replaced: 0, unchanged: 0 });
  expect(index.search('steeping green teas')).toEqual([{ ...tea, part: 1, score: expect.any(Number) }]);
  expect(index.search('steeping green teas')[0]?.score).toBeGreaterThan(0);
  expect(ids(index.search('degrees'))).toHaveLength(2);
  expect(ids(index.search('degrees', { limit: 1 }))).toHaveLength(1);
  expect(index.add([tea, { ...coffee, text: 'Espresso needs nine bar.' }])).toEqual({ added: 0, replaced: 1, unchanged: 1 });
  expect(ids(index.search('degrees'))).toEqual(['tea']);
  expect(ids(index.search('espresso'))).toEqual(['coffee']);
  expect(index.remove(['tea', 'nothing'])).toBe(1);
  expect(index.search('green tea')).toEqual([]);
  expect(index.count()).toEqual({ documents: 1, chunks: 1 });
  index.close();
});

test('the file and its logs can be read by their owner alone', () => {
  const path = join(folder(), 'documents.db');
  const index = createDocumentIndex({ path });
  index.add([{ id: 'a', text: 'Secret.' }]);
  expect(['', '-wal', '-shm'].map((suffix) => (statSync(`${path}${suffix}`).mode & 0o777).toString(8))).toEqual(['600', '600', '600']);
  index.close();
});

test('words in the title weigh more', () => {
  const index = createDocumentIndex({ path: ':memory:' });
  index.add([
    { id: 'about', title: 'Museums', text: 'There is a railway in the city, with many stations, and much more to see on the way.' },
    {
      id: 'museum',
      title: 'The railway',
      text: 'It was opened in 1972 and has fifty locomotives, most of which have not been moved since.',
    },
  ]);
  expect(ids(index.search('railway'))).toEqual(['museum', 'about']);
});

test('documents are still there in the next process, and seen by others that have the file open', () => {
  const path = join(folder(), 'index.db');
  const first = createDocumentIndex({ path });
  const second = createDocumentIndex({ path });
  first.add([{ id: 'a', text: 'alpha' }]);
  expect(ids(second.search('alpha'))).toEqual(['a']);
  second.add([{ id: 'b', text: 'alpha beta' }]);
  second.remove(['a']);
  expect(ids(first.search('alpha'))).toEqual(['b']);
  first.close();
  second.close();
  const third = createDocumentIndex({ path });
  expect(ids(third.search('beta'))).toEqual(['b']);
  third.close();
});

test('documents are put in together or not at all', () => {
  const index = createDocumentIndex({ path: ':memory:' });
  expect(() =>
    index.add([
      { id: 'a', text: 'alpha' },
      { id: '', text: 'beta' },
    ]),
  ).toThrow('a document needs an id and a text');
  expect(index.count()).toEqual({ documents: 0, chunks: 0 });
  expect(index.add([{ id: 'a', text: 'alpha' }]).added).toBe(1);
});

test('a long document is found by its pieces', () => {
  const index = createDocumentIndex({ path: ':memory:' });
  const filler = Array.from(
    { length: 40 },
    (_, n) => `Paragraph ${n} speaks of many other things, at some length, so that it fills the page.`,
  );
  index.add([{ id: 'long', text: [...filler.slice(0, 30), 'The password of the vault is swordfish.', ...filler.slice(30)].join('\n\n') }]);
  const [hit] = index.search('password of the vault');
  expect(hit?.text).toContain('swordfish');
  expect(hit?.part).toBe(3);
  expect(hit?.text.length).toBeLessThan(1_300);
});

test.each([
  ['one that is no database', (path: string) => writeFileSync(path, 'x'.repeat(5000)), /cannot be used: it is no index\.$/],
  ['the database of something else', (path: string) => new DatabaseSync(path).exec('CREATE TABLE users (id)'), /made by something else/],
  [
    'one that is a folder',
    (path: string) => mkdirSync(path),
    /cannot be used: it cannot be opened, perhaps because its folder is not there\.$/,
  ],
  ['one of a newer version', (path: string) => new DatabaseSync(path).exec('PRAGMA user_version = 99'), /newer version/],
])('a file is refused: %s', (_, make, message) => {
  const path = join(folder(), 'index.db');
  make(path);
  expect(() => createDocumentIndex({ path })).toThrow(message);
});

test('a folder is brought in, and brought up to date', async () => {
  const path = folder();
  await mkdir(join(path, 'sub'));
  await writeFile(join(path, 'tea.md'), '# Green tea\n\nSteep it at eighty degrees.');
  await writeFile(
    join(path, 'sub', 'page.html'),
    '<html><head><title>Coffee</title></head><body><p>Brew it at ninety-five.</p></body></html>',
  );
  await writeFile(join(path, 'binary.txt'), Buffer.from([1, 0, 2]));
  await writeFile(join(path, 'picture.png'), 'png');
  for (const unmeant of ['.hidden', 'node_modules/tea']) {
    await mkdir(join(path, unmeant), { recursive: true });
    await writeFile(join(path, unmeant, 'tea.md'), 'Not for readers.');
  }
  const index = createDocumentIndex({ path: ':memory:' });
  index.add([{ id: 'other', text: 'stays' }]);
  const update = () => addFiles(index, path, { prefix: 'docs/', prune: true });
  expect(await update()).toEqual({ added: 2, replaced: 0, unchanged: 0, removed: 0, skipped: ['binary.txt'] });
  expect(index.search('steep')[0]).toMatchObject({ id: 'docs/tea.md', title: 'Green tea' });
  expect(index.search('ninety')[0]).toMatchObject({ id: 'docs/sub/page.html', title: 'Coffee', text: 'Brew it at ninety-five.' });
  await writeFile(join(path, 'tea.md'), '# Green tea\n\nSteep it at seventy degrees.');
  await rm(join(path, 'sub'), { recursive: true });
  expect(await update()).toEqual({ added: 0, replaced: 1, unchanged: 0, removed: 1, skipped: ['binary.txt'] });
  expect(index.ids()).toEqual(['docs/tea.md', 'other']);
  await mkdir(join(path, 'elsewhere'));
  // Documents beside the given folder are not removed.
  expect(await addFiles(index, join(path, 'elsewhere'), { prefix: 'docs/elsewhere/', prune: true })).toMatchObject({ removed: 0 });
  expect(await addFiles(index, join(path, 'tea.md'))).toMatchObject({ added: 1 });
  expect(index.ids()).toEqual(['docs/tea.md', 'other', 'tea.md']);
});
