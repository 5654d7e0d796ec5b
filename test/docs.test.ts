import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pages } from '../scripts/write-docs.ts';

test.each(Object.entries(pages))('%s is what `npm run docs` writes', async (path, write) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(await write());
});
