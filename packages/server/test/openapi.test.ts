import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exportJWK, generateKeyPair } from 'jose';
import { createToolbox } from 'toolpact';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys, createApiKey, jwt } from '../src/index.ts';
import { sampleToolbox } from './openapi-sample.ts';
import { add, sampleTools } from './sample-tools.ts';
import { type Served, serve } from './serve-ways.ts';

const run = promisify(execFile);
const redocly = fileURLToPath(new URL('../../../proofs/peers/node_modules/@redocly/cli/bin/cli.js', import.meta.url));
let folder: string;
let served: Served;
// biome-ignore lint/suspicious/noExplicitAny: tests look into the document wherever they like
let document: any;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolpact-openapi-'));
  served = await serve('fetch handler', sampleToolbox());
  ({ json: document } = await served.send('GET', '/openapi.json'));
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs redocly in a folder of its own, where it finds no configuration and sends no report. */
async function askRedocly(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  const { stdout, stderr } = await run(process.execPath, [redocly, ...args], { cwd: folder, env, timeout: 50_000 });
  return stdout === '' ? stderr : stdout;
}

describe('the document, as redocly sees it', () => {
  beforeAll(() => writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document)));

  test.each(['recommended', 'recommended-strict'])('breaks no rule of %s, not even as a warning', async (rules) => {
    const { totals, problems } = JSON.parse(await askRedocly('lint', 'openapi.json', `--extends=${rules}`, '--format=json'));
    expect(problems).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0, ignored: 0 });
  });

  test('has a score', async () => {
    const score = JSON.parse(await askRedocly('score', 'openapi.json', '--format=json'));
    console.log(`redocly score: ${JSON.stringify({ agentReadiness: score.agentReadiness, subscores: score.subscores })}`);
    expect(score.agentReadiness).toBeGreaterThan(50);
  });

  test('would not pass if an example broke its schema', async () => {
    const wrong = structuredClone(document);
    wrong.paths['/v1/tools/add'].post.requestBody.content['application/json'].examples.example1.value.a = 'x';
    writeFileSync(join(folder, 'wrong.json'), JSON.stringify(wrong));
    const { totals } = JSON.parse(await askRedocly('lint', 'wrong.json', '--format=json'));
    expect(totals.warnings).toBe(1);
  });
});

