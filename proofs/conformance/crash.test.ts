import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sourceArguments } from '../fixtures/source-arguments.ts';
import { openToolbox } from './crash-child.ts';

const child = fileURLToPath(new URL('crash-child.ts', import.meta.url));

test.each([
  ['before-run', 0],
  ['after-effect', 1],
  ['before-settle', 1],
] as const)('a process that dies %s has paid %i times, and its run says that this is not known', async (moment, times) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-crash-point-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { status, stderr } = spawnSync(process.execPath, [...sourceArguments, child, folder, moment], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([9, '']);
  const paid = existsSync(join(folder, 'paid.txt')) ? readFileSync(join(folder, 'paid.txt'), 'utf8').split('\n').length - 1 : 0;
  expect(paid).toBe(times);
  const { toolbox, store } = openToolbox(folder);
  // Until its lease is over, a silent process is taken to be alive.
  await vi.waitFor(async () => {
    const resumed = await toolbox.calls.resume('run-1');
    expect(resumed).toMatchObject([
      { outcome: { status: 'error', error: { kind: 'interrupted', effect: 'unknown', recovery: 'verify' } } },
    ]);
  }, 20_000);
  await store.close();
});
