import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scope } from '../../packages/toolpact/src/telemetry/conventions.ts';
import { packages, pathOf } from './own-packages.ts';

const read = (path: string): Record<string, unknown> => JSON.parse(readFileSync(pathOf(path), 'utf8')) as Record<string, unknown>;
const own = read('package.json');
const names = new Set(Object.values(packages).map(({ name }) => name));

test('all packages and the telemetry state one version', () => {
  const versions = [own.version, scope.version, ...Object.values(packages).map(({ version }) => version)];
  expect(new Set(versions)).toEqual(new Set([own.version]));
});

describe.each(Object.entries(packages))('the package %s', (folder, file) => {
  test('names its repository and contains the licence', () => {
    expect(file).toMatchObject({
      repository: { url: 'git+https://github.com/toolpact/toolpact.git', directory: `packages/${folder}` },
      homepage: expect.stringContaining('https://'),
      bugs: { url: expect.stringContaining('/issues') },
      license: 'MIT',
      engines: own.engines,
    });
    expect(['README.md', 'LICENSE'].filter((name) => !existsSync(pathOf(`packages/${folder}/${name}`)))).toEqual([]);
  });

  test('depends on exactly this version of its neighbours', () => {
    const neighbours = Object.entries(file.dependencies ?? {}).filter(([name]) => names.has(name));
    expect(neighbours.filter(([, version]) => version !== own.version)).toEqual([]);
  });

  test('writes the paths of its commands in the form that npm keeps when it publishes', () => {
    for (const path of Object.values(file.bin ?? {})) expect(path).toMatch(/^[a-z]/);
  });

  test('states no version of an optional package, so that npm never refuses to install', () => {
    expect([file.peerDependencies, file.optionalDependencies]).toEqual([undefined, undefined]);
    for (const meta of Object.values(file.peerDependenciesMeta ?? {})) expect(meta).toEqual({ optional: true });
  });
});

test('the server contains the licences of all packages in its page', () => {
  const text = readFileSync(pathOf('packages/server/dist/third-party-licenses.txt'), 'utf8');
  const titles = [...text.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name);
  expect(titles).toEqual(['@preact/signals', '@preact/signals-core', 'eventsource-parser', 'preact', 'uplot']);
  expect(text.match(/Permission is hereby granted/g)).toHaveLength(titles.length);
});

test('every package that is loaded only if installed is an optional peer, so that pnpm and Yarn resolve it', () => {
  const named = Object.entries(packages).map(([folder, { peerDependenciesMeta = {} }]) => [folder, Object.keys(peerDependenciesMeta)]);
  expect(Object.fromEntries(named.filter(([, peers]) => peers?.length !== 0))).toEqual({
    cli: ['@opentelemetry/api', 'pg'],
    openapi: ['yaml'],
    origins: ['@mozilla/readability', 'linkedom', 'robots-parser'],
    restate: ['@restatedev/restate-sdk'],
    toolpact: [
      '@langchain/core',
      '@modelcontextprotocol/client',
      '@modelcontextprotocol/sdk',
      '@opentelemetry/api',
      '@strands-agents/sdk',
      'pg',
    ],
  });
});

test('the tests use no older version of a package than the documented minimum', () => {
  const { dependencies } = read('proofs/peers/package.json') as { dependencies: Record<string, string> };
  const page = readFileSync(pathOf('docs/entries.md'), 'utf8');
  const table = page.slice(page.indexOf('| package | from | for |'));
  const documented = [...table.matchAll(/^\| `([^`]+)` \| ([\d.]+) \|/gm)];
  expect(documented.map(([, name]) => name)).toEqual(
    expect.arrayContaining(Object.values(packages).flatMap(({ peerDependenciesMeta = {} }) => Object.keys(peerDependenciesMeta))),
  );
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
