import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { bundleProgram } from './crash/bundle-program.ts';

/** Makes one file of a program that the tests of a file start often; gives its path. To read its sources would take most of the work of each start. */
export function useProgram(source: URL): () => string {
  const folder = mkdtempSync(join(tmpdir(), 'toolpact-program-'));
  let file = '';
  beforeAll(async () => {
    file = await bundleProgram(folder, source.href);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return () => file;
}
