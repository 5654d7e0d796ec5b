import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeApplication } from './author-application.ts';
import { authorFiles, callAuthorCase, readAuthorErrors } from './author-errors.ts';

const cases = authorFiles.flatMap(readAuthorErrors);
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'same-everywhere-'));
  await mkdir(join(folder, 'node_modules/vendor'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n');
  const source = writeApplication(cases);
  await writeFile(join(folder, 'source.mjs'), source);
  await writeFile(join(folder, 'node_modules/vendor/index.mjs'), source);
  for (const [name, minify] of [
    ['bundled', false],
    ['minified', true],
  ] as const) {
    const bundle = await rolldown({ input: join(folder, 'source.mjs'), logLevel: 'silent' });
    await bundle.write({ file: join(folder, `rolldown-${name}.mjs`), minify });
    const entryPoints = [join(folder, 'source.mjs')];
    await build({ entryPoints, bundle: true, format: 'esm', minify, outfile: join(folder, `esbuild-${name}.mjs`), logLevel: 'silent' });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  'rolldown-bundled.mjs',
  'rolldown-minified.mjs',
  'esbuild-bundled.mjs',
  'esbuild-minified.mjs',
  'node_modules/vendor/index.mjs',
])('what a tool throws is read the same as a source file and as %s', async (file) => {
  const [written, built] = await Promise.all(['source.mjs', file].map(readAll));
  expect(built).toEqual(written);
  expect(written).toHaveLength(cases.length);
});

/** Calls a tool per case and gives what the model is told. */
async function readAll(file: string) {
  const { sites }: { sites: (() => never)[] } = await import(pathToFileURL(join(folder, file)).href);
  const outcomes = await Promise.all(cases.map((entry, at) => callAuthorCase(entry, { effects: 'none' }, sites[at])));
  return outcomes.map(({ error: { kind, recovery, message, advice, retryAfterMs } }, at) => ({
    id: cases[at]?.id,
    kind,
    recovery,
    message,
    advice,
    retryAfterMs,
  }));
}
