import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { scope } from '../../packages/toolpact/src/telemetry/conventions.ts';

const read = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')) as Record<string, unknown>;
const own = read('package.json');
const create = read('packages/create-toolpact/package.json');

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

test('no version of an optional package is stated, so that npm has nothing to compare and never refuses to install', () => {
  expect(own.peerDependencies).toBeUndefined();
  expect(own.optionalDependencies).toBeUndefined();
});

test('every package that is loaded only where it is installed is named as an optional peer, so that pnpm and Yarn let it be found', () => {
  const named = Object.entries(own.peerDependenciesMeta as Record<string, object>);
  expect(named.map(([name]) => name)).toEqual([
    '@langchain/core',
    '@modelcontextprotocol/client',
    '@modelcontextprotocol/sdk',
    '@mozilla/readability',
    '@opentelemetry/api',
    '@restatedev/restate-sdk',
    '@strands-agents/sdk',
    'linkedom',
    'pg',
    'robots-parser',
    'yaml',
  ]);
  for (const [, meta] of named) expect(meta).toEqual({ optional: true });
});

test('the tests use no older version of a package than the one the documentation says it works from', () => {
  const { dependencies } = read('proofs/peers/package.json') as { dependencies: Record<string, string> };
  const page = readFileSync(new URL('../../docs/entries.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| package | from | for |'));
  const documented = [...table.matchAll(/^\| `([^`]+)` \| ([\d.]+) \|/gm)];
  expect(documented.map(([, name]) => name)).toEqual(expect.arrayContaining(Object.keys(own.peerDependenciesMeta as object)));
  const isBelow = (version: string, least: string): boolean => {
    const [[major = -1, minor = 0], [leastMajor = 0, leastMinor = 0]] = [version, least].map((text) => text.split('.').map(Number)) as [
      number[],
      number[],
    ];
    return major < leastMajor || (major === leastMajor && minor < leastMinor);
  };
  const used = (name: string): string => dependencies[name] ?? (own.devDependencies as Record<string, string>)[name] ?? '';
  expect(documented.filter(([, name = '', least = '']) => isBelow(used(name), least)).map(([row]) => row)).toEqual([]);
});
