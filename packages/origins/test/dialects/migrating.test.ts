import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The guide's programs are run as a reader would run them: against the published entry points, printing what their comments promise. */

const root = new URL('../../../../', import.meta.url);
const page = readFileSync(new URL('docs/migrating.md', root), 'utf8');
const programs = [...page.matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);
const folder = new URL('.cache/migrating/', root);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

/** Pieces of what each program prints, in order and without line breaks; times and ids vary. */
const printed: readonly (readonly string[])[] = [
  [
    `content: '{"success":true,"value":{"files":["src/a.ts"]},"message":"Listed 1 file."}'`,
    `content: '{"success":false,"value":null,"message":"the folder is locked"}'`,
    'One folder is locked.',
  ],
  [
    "{ role: 'tool', tool_call_id: 'call_1', content:",
    "{ type: 'function_call_output', call_id: 'call_1', output:",
    "{ type: 'tool_result', tool_use_id: 'call_1', content:",
    "{ functionResponse: { id: 'call_1', name: 'forecast', response: { output:",
    'structuredContent: { celsius: 21 }, _meta:',
  ],
];

test('every program of the guide has its expectations', () => expect(programs).toHaveLength(printed.length));

const rows = programs.map((program, index) => [index + 1, program, printed[index] ?? []] as const);
test.each(rows)('program %i of the guide prints what it says', (index, program, pieces) => {
  const file = new URL(`program-${index}.ts`, folder);
  writeFileSync(file, program);
  const output = execFileSync(process.execPath, ['--no-warnings', fileURLToPath(file)], { encoding: 'utf8', timeout: 30_000 });
  let rest = output.replace(/\s+/g, ' ').trim();
  for (const piece of pieces) {
    expect(rest).toContain(piece);
    rest = rest.slice(rest.indexOf(piece) + piece.length);
  }
});