describe('what the document says', () => {
  test('there is one operation per tool, with everything its contract says', () => {
    const { post } = document.paths['/v1/tools/tree:walk'];
    expect(post).toMatchObject({
      operationId: 'call_tree_walk',
      tags: ['tree'],
      summary: 'Walks a tree',
      'x-tool': 'tree:walk',
      'x-effects': 'idempotent',
    });
    expect(Object.keys(post.responses).map(Number)).toEqual([
      200, 202, 207, 400, 401, 402, 403, 404, 409, 413, 415, 421, 424, 429, 499, 500, 501, 502, 503, 504,
    ]);
    expect(post.responses[409].description).toContain('`too_deep`');
    expect(document.components.schemas['tree_walk.Failure'].properties.code.enum).toContain('no_leaf');
    expect(post.requestBody.content['application/json'].examples.example1.value).toEqual({
      root: { name: 'a', children: [{ name: 'b', children: [] }] },
    });
    const names = post.parameters.map(
      ({ $ref }: { $ref: string }) => document.components.parameters[$ref.slice($ref.lastIndexOf('/') + 1)].name,
    );
    expect(names).toEqual(expect.arrayContaining(['Idempotency-Key', 'X-Tenant-ID', 'traceparent', 'X-Run-ID', 'dialect']));
    expect(document.components.responses.Failed429.headers).toHaveProperty('Retry-After');
    expect(document.components.responses.Failed429.content['application/problem+json'].examples.rate_limited.value).toMatchObject({
      title: 'Too many requests',
      status: 429,
    });
  });

  test('every operation is one that the server answers', async () => {
    for (const [path, methods] of Object.entries<Record<string, unknown>>(document.paths)) {
      for (const method of Object.keys(methods)) {
        // One never ends, one ends with its client, one gives a file.
        if (path === '/v1/tools/hang' || path === '/v1/calls/stream' || path === '/v1/calls/download') continue;
        const { json } = await served.send(method.toUpperCase(), path.replace(/\{\w+\}/, 'x'), method === 'post' ? { body: {} } : {});
        expect([method, path, json.detail]).not.toContain('There is nothing at this path, or not for this method.');
      }
    }
  });

  test.each([
    ['/v1/tools/add', 200, { a: 1, b: 2 }, ''],
    ['/v1/tools/add', 400, { a: 1 }, ''],
    ['/v1/tools/add', 400, { a: 1 }, '?dialect=problem&strict=true'],
    ['/v1/tools/tree:walk', 200, { root: { name: 'a', children: [] } }, ''],
    ['/v1/tools/tree:walk', 409, { root: { name: 'a', children: [] }, depth: 9 }, ''],
    ['/v1/tools/end_as', 207, { how: 'partial' }, ''],
    ['/v1/tools/end_as', 202, { how: 'pending' }, ''],
    ['/v1/tools/end_as', 429, { how: 'rate_limited' }, ''],
    ['/v1/execute', 200, { action: 'add', params: { a: 1, b: 2 } }, ''],
    ['/v1/batch', 200, { calls: [{ tool: 'add', args: { a: 1, b: 2 } }] }, ''],
    ['/v1/sessions', 200, { resource_type: 'browser', worker_id: 'w' }, ''],
    ['/v1/tools', 200, undefined, ''],
    ['/v1/tools/{name}/schema', 200, undefined, ''],
    ['/v1/approvals', 200, undefined, ''],
    ['/healthz', 200, undefined, ''],
  ])('the answer of %s with status %i fits its schema', async (path, status, body, query) => {
    const method = body === undefined ? 'get' : 'post';
    const { json, ...received } = await served.send(
      method.toUpperCase(),
      path.replace('{name}', 'add') + query,
      body === undefined ? {} : { body },
    );
    expect(received.status).toBe(status);
    const { responses } = document.paths[path][method];
    const given = responses[status] ?? responses[`${Math.floor(status / 100)}XX`];
    const response = given.$ref === undefined ? given : document.components.responses[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
    const { schema } = response.content[received.headers['content-type']?.split(';')[0] ?? ''];
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'https://document.test/', components: document.components });
    const check = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://document.test/#/')));
    expect([check(json), check.errors]).toEqual([true, null]);
  });

  test('it leaves out what the toolbox cannot do, and paths stay without credentials where none are asked for', async () => {
    const bare = await serve('fetch handler', createToolbox(sampleTools));
    const { json } = await bare.send('GET', '/openapi.json');
    expect(Object.keys(json.paths)).toEqual([
      ...sampleTools.map(({ name }) => `/v1/tools/${name}`),
      '/v1/tools',
      '/v1/tools/{name}/schema',
      '/v1/batch',
      '/v1/execute',
      '/v1/inspector',
      '/v1/inspector/tools/{name}',
      '/v1/inspector/break',
      '/v1/inspector/check',
      '/v1/inspector/gateway',
      '/v1/inspector/gateway/accept',
      '/healthz',
      '/readyz',
      '/ready',
    ]);
    expect([json.security, json.components.securitySchemes]).toEqual([[], undefined]);
    await bare.close();
  });
});

describe('credentials', () => {
  const { key, hash } = createApiKey();
  const tenantId = '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc';
  const keys = apiKeys([{ hash, tenantId, scopes: ['tools:call:add'] }]);

  test('a caller sees the tools it may call, and an unknown caller sees none', async () => {
    const guarded = await serve('fetch handler', sampleToolbox(), { auth: keys });
    expect((await guarded.send('GET', '/openapi.json')).status).toBe(401);
    const { json } = await guarded.send('GET', '/openapi.json', { headers: { authorization: `Bearer ${key}` } });
    expect(Object.keys(json.paths).filter((path) => /^\/v1\/tools\/\w/.test(path))).toEqual(['/v1/tools/add']);
    expect(json.security).toEqual([{ bearer: [] }, { 'x-api-key': [] }]);
    expect(json.components.securitySchemes).toMatchObject({
      bearer: { type: 'http', scheme: 'bearer' },
      'x-api-key': { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
    await guarded.close();
  });

  test('each way to authenticate is described as it is', async () => {
    const { publicKey } = await generateKeyPair('EdDSA');
    const tokens = jwt({
      issuer: 'https://issuer.test',
      audience: 'tools',
      algorithms: ['EdDSA'],
      jwks: { keys: [await exportJWK(publicKey)] },
    });
    const anyone = { tenantId };
    const own = ({ headers }: { headers: { get(name: string): string | null } }) =>
      headers.get('x-service-token') === 'open' ? anyone : undefined;
    for (const [auth, headers, expected] of [
      [[tokens, own], { 'x-service-token': 'open' }, [{ bearer: [] }, { 'x-service-token': [] }]],
      [[own], { 'x-service-token': 'open' }, [{ 'x-service-token': [] }]],
      [[() => anyone], {}, [{ bearer: [] }]],
    ] as const) {
      const guarded = await serve('fetch handler', createToolbox([add]), { auth });
      expect((await guarded.send('GET', '/openapi.json', { headers })).json.security).toEqual(expected);
      await guarded.close();
    }
  });

  test('a server can be set to describe nothing', async () => {
    const silent = await serve('fetch handler', createToolbox([add]), { openapi: false });
    expect((await silent.send('GET', '/openapi.json')).status).toBe(404);
    await silent.close();
  });
});
