import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openContractLock } from './contract-lock.ts';

test('a lock file that was deleted meanwhile is written again with what was accepted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'toolpact.lock.json');
  const lock = await openContractLock(path);
  const listing = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } });
  await lock.compare('files', [listing('read', 'Reads.')]);
  rmSync(path);
  const changed = await lock.compare('files', [listing('read', 'Reads all.'), listing('write', 'Writes.')]);
  expect([...changed.keys()]).toEqual(['read']);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    tools: { 'files:read': { text: 'Reads.' }, 'files:write': { text: 'Writes.' } },
  });
});
