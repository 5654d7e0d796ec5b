import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The programs of these pages are run as a reader would run them: against the published entry points, printing what their comments promise. */

const root = new URL('../../../../', import.meta.url);

const printed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  guards: [
    ['ok ok true', 'pending ok'],
    ['missing none', 'slow unknown', 'slow ok'],
    ['call_1 ok recorded'],
    ['pending ok pending'],
    ['running ok', 'ok'],
    ['true [ { id: 998 }, { id: 999 } ]'],
    ['ok undefined', 'ok true', 'rate_limited undefined'],
    ['1 true not_configured 1'],
    ['ping ok'],
  ],
  'long-calls': [
    ['crawl wait_for_result', 'true', 'true', '4 pages of example.com'],
    [
      'pending erase waits for an approval and has not run. Erase a.txt? Tell the user; make the same call again once it is approved.',
      'a.txt is gone',
      'a.txt is gone',
    ],
    ['Which day? Which seat?', 'invalid_input', 'booked: Monday, window'],
    ['deaf running, lose error', 'true', 'cancelled unknown', 'not_found Nothing is there.'],
    ['charged', 'error shipped'],
  ],
};

const programsOf = (page: string): string[] =>
  [...readFileSync(new URL(`docs/${page}.md`, root), 'utf8').matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);

test.each(Object.entries(printed))('every program of docs/%s.md is run, and has its expectations', (page, lines) => {
  const fences = readFileSync(new URL(`docs/${page}.md`, root), 'utf8').match(/^```/gm)?.length;
  expect([programsOf(page).length, fences]).toEqual([lines.length, 2 * lines.length]);
});

const programs = Object.entries(printed).flatMap(([page, lines]) =>
  programsOf(page).map((program, index) => [page, index + 1, program, lines[index] ?? []] as const),
);

test.each(programs)('docs/%s.md: program %i prints what it says', (page, index, program, lines) => {
  // A folder of its own, because programs may leave files behind.
  const folder = new URL(`.cache/pages/${page}/${index}/`, root);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL('program.ts', folder), program);
  const output = execFileSync(process.execPath, ['--no-warnings', 'program.ts'], {
    cwd: fileURLToPath(folder),
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect(output.trim().split('\n')).toEqual(lines);
});
