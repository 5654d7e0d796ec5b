import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { wrapProse } from '../../scripts/wrap-prose.ts';
import { pages, prose } from '../../scripts/write-docs.ts';
import { pathOf } from './own-packages.ts';

test.each(Object.entries(pages))('%s is what `npm run docs` writes', async (path, write) => {
  expect(readFileSync(pathOf(path), 'utf8')).toBe(await write());
});

test.each(prose)('the prose of %s breaks at 120 characters, as `npm run docs` does it', (path) => {
  const page = readFileSync(pathOf(path), 'utf8');
  expect(page).toBe(wrapProse(page));
});

test('paragraphs with a line that is too long are broken; code, tables and words that belong together are not', () => {
  const long = 'word '.repeat(30).trim();
  const page = `# ${long}\n\n- ${long} \`one two\`\n  end\n\n| ${long} |\n\n\`\`\`ts\n${long}\n\`\`\`\n\nshort\nlines\n`;
  const wrapped = wrapProse(page);
  expect(wrapped).toBe(
    `# ${long}\n\n- ${'word '.repeat(23).trim()}\n  ${'word '.repeat(7)}\`one two\` end\n\n| ${long} |\n\n\`\`\`ts\n${long}\n\`\`\`\n\nshort\nlines\n`,
  );
  expect(wrapProse(wrapped)).toBe(wrapped);
});
