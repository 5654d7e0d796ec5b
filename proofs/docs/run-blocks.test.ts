import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fromJsonSchema } from '@toolpact/openapi';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** Programs of pages that show other things too. Each is run as a reader would run it, against the published entry points. */
const printed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  gateway: [['pending', 'Remove the note milk?', 'notes running']],
  'tool-search': [['report_0 search_tools call_tool', 'refund_payment writes', '{"region":17}']],
};

const root = new URL('../../', import.meta.url);
const blocks = (page: string, language: string): string[] => {
  const text = readFileSync(new URL(`docs/${page}.md`, root), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
};

test.each(Object.entries(printed))('the programs of docs/%s.md print what they say', (page, expected) => {
  const programs = blocks(page, 'ts run');
  expect(programs).toHaveLength(expected.length);
  for (const [index, program] of programs.entries()) {
    const folder = new URL(`.cache/pages/${page}/${index}/`, root);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(new URL('program.ts', folder), program);
    const output = execFileSync(process.execPath, ['--no-warnings', 'program.ts'], { cwd: fileURLToPath(folder), encoding: 'utf8' });
    expect(output.trim().split('\n')).toEqual(expected[index]);
  }
});

test('the file in docs/gateway.md is valid for editors and the command', async () => {
  const schema = JSON.parse(readFileSync(new URL('packages/cli/gateway.schema.json', root), 'utf8'));
  const files = blocks('gateway', 'yaml');
  expect(files).toHaveLength(1);
  for (const file of files) expect(await fromJsonSchema(schema)['~standard'].validate(parse(file))).not.toHaveProperty('issues');
});
