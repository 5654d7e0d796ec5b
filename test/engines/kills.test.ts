import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crashPoints } from './crash-tool.ts';
import { runKills } from './run-kills.ts';
import { startTestRestate } from './with-restate.ts';

test('a worker that dies at any moment around a step does nothing twice, and every call ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-kills-'));
  const restate = await startTestRestate();
  try {
    // Every second moment; `npm run proof` takes all of them, again and again.
    const points = crashPoints.filter((_, index) => index % 2 === 0);
    const { broken, kills, ends } = await runKills({ restate, folder, name: 'kills', kills: points.length, points });
    expect(broken).toEqual([]);
    expect({ kills, ends }).toEqual({ kills: 8, ends: { ok: 6, interrupted: 2 } });
  } finally {
    await restate.remove();
    rmSync(folder, { recursive: true, force: true });
  }
});
