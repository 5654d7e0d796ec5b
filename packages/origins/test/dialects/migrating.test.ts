import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The guide's programs are run as a reader would run them: against the published entry points, printing what their comments promise. */

const root = new URL('../../../../', import.meta.url);
const page = readFileSync(new URL('docs/migrating.md', root), 'utf8');
const programs = [...page.matchAll(/^```ts run\n([\s\S]*?)^```/gm)].map(([, program = '']) => program);
const folder = new URL('.cache/migrating/', root);
mkdirSync(folder, { recursive: true });
// The frameworks of the programs lie where the tests have them.
const modules = fileURLToPath(new URL('node_modules', folder));
if (!existsSync(modules)) symlinkSync(fileURLToPath(new URL('proofs/peers/node_modules', root)), modules);

/** Pieces of what each program prints, in order and without line breaks; times and ids vary. */
const printed: readonly (readonly string[])[] = [
  [
    "{ success: true, error: null, keyword: 'K-ON', results: [ { id: 1424 } ] }",
    "{ success: false, error: 'Bangumi is down', keyword: 'down', results: [] }",
  ],
  ['execute_tool search timeout execute_tool search 400 execute_tool search RangeError'],
  [
    '200 0 "success" {"result":"5 results","query":"kyoto"}',
    String.raw`400 4005 "No results for \"nothing\"." null`,
    String.raw`500 5004 "index 7 is broken\nsecond line" null`,
    '400 4002 ',
    '400 4003 ',
    '400 4004 ',
    '400 4001 ',
    '500 5009 "1 out of 2 items failed" {"results":["a","dead"],"failed_count":1}',
  ],
  ['0 success t-1', "{ result: 'results for kyoto', query: 'kyoto' }"],
  [
    `content: '{"success":true,"value":{"files":["src/a.ts"]},"message":"Listed 1 file."}'`,
    `content: '{"success":false,"value":null,"message":"the folder is locked"}'`,
    'One folder is locked.',
  ],
  [
    '200 {"status":"ok","input":{"query":"hello","top_k":5},"data":{"answer":"hello: run_1, crm-7421"}}',
    '429 {"status":"error","input":{"query":"busy","top_k":5},"error":{"type":"RATE_LIMIT","message":"The model is busy."',
    '"retry_after_ms":2000',
    '400 ',
    "[ 'ToolContext', 'ToolResult', 'ToolResultMeta', 'ToolError', 'ToolErrorDetail', 'ToolErrorMeta' ]",
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
