import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PackedPackages, packPackages, unpackInto } from '../fixtures/packed-packages.ts';

const run = promisify(execFile);
const temporary = mkdtempSync(join(tmpdir(), 'toolpact-package-'));
const node = (words: readonly string[]) => run(process.execPath, words, { cwd: temporary });
let packed: PackedPackages;
beforeAll(() => {
  packed = packPackages();
  unpackInto(join(temporary, 'node_modules'), packed.packages);
});
afterAll(() => {
  packed.remove();
  rmSync(temporary, { recursive: true, force: true });
});

test('every package is packed, each after those that it depends on', () => {
  const names = packed.packages.map(({ name }) => name);
  const all = ['cli', 'openapi', 'origins', 'restate', 'server', 'testing'].map((name) => `@toolpact/${name}`);
  expect(names.toSorted()).toEqual([...all, 'create-toolpact', 'toolpact']);
  const early = names.flatMap((name, index) => {
    const { dependencies = {} } = JSON.parse(readFileSync(join(temporary, 'node_modules', name, 'package.json'), 'utf8')) as {
      readonly dependencies?: Readonly<Record<string, string>>;
    };
    return Object.keys(dependencies).filter((one) => names.indexOf(one) > index);
  });
  expect(early).toEqual([]);
});

test('every package holds its licence and its README, and no source, test or script', () => {
  const documents = ['LICENSE', 'README.md', 'package.json'];
  const strays = packed.packages.map(({ name, files }) => ({
    name,
    missing: documents.filter((file) => !files.includes(file)),
    left: files.filter((file) => !documents.includes(file) && !/^(?:dist\/|bin\/|skills\/|create\.js$|gateway\.schema\.json$)/.test(file)),
    tests: files.filter((file) => /\.test(-d)?\./.test(file)),
  }));
  expect(strays).toEqual(packed.packages.map(({ name }) => ({ name, missing: [], left: [], tests: [] })));
});

// `npm run proof -- installs` lets npm install them, alone and beside every framework; this does what npm would, and takes a tenth of the work.
test('the packed packages can be imported where nothing but their dependencies is installed', async () => {
  const program = `import { classify } from 'toolpact';
    import { createServer } from '@toolpact/server';
    import * as flat from '@toolpact/origins/flat';
    const missing = await import('toolpact/telemetry').catch((error) => [error.code, error.message]);
    console.log(JSON.stringify({ kind: classify(new Error('connect ECONNREFUSED')).kind, server: typeof createServer, names: Object.keys(flat).length > 0, missing }));`;
  const { stdout } = await node(['--input-type=module', '-e', program]);
  expect(JSON.parse(stdout)).toEqual({
    kind: 'unreachable',
    server: 'function',
    names: true,
    missing: ['missing_package', 'toolpact/telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api'],
  });
});

test.each(['toolpact/bin/toolpact.js', '@toolpact/cli/dist/main.js'])('the command %s runs from the packed packages', async (program) => {
  const words = ['call', 'add', '{"a":2,"b":3}', '--sample', '--store', 'memory'];
  const { stdout } = await node([join(temporary, 'node_modules', program), ...words]);
  expect(JSON.parse(stdout)).toEqual({ sum: 5 });
});
