import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Packed, packFiles } from '../pack-files.ts';

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

test('the packed package installs and can be imported, its command too', async () => {
  writeFileSync(join(temporary, 'package.json'), '{ "private": true, "type": "module" }');
  await npm(temporary, 'install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', packed.archive);
  writeFileSync(
    join(temporary, 'main.js'),
    `import { classify } from 'toolpact';
     import * as contract from 'toolpact/contract';
     console.log(JSON.stringify({ kind: classify(new Error('connect ECONNREFUSED')).kind, hasContract: Object.keys(contract).length > 0 }));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, ['main.js'], { cwd: temporary });
  expect(JSON.parse(stdout)).toEqual({ kind: 'unreachable', hasContract: true });
  const telemetry = "import('toolpact/telemetry').catch((error) => console.log(error.code, error.message));";
  const missing = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', telemetry], { cwd: temporary });
  expect(missing.stdout).toBe('missing_package toolpact/telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api\n');
  const sum = await promisify(execFile)('npx', ['toolpact', 'call', 'add', '{"a":2,"b":3}', '--sample', '--store', 'memory'], {
    cwd: temporary,
  });
  expect(JSON.parse(sum.stdout)).toEqual({ sum: 5 });
}, 240_000);

/** Runs npm as if from a terminal: a surrounding npm command tells its children which package they belong to. */
function npm(cwd: string, ...words: string[]) {
  const { npm_config_local_prefix: _, ...env } = process.env;
  return promisify(execFile)('npm', words, { cwd, env });
}
