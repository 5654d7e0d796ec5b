import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from './make-folder.ts';

test.skipIf(process.platform === 'win32')('a folder that the command makes is open to its owner alone, and out of version control', () => {
  const parent = mkdtempSync(join(tmpdir(), 'toolpact-folder-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, '.toolpact');
  makeFolder(folder);
  expect([(statSync(folder).mode & 0o777).toString(8), readFileSync(join(folder, '.gitignore'), 'utf8')]).toEqual(['700', '*\n']);
});
