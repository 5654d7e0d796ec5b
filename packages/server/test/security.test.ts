import { Agent, createServer as createHttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { EventOf } from 'toolpact';
import { createToolbox } from 'toolpact';
import { deny, policy } from 'toolpact/guards';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiKeys, createApiKey, createServer, jwt } from '../src/index.ts';
import { sampleTools } from './sample-tools.ts';
import { type Received, type Served, sendByHttp, serve, ways } from './serve-ways.ts';

const full = createApiKey();
const adder = createApiKey();
const searcher = createApiKey();
const auth = apiKeys([
  { hash: full.hash, tenantId: 'acme', keyId: 'full' },
  { hash: adder.hash, tenantId: 'acme', keyId: 'adder', subject: 'ann', scopes: ['tools:call:add'] },
  { hash: searcher.hash, tenantId: 'other', keyId: 'searcher', scopes: ['tools:call:rag:*'] },
]);
const sum = { a: 1, b: 2 };
const toolbox = createToolbox(sampleTools, { report: () => {} });

describe.each(ways)('a server that is reached through the %s', (way) => {
  const denied: EventOf<'denied'>[] = [];
  let open: Served;
  let closed: Served;
  const call = (served: Served, tool: string, body: unknown, headers: Record<string, string>): Promise<Received> =>
    served.send('POST', `/v1/tools/${tool}`, { body, headers });
  beforeAll(async () => {
    toolbox.subscribe((event) => event.type === 'denied' && denied.push(event));
    open = await serve(way, toolbox);
    closed = await serve(way, toolbox, { auth });
  });
  afterAll(async () => {
    await open.close();
    await closed.close();
  });

  test.each([
    ['evil.example', 421],
    ['evil.example:8787', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example', 421],
    ['localhost:1', 200],
    ['LOCALHOST', 200],
    ['127.0.0.1', 200],
    ['[::1]:8787', 200],
  ])('takes a request for the host %s with %i', async (host, status) => {
    expect((await call(open, 'add', sum, { host })).status).toBe(status);
  });

  test.each([
    ['https://evil.example', 403],
    ['null', 403],
    ['http://localhost:9999', 403],
    ['file://', 403],
    ['http://127.0.0.1:8787', 200],
    ['http://localhost:8787', 200],
  ])('takes a request of a page from %s with %i', async (origin, status) => {
    const received = await call(open, 'add', sum, { host: '127.0.0.1:8787', origin });
    expect(received.status).toBe(status);
    expect(received.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('answers to the names it was given, and to no other', async () => {
    const served = await serve(way, toolbox, { auth, hosts: ['tools.example.com', '::1'] });
    const statuses: number[] = [];
    for (const host of ['tools.example.com', 'TOOLS.example.com:443', '[::1]:80', 'evil.example', 'localhost', 'a.tools.example.com']) {
      statuses.push((await call(served, 'add', sum, { host, 'x-api-key': full.key })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 421, 421, 421]);
    await served.close();
    const anywhere = await serve(way, toolbox, { auth, hosts: ['*'] });
    expect((await call(anywhere, 'add', sum, { host: 'any.example', 'x-api-key': full.key })).status).toBe(200);
    await anywhere.close();
  });

  test('tells probes that it lives, under whatever name they know it', async () => {
    expect((await open.send('GET', '/healthz', { headers: { host: '10.0.0.7:80' } })).status).toBe(200);
    expect((await closed.send('GET', '/readyz')).status).toBe(200);
  });

  test.each([
    ['nothing', {}],
    ['a wrong key', { authorization: 'Bearer tpk_wrong' }],
    ['a wrong scheme', { authorization: `Basic ${full.key}` }],
    ['an empty key', { 'x-api-key': '' }],
    ['the hash instead of the key', { 'x-api-key': full.hash }],
  ])('refuses a caller that shows %s, on every route', async (_, headers) => {
    for (const [method, path] of [
      ['POST', '/v1/tools/add'],
      ['POST', '/v1/execute'],
      ['POST', '/v1/batch'],
      ['GET', '/v1/tools'],
      ['GET', '/v1/tools/add/schema'],
      ['GET', '/v1/calls/x'],
      ['GET', '/v1/results/x'],
      ['GET', '/v1/pending/x'],
      ['POST', '/v1/pending/x'],
      ['GET', '/v1/approvals'],
      ['POST', '/v1/approvals/x'],
    ] as const) {
      const received = await closed.send(method, path, { headers, ...(method === 'POST' && { body: sum }) });
      expect([path, received.status, received.headers['www-authenticate']]).toEqual([path, 401, 'Bearer']);
    }
  });

  test('knows a key from either header', async () => {
    expect((await call(closed, 'add', sum, { authorization: `Bearer ${full.key}` })).json.meta.tenantId).toBe('acme');
    expect((await call(closed, 'add', sum, { 'x-api-key': searcher.key })).status).toBe(403);
  });

  test('takes a header that repeats the tenant of the key, whatever a tenant looks like', async () => {
    expect((await call(closed, 'add', sum, { 'x-api-key': full.key, 'x-tenant-id': 'acme' })).status).toBe(200);
  });

  test.each([
    [adder.key, 'add', 200],
    [adder.key, 'ADD', 200],
    [adder.key, 'pay', 403],
    [adder.key, 'nothing-of-that-name', 403],
    [searcher.key, 'rag:search', 200],
    [searcher.key, 'search', 200],
    [searcher.key, 'add', 403],
    [full.key, 'nothing-of-that-name', 404],
  ])('a key may call what its scopes name (%#)', async (key, tool, status) => {
    const body = tool.toLowerCase() === 'add' ? sum : tool === 'pay' ? { amount: 1 } : { query: 'x' };
    expect((await call(closed, tool, body, { 'x-api-key': key })).status).toBe(status);
    const execute = await closed.send('POST', '/v1/execute', { body: { action: tool, params: body }, headers: { 'x-api-key': key } });
    expect(execute.status).toBe(status);
    const batch = await closed.send('POST', '/v1/batch', { body: { calls: [{ tool, args: body }] }, headers: { 'x-api-key': key } });
    expect(batch.status === 502 ? 404 : batch.status).toBe(status);
  });

  test('a key sees the tools it may call, and of no other', async () => {
    const listed = await closed.send('GET', '/v1/tools', { headers: { 'x-api-key': adder.key } });
    expect(listed.json.tools.map(({ name }: { name: string }) => name)).toEqual(['add']);
    expect((await closed.send('GET', '/v1/tools/pay/schema', { headers: { 'x-api-key': adder.key } })).status).toBe(403);
    expect((await closed.send('GET', '/v1/approvals', { headers: { 'x-api-key': full.key } })).status).toBe(403);
  });

  test.each(['pay', 'PAY', 'rag.search', 'search', 'no_such_tool'])(
    'a refusal repeats the name as it was spelled (%s), so that no caller learns of tools that are not theirs',
    async (name) => {
      const { json } = await call(closed, name, {}, { 'x-api-key': adder.key });
      expect([json.error.kind, json.meta.tool]).toEqual(['forbidden', name]);
    },
  );

  test('over MCP a tool that is not for a key looks like one that does not exist, and its trace is the one of the audit', async () => {
    const ask = async (name: string) => {
      denied.length = 0;
      const { headers, text } = await closed.send('POST', '/mcp', {
        headers: { 'x-api-key': adder.key, accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } },
      });
      const traceId = denied[0]?.traceId ?? 'none';
      expect([headers['x-trace-id'], text.includes(traceId)]).toEqual([traceId, true]);
      return [headers['content-type'], text.replaceAll(traceId, 'trace').replaceAll(name, 'name')];
    };
    expect(await ask('pay')).toEqual(await ask('no_such_tool'));
  });

  test('tells its operator of every denial: who, what and why', async () => {
    denied.length = 0;
    await call(open, 'add', sum, { host: 'evil.example' });
    await call(open, 'add', sum, { origin: 'https://evil.example' });
    await call(closed, 'add', sum, {});
    await call(closed, 'Pay', { amount: 1 }, { 'x-api-key': adder.key, 'x-trace-id': 'trace-7' });
    await call(closed, 'add', sum, { 'x-api-key': adder.key, 'x-tenant-id': 'other' });
    expect(denied.map(({ reason }) => reason)).toEqual(['host', 'origin', 'unauthenticated', 'forbidden', 'tenant']);
    expect(denied[3]).toMatchObject({
      tool: 'pay',
      tenantId: 'acme',
      keyId: 'adder',
      subject: 'ann',
      method: 'POST',
      path: '/v1/tools/Pay',
      traceId: 'trace-7',
    });
    expect(JSON.stringify(denied)).not.toContain(adder.key);
  });

  test('tells its operator of calls that a policy denied', async () => {
    const records: EventOf<'denied'>[] = [];
    const guarded = createToolbox(sampleTools, { report: () => {}, use: [policy({ policies: [() => deny('not today')] })] });
    guarded.subscribe((event) => event.type === 'denied' && records.push(event));
    const served = await serve(way, guarded);
    expect((await call(served, 'add', sum, {})).status).toBe(403);
    expect(records).toMatchObject([{ reason: 'denied', tool: 'add' }]);
    await served.close();
  });

  test('counts requests by key and by tenant, and tells when to come back', async () => {
    const served = await serve(way, toolbox, { auth, limits: { perKey: { limit: 2 }, perTenant: { limit: 3, windowMs: 30_000 } } });
    const statuses: number[] = [];
    for (const key of [full, full, full, adder, adder, searcher])
      statuses.push((await call(served, 'rag:search', { query: 'x' }, { 'x-api-key': key.key })).status);
    expect(statuses).toEqual([200, 200, 429, 403, 429, 200]);
    const refused = await call(served, 'add', sum, { 'x-api-key': full.key });
    expect([refused.json.error.kind, Number(refused.headers['retry-after']) > 0]).toEqual(['rate_limited', true]);
    await served.close();
  });

  test('takes pages of its own host behind a proxy, which may add the port that the scheme has anyway', async () => {
    const served = await serve(way, toolbox, { auth, hosts: ['tools.example.com'] });
    const statuses: number[] = [];
    for (const [host, origin] of [
      ['tools.example.com', 'https://tools.example.com'],
      ['tools.example.com:443', 'https://tools.example.com'],
      ['tools.example.com:443', 'http://tools.example.com'],
      ['tools.example.com', 'https://tools.example.com:8443'],
      ['tools.example.com:8443', 'https://tools.example.com'],
    ] as const) {
      statuses.push((await call(served, 'add', sum, { host, origin, 'x-api-key': full.key })).status);
    }
    expect(statuses).toEqual([200, 200, 403, 403, 403]);
    await served.close();
  });

  test('lets pages of the origins it names call, and reads their preflights', async () => {
    const origin = 'https://app.example.com';
    const served = await serve(way, toolbox, { origins: [origin] });
    const { status, headers } = await call(served, 'add', sum, { origin });
    expect([status, headers['access-control-allow-origin'], headers.vary]).toEqual([200, origin, 'origin']);
    const preflight = await served.send('OPTIONS', '/v1/tools/add', { headers: { origin, 'access-control-request-method': 'POST' } });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, origin]);
    expect((await call(served, 'add', sum, { origin: 'https://app.example.com.evil.example' })).status).toBe(403);
    await served.close();
  });

  test('says that it cannot tell who asks when nobody can', async () => {
    const served = await serve(way, toolbox, {
      auth: () => {
        throw new Error('down at /srv/auth.js');
      },
    });
    const { status, headers, text } = await call(served, 'add', sum, {});
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    expect(text).not.toContain('/srv');
    await served.close();
  });
});

test('callers that share a connection stay apart', async () => {
  const served = await serve('listener', toolbox, { auth });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ports = new Set<unknown>();
  const whoami = (key: string): Promise<Received> =>
    sendByHttp(`${served.url}/v1/tools/rag:search`, 'POST', { body: { query: 'x' }, headers: { 'x-api-key': key } }, agent);
  agent.on('free', (socket: Socket) => ports.add(socket.localPort));
  const tenants: unknown[] = [];
  for (const { key } of [full, searcher, full, adder]) {
    const { status, json } = await whoami(key);
    tenants.push(status === 200 ? json.meta.tenantId : status);
  }
  expect(tenants).toEqual(['acme', 'other', 'acme', 403]);
  expect(ports.size).toBe(1);
  agent.destroy();
  await served.close();
});

describe('tokens', () => {
  let keys: Awaited<ReturnType<typeof generateKeyPair>>;
  let published: object;
  let asked = 0;
  const issuer = 'https://issuer.example';
  const audience = 'tools';
  const http = createHttpServer((_, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(published));
  });
  let jwks: string;
  beforeAll(async () => {
    keys = await generateKeyPair('ES256');
    published = { keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' }] };
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    jwks = `http://127.0.0.1:${(http.address() as AddressInfo).port}/jwks.json`;
  });
  afterAll(() => void http.close());

  const sign = (claims: Record<string, unknown>, change: (token: SignJWT) => SignJWT = (token) => token, key = keys.privateKey) => {
    const token = new SignJWT({ tenant_id: 'acme', scope: 'tools:call:add', ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject('ann')
      .setExpirationTime('1m');
    return change(token).sign(key);
  };
  const lasting = () =>
    new SignJWT({ tenant_id: 'acme', scope: '*', iss: issuer, aud: audience }).setProtectedHeader({ alg: 'ES256' }).sign(keys.privateKey);
  const callWith = async (served: Served, token: string, tool = 'add') =>
    served.send('POST', `/v1/tools/${tool}`, { body: sum, headers: { authorization: `Bearer ${token}` } });

  test('of the issuer bring tenant, user and scopes; all others are refused', async () => {
    const served = await serve('listener', toolbox, { auth: [auth, jwt({ issuer, audience, algorithms: ['ES256'], jwks })] });
    const good = await callWith(served, await sign({}));
    expect([good.status, good.json.meta.tenantId]).toEqual([200, 'acme']);
    expect((await callWith(served, await sign({ scope: ['tools:call:*'] }), 'whoami')).json.data.userId).toBe('ann');
    expect((await callWith(served, await sign({}), 'pay')).status).toBe(403);
    expect((await callWith(served, await sign({ scope: undefined }))).status).toBe(403);
    const stranger = await generateKeyPair('ES256');
    const [head = '', body = ''] = (await sign({})).split('.');
    const bad = [
      await sign({}, (token) => token.setIssuer('https://evil.example')),
      await sign({}, (token) => token.setAudience('others')),
      await sign({}, (token) => token.setExpirationTime('-1m')),
      await sign({}, (token) => token.setNotBefore('10m')),
      await sign({ tenant_id: undefined }),
      await sign({ tenant_id: '' }),
      await lasting(),
      await sign({}, (token) => token, stranger.privateKey),
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`,
      `${head}.${Buffer.from('{"tenant_id":"other"}').toString('base64url')}.AAAA`,
      'not.a.token',
    ];
    for (const token of bad) expect([token, (await callWith(served, token)).status]).toEqual([token, 401]);
    expect((await callWith(served, full.key)).status).toBe(200);
    expect(asked).toBe(1);
    await served.close();
  });

  test('cannot be judged while the keys cannot be had', async () => {
    const served = await serve('listener', toolbox, {
      auth: jwt({ issuer, audience, algorithms: ['ES256'], jwks: 'http://127.0.0.1:1/jwks.json' }),
    });
    expect((await callWith(served, await sign({}))).status).toBe(503);
    await served.close();
  });

  test.each([
    [{ algorithms: ['HS256'] }, /algorithm "HS256"/],
    [{ algorithms: ['none'] }, /algorithm "none"/],
    [{ algorithms: [] }, /needs algorithms/],
    [{ issuer: '' }, /needs issuer/],
    [{ audience: [] }, /needs audience/],
    [{ jwks: 'http://issuer.example/jwks' }, /must be https/],
    [{ jwks: { keys: [] } }, /needs jwks/],
    [{ ignoreExpiration: true }, /the option "ignoreExpiration" does not exist/],
  ])('are not judged by settings that leave something open: %j', (change, message) => {
    const sound = { issuer, audience, algorithms: ['ES256'], jwks: 'https://issuer.example/jwks' };
    expect(() => jwt({ ...sound, ...change } as never)).toThrow(message);
    expect(() => jwt(sound)).not.toThrow();
  });
});

test('denials are written to the console when no listener hears them, once per reason and caller a minute', async () => {
  const lines: unknown[] = [];
  const { warn } = console;
  console.warn = (line: unknown) => lines.push(line);
  try {
    const server = createServer(toolbox, { auth });
    for (let count = 0; count < 3; count += 1) {
      await server.fetch(new Request('http://127.0.0.1/v1/tools/add', { method: 'POST' }));
    }
    await server.fetch(new Request('http://evil.example/v1/tools/add', { method: 'POST' }));
  } finally {
    console.warn = warn;
  }
  expect(lines).toEqual([expect.stringContaining('"reason":"unauthenticated"'), expect.stringContaining('"reason":"host"')]);
});
