import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { staleProofs } from '../../scripts/stale-proofs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

function checkRelease(...words: string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'release:check', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('a check that does not exist is refused with the list, before anything runs', () => {
  expect(checkRelease('--only', 'version,nonsense')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'There is no check "nonsense". The checks are commit, version, changesets, tests, proofs, report, pack, installs.\n',
  });
});

test('each check is listed with its problems; a partial list says that it is partial', () => {
  // Not the changesets: between two releases there are some.
  const { status, stdout } = checkRelease('--only', 'version');
  expect(stdout).toMatch(/^✓ version .*\n\nWhat was checked is in order\.$/m);
  expect(status).toBe(0);
});

test('a proof without a whole run since the last release is named', () => {
  const page = [
    '| proof | does | takes | last whole run | result |',
    '|---|---|---:|---|---|',
    '| `pauses` | stops processes | 3 min | 16 November 2026 | nothing twice |',
    '| `fleet --only restate` | kills | 5 min | 18 November 2026 | nothing twice |',
    '| `load` | loads | 5 min | not run whole yet | small run below |',
  ].join('\n');
  expect(staleProofs(page, new Date('2026-11-18'))).toEqual([
    '`pauses` ran last on 16 November 2026, before the last release',
    '`load`: not run whole yet',
  ]);
});
