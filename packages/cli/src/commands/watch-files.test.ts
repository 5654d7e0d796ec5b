import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFiles } from './watch-files.ts';

test('a file is followed as it was named, however the system spells it', { timeout: 60_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-watch-'));
  const onDisk = join(folder, 'Caf\u00e9Tools.ts'.normalize('NFD'));
  const named = join(folder, 'caf\u00e9tools.ts');
  writeFileSync(onDisk, '');
  const changed = Promise.withResolvers<readonly string[]>();
  const watched = watchFiles(changed.resolve);
  onTestFinished(() => {
    watched.close();
    rmSync(folder, { recursive: true, force: true });
  });
  watched.follow([named]);
  writeFileSync(join(folder, 'other.ts'), '');
  writeFileSync(onDisk, 'export {};');
  expect(await changed.promise).toEqual([named]);
});
