import { existsSync, globSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { expect, test } from 'vitest';
import { firstLoad } from '../../scripts/bundle-size.ts';
import { runNode } from '../fixtures/run-node.ts';
import { pathOf } from './own-packages.ts';

/** Creates in one module everything that an edge worker creates while it loads, and lists calls that such platforms forbid then. */
const program = `
  import crypto from 'node:crypto';
  import { syncBuiltinESMExports } from 'node:module';
  const calls = [];
  const watch = (owner, name) => {
    const real = owner[name].bind(owner);
    owner[name] = (...args) => {
      const place = /\\/dist\\/(\\S+?):/.exec(new Error(name).stack)?.[1];
      if (place !== undefined) calls.push(name + ' in ' + place);
      return real(...args);
    };
  };
  for (const name of ['randomBytes', 'randomUUID']) watch(crypto, name);
  syncBuiltinESMExports();
  for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'fetch']) watch(globalThis, name);
  for (const name of ['getRandomValues', 'randomUUID']) watch(globalThis.crypto, name);
  watch(Math, 'random');
  const { createToolbox, defineTool } = await import('toolpact');
  const { circuitBreaker, concurrency, rateLimit, repeatBreaker, spill } = await import('toolpact/guards');
  const { apiKeys, createServer, hashApiKey } = await import('@toolpact/server');
  const { memoryStore } = await import('toolpact/stores/memory');
  const { postgresStore } = await import('toolpact/stores/postgres');
  const { openTelemetry } = await import('toolpact/telemetry');
  const { createClient } = await import('@toolpact/server/client');
  const store = memoryStore();
  postgresStore('postgres://127.0.0.1/none');
  const hello = defineTool({
    name: 'hello',
    description: 'Says hello.',
    effects: 'none',
    deferAfterMs: 10,
    approval: true,
    cache: { ttlMs: 1000 },
    retry: {},
    idempotency: {},
    run: () => 'Hello!',
  });
  const limits = [rateLimit({ store, limit: 5, windowMs: 1000 }), concurrency({ max: 4 })];
  const use = [spill({ store }), repeatBreaker(), circuitBreaker(), ...limits];
  const toolbox = createToolbox([hello], { store, use, telemetry: openTelemetry() });
  createServer(toolbox, { auth: apiKeys([{ hash: hashApiKey('a-key-of-at-least-24-characters'), tenantId: 'acme' }]) });
  createClient('http://127.0.0.1:1');
  console.log(JSON.stringify(calls));
`;

test('toolboxes, guards, servers and clients can be made while a module loads: none draws a random value or sets a timer before a call', async () => {
  const { stdout } = await runNode(['--no-warnings', '--input-type=module', '-e', program], { cwd: pathOf('') });
  expect(JSON.parse(stdout)).toEqual([]);
});

test('a bundle of the server for a worker imports no module of Node by its bare name, which would fail', async () => {
  const { modules, laterModules } = await firstLoad(pathOf('packages/server/dist/index.js'));
  const builtin = new RegExp(`(?:require\\(|from )["'](?:${builtinModules.join('|')})["']`);
  const files = [...modules, ...laterModules].filter((file) => existsSync(file));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((file) => builtin.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('no file that an application bundles names a file of this package by `new URL`: bundlers would look for it while they build', () => {
  const files = ['toolpact', 'server', 'openapi', 'restate'].flatMap((folder) =>
    globSync(`packages/${folder}/src/**/*.ts`, { cwd: pathOf('') }),
  );
  const naming = files.filter(
    (file) => !/\.test\.ts$/.test(file) && /new URL\([^;]*, import\.meta\.url\)/.test(readFileSync(pathOf(file), 'utf8')),
  );
  expect(naming).toEqual([]);
});
