import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** How many requirements each of the five contracts has. */
const rows = { '000': 29, '001': 19, '002': 48, '003': 22, '004': 54 } as const;

test('every requirement of the five contracts has a test of its own', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = globSync('{src,test}/**/00?-*.test.ts', { cwd: folder });
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
  const tested = new Set(text.match(/\b00[0-4]-\d\d\b/g));
  const all = Object.entries(rows).flatMap(([origin, count]) =>
    Array.from({ length: count }, (_, index) => `${origin}-${String(index + 1).padStart(2, '0')}`),
  );
  expect(all).toHaveLength(172);
  expect(all.filter((row) => !tested.has(row))).toEqual([]);
  expect([...tested].filter((row) => !all.includes(row))).toEqual([]);
});
