import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scope } from '../src/parts/telemetry/conventions.ts';

const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')) as Record<string, unknown>;
const own = read('package.json');
const create = read('packages/create-toolpact/package.json');
const peers = own.peerDependencies as Record<string, string>;

test('both packages and the telemetry state one version', () => {
  expect([own.version, create.version, (create.dependencies as Record<string, string>).toolpact, scope.version]).toEqual([
    own.version,
    own.version,
    `^${String(own.version)}`,
    own.version,
  ]);
});

test('both packages say where they come from', () => {
  for (const { repository, homepage, bugs, license } of [own, create])
    expect({ repository, homepage, bugs, license }).toMatchObject({
      repository: { url: 'git+https://github.com/toolpact/toolpact.git' },
      homepage: expect.stringContaining('https://'),
      bugs: { url: expect.stringContaining('/issues') },
      license: 'MIT',
    });
});

test('the paths of the commands are written as npm wants them; it removes others when it publishes', () => {
  expect([own.bin, create.bin]).toEqual([{ toolpact: 'dist/apps/cli/main.js' }, { 'create-toolpact': 'create.js' }]);
});

test('every peer is optional and open to newer versions, so that none keeps a framework from being installed', () => {
  expect(Object.keys(own.peerDependenciesMeta as object).sort()).toEqual(Object.keys(peers).sort());
  const bounded = Object.entries(peers).filter(([, range]) => !/^>=[\d.]+$/.test(range));
  // Version 2 of this API would not see what an SDK of version 1 has set up.
  expect(bounded).toEqual([['@opentelemetry/api', '>=1.9 <2']]);
});

test('the versions that the tests use lie within the ranges', () => {
  const { dependencies } = read('test/peers/package.json') as { dependencies: Record<string, string> };
  const least = (range: string): number[] => (/^>=([\d.]+)/.exec(range)?.[1] ?? '').split('.').map(Number);
  const below = Object.entries(peers).filter(([name, range]) => {
    const version = (dependencies[name] ?? (own.devDependencies as Record<string, string>)[name] ?? '').split('.').map(Number);
    const [major = 0, minor = 0] = least(range);
    return (version[0] ?? -1) < major || (version[0] === major && (version[1] ?? 0) < minor);
  });
  expect(below).toEqual([]);
});
