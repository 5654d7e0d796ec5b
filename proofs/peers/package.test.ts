import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Packed, packFiles } from '../fixtures/pack-files.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'toolpact-package-'));
let packed: Packed;
beforeAll(() => {
  packed = packFiles();
});
afterAll(() => {
  for (const folder of [temporary, packed.folder]) if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

test('the package holds what was built with its sources and the licence, and no test or script', () => {
  const { files } = packed;
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((file) => !/^(dist\/|docs\/|src\/|LICENSE$|README\.md$|CHANGELOG\.md$|package\.json$)/.test(file))).toEqual([]);
  expect(files.filter((file) => /\.test(-d)?\./.test(file))).toEqual([]);
});

// `npm run proof -- installs` lets npm install it, alone and beside every framework; this does what npm would, and takes a tenth of the work.
test('the packed package can be imported where nothing but its dependencies is installed, its command too', async () => {
  const own = join(temporary, 'node_modules/toolpact');
  mkdirSync(own, { recursive: true });
  await run('tar', ['-xzf', packed.archive, '--strip-components=1', '-C', own]);
  const { dependencies, bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly dependencies: Record<string, string>;
    readonly bin: { readonly toolpact: string };
  };
  for (const name of Object.keys(dependencies)) {
    const link = join(temporary, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  const program = `import { classify } from 'toolpact';
    import * as contract from 'toolpact/contract';
    const missing = await import('toolpact/telemetry').catch((error) => [error.code, error.message]);
    console.log(JSON.stringify({ kind: classify(new Error('connect ECONNREFUSED')).kind, names: Object.keys(contract).length > 0, missing }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: temporary });
  expect(JSON.parse(stdout)).toEqual({
    kind: 'unreachable',
    names: true,
    missing: ['missing_package', 'toolpact/telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api'],
  });
  const words = [join(own, bin.toolpact), 'call', 'add', '{"a":2,"b":3}', '--sample', '--store', 'memory'];
  const sum = await run(process.execPath, words, { cwd: temporary });
  expect(JSON.parse(sum.stdout)).toEqual({ sum: 5 });
});
