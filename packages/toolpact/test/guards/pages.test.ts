import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The programs of these pages are run as a reader would run them: against the published entry points, printing what their comments promise. */

const root = new URL('../../../../', import.meta.url);

const printed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'remembering-calls': [
    ['ok ok true', 'This key was used before with other arguments: "amount" differs.'],
    ['Delete the repository?'],
    ['missing none', 'slow unknown', 'slow ok'],
  ],
  calls: [['hang running, look error', 'not_found Nothing is there.', 'true', 'cancelled, effect unknown'], ['call_1 ok recorded']],
  steps: [['charged O-7', 'parcel 7, sent at try 2'], ['pending sent'], ['0'], ['charged', 'error shipped']],
  'long-calls': [
    ['crawl wait_for_result', 'true', 'true', '4 pages of example.com'],
    ['Which day? Which seat?', 'invalid_input', 'booked: Monday, window'],
    ['ok'],
  ],
  guards: [
    ['ok', 'ok', 'rate_limited'],
    [
      'publish was denied by a policy and did not run. Reason given: Interns do not publish. This is a decision, not a fault.',
      'pending',
      'ok',
    ],
    ['true [ { id: 998 }, { id: 999 } ]'],
    ['ping ok'],
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
