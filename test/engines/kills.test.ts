import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runKills } from './run-kills.ts';
import { startTestRestate } from './with-restate.ts';

test('a worker that dies at any moment around a step does nothing twice, and every call ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-kills-'));
  const restate = await startTestRestate();
  try {
    // Each of the 15 moments, and some once more; `npm run proof` goes on to 200.
    const { broken, kills, ends } = await runKills({ restate, folder, name: 'kills', kills: 20 });
    expect(broken).toEqual([]);
    expect({ kills, ends }).toEqual({ kills: 20, ends: { ok: 14, interrupted: 6 } });
  } finally {
    await restate.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}, 240_000);
