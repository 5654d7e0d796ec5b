import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The page's programs are run as a reader would run them: against the published entry points, printing what their comments promise. */

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/guards.md', root), 'utf8');
const programs = [...page.matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);

const printed: readonly (readonly string[])[] = [
  ['ok ok true', 'pending ok'],
  ['missing none', 'slow unknown', 'slow ok'],
  ['call_1 ok recorded'],
  ['pending ok pending'],
  ['running ok', 'ok'],
  ['true [ { id: 998 }, { id: 999 } ]'],
  ['ok undefined', 'ok true', 'rate_limited undefined'],
  ['1 true not_configured 1'],
  ['ping ok'],
];

test('every program of the page is run, and has its expectations', () => {
  expect([programs.length, page.match(/^```/gm)?.length]).toEqual([printed.length, 2 * printed.length]);
});

test.each(programs.map((program, index) => [index + 1, program, printed[index] ?? []] as const))(
  'program %i of the page prints what it says',
  (index, program, lines) => {
    // A folder of its own, because programs may leave files behind.
    const folder = new URL(`.cache/guards-page/${index}/`, root);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('program.ts', folder), program);
    const output = execFileSync(process.execPath, ['--no-warnings', 'program.ts'], {
      cwd: fileURLToPath(folder),
      encoding: 'utf8',
      timeout: 30_000,
    });
    expect(output.trim().split('\n')).toEqual(lines);
  },
);
