import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createToolbox, toModelText } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApiOptions, fromOpenApi as readOpenApi } from './index.ts';

// A small but nasty API: it answers with what it was asked, or in one of the ways that real ones break.
let server: Server;
let origin = '';
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const { pathname } = new URL(request.url ?? '/', 'http://x');
  asked.push(`${request.method} ${request.url}`);
  const body = await bodyOf(request);
  const json = (status: number, value: unknown, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  const answers: Record<string, () => unknown> = {
    '/limited': () => json(429, { error: { message: 'slow down' } }, { 'retry-after': '8' }),
    '/broken': () => json(500, { message: 'NullPointer in /srv/app/db.js' }),
    '/overloaded': () => response.writeHead(503, { 'content-type': 'text/html' }).end('<html><body>Sorry</body></html>'),
    '/page': () => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>'),
    '/garbage': () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": oops'),
    '/truncated': () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' }).write('{"a": 1');
      setImmediate(() => response.destroy());
    },
    '/slow': () => undefined,
    '/loop': () => response.writeHead(302, { location: '/loop' }).end(),
    '/created': () => response.writeHead(303, { location: '/limited' }).end(),
    '/created-then-gone': () => response.writeHead(302, { location: '/gone' }).end(),
    '/moved-then-limited': () => response.writeHead(307, { location: '/limited' }).end(),
    '/moved': () => response.writeHead(307, { location: '/echo?moved=yes' }).end(),
    '/elsewhere': () => response.writeHead(302, { location: 'http://198.51.100.7/steal?key=1' }).end(),
    '/archive': () => response.writeHead(302, { location: 'https://files.example.com/a.zip' }).end(),
    '/gone': () => json(404, { message: 'no such pet', request: request.headers.authorization ?? null }, { 'x-request-id': 'req_7' }),
    '/refused': () => json(422, { message: 'name must not hold signs', errors: [{ field: 'name' }] }),
    '/hidden-limit': () => json(403, { message: 'API rate limit exceeded' }, { 'retry-after': '3' }),
    '/rejected': () => json(401, { error: `bad key ${request.headers['x-key']}` }),
    '/flaky': () =>
      asked.filter((line) => line === 'GET /flaky').length % 2 === 1 ? json(503, {}, { 'retry-after': '0' }) : json(200, { fine: true }),
    '/named-text': () => response.writeHead(200, { 'content-type': 'text/plain' }).end('{"count": 3}'),
    '/plain-refusal': () => response.writeHead(400, { 'content-type': 'text/plain' }).end('{"message": "bad date"}'),
    '/empty': () => response.writeHead(204).end(),
    '/image': () => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([1, 2, 3])),
    '/plain': () => response.writeHead(200, { 'content-type': 'text/plain' }).end('hello'),
    '/huge': () => json(200, 'x'.repeat(5_000)),
    '/huge-failure': () => json(404, 'x'.repeat(5_000)),
    '/odd': () => json(200, { count: 'three' }),
    '/extra': () => json(200, { count: 3, added: 'later' }),
    '/head': () => response.writeHead(200, { etag: '"1"', 'set-cookie': 's=1' }).end(),
  };
  const answer = answers[pathname];
  if (answer !== undefined) return answer();
  return json(200, { method: request.method, url: request.url, headers: request.headers, body });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

type Operation = Record<string, unknown>;
const good = { responses: { 200: { description: 'ok' } } };
const text = { type: 'string' };

function apiOf(paths: Record<string, Record<string, Operation>>, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { openapi: '3.0.3', info: { title: 'nasty', version: '1' }, servers: [{ url: origin }], paths, ...more };
}

/** The server of these tests is inside this network, which a description may not name by itself. */
function fromOpenApi(api: object | string, options: OpenApiOptions = {}) {
  return readOpenApi(api, { servers: [origin], ...options });
}

/** Calls the only operation of an API. */
async function call(api: object, input: Record<string, unknown> = {}, options: OpenApiOptions = {}, context: object = {}) {
  const { tools, skipped } = fromOpenApi(api, options);
  expect(skipped).toEqual([]);
  const toolbox = createToolbox(tools, { report: () => undefined });
  return toolbox.call(tools[0]?.name as string, input as never, context as never);
}

/** Returns the request that the server received. */
async function echo(
  ...args: Parameters<typeof call>
): Promise<{ method: string; url: string; headers: Record<string, string>; body: string }> {
  const outcome = await call(...args);
  expect(outcome).toMatchObject({ status: 'ok' });
  return (outcome as unknown as { data: never }).data;
}

/** Returns the only operation of an API as a model sees it. */
function listedOf(api: object) {
  return createToolbox(fromOpenApi(api).tools).list()[0];
}

function parameter(name: string, place: string, schema: object = text, more: object = {}): Operation {
  return { name, in: place, required: place === 'path', schema, ...more };
}

describe('parameters', () => {
  test('may have the names of what every object has', async () => {
    const api = apiOf({
      '/echo': { get: { ...good, parameters: [parameter('__proto__', 'query'), parameter('valueOf', 'query'), parameter('q', 'query')] } },
    });
    expect(listedOf(api)).toMatchObject({ inputSchema: { properties: { proto: text, valueOf: text, q: text } } });
    expect(await echo(api, { proto: 'a', valueOf: 'b' })).toMatchObject({ url: '/echo?__proto__=a&valueOf=b' });
  });

  test('may be a flood, also of equal names', () => {
    const parameters = Array.from({ length: 5_000 }, (_, index) => parameter(`[${'!'.repeat(index)}`, 'query', {}));
    const { properties } = listedOf(apiOf({ '/echo': { get: { ...good, parameters } } }))?.inputSchema ?? {};
    expect(Object.keys(properties as object)).toHaveLength(5_000);
  });

  test('are described without half a character, where a description is cut', () => {
    const long = 'xx\u{1f600}'.repeat(1000);
    const operation = { ...good, description: long, parameters: [parameter('q', 'query', { type: 'string' }, { description: long })] };
    const listed = JSON.stringify(listedOf(apiOf({ '/echo': { get: operation } })), (_, value) => value?.isWellFormed?.() ?? value);
    expect(listed).toMatch(/"description":true.*"q":\{"type":true,"description":true\}/);
  });

  test('that are not given are not sent, whatever they are called', async () => {
    const api = apiOf({
      '/echo': {
        post: {
          ...good,
          parameters: [parameter('valueOf', 'query', {})],
          requestBody: { required: true, content: { 'application/json': { schema: { properties: { constructor: {}, name: text } } } } },
        },
      },
    });
    expect(await echo(api, { name: 'n' })).toMatchObject({ url: '/echo', body: '{"name":"n"}' });
  });

  test('go where the description says, in its style', async () => {
    const api = apiOf({
      '/echo/{id}/{tags}': {
        parameters: [
          parameter('id', 'path', { type: 'integer' }),
          parameter('tags', 'path', { type: 'array', items: text }, { style: 'matrix' }),
        ] as never,
        get: {
          ...good,
          parameters: [
            parameter('sort', 'query', { type: 'array', items: text }, { explode: false }),
            parameter('filter', 'query', { type: 'object' }, { style: 'deepObject' }),
            parameter('page[size]', 'query', { type: 'integer' }),
            parameter('where', 'query', undefined, { schema: undefined, content: { 'application/json': { schema: { type: 'object' } } } }),
            parameter('X-Trace', 'header'),
            parameter('theme', 'cookie'),
          ],
        },
      },
    });
    const input = {
      id: 7,
      tags: ['a', 'b/c'],
      sort: ['x', 'y'],
      filter: { a: 1 },
      page_size: 5,
      where: { n: 1 },
      'X-Trace': 't',
      theme: 'dark; x',
    };
    const seen = await echo(api, input);
    expect(seen.url).toBe('/echo/7/;tags=a,b%2Fc?sort=x,y&filter%5Ba%5D=1&page%5Bsize%5D=5&where=%7B%22n%22%3A1%7D');
    expect(seen.headers).toMatchObject({ 'x-trace': 't', cookie: 'theme=dark%3B%20x', 'user-agent': 'toolpact' });
  });

  test('whose content is a text are written as they are', async () => {
    const content = (type: string) => ({ schema: undefined, content: { [type]: { schema: text } } });
    const parameters = [parameter('a', 'query', text, content('text/plain')), parameter('b', 'query', text, content('application/json'))];
    const seen = await echo(apiOf({ '/echo': { get: { ...good, parameters } } }), { a: 'x y', b: 'z' });
    expect(seen.url).toBe('/echo?a=x%20y&b=%22z%22');
  });

  test('that share a name are grouped by where they go', async () => {
    const body = {
      required: true,
      content: { 'application/json': { schema: { type: 'object', properties: { id: text }, required: ['id'] } } },
    };
    const api = apiOf({
      '/echo/{id}': { post: { ...good, parameters: [parameter('id', 'path'), parameter('id', 'query')], requestBody: body } },
    });
    const { tools } = fromOpenApi(api);
    expect(createToolbox(tools).list()[0]?.inputSchema).toMatchObject({
      properties: { path: { required: ['id'] }, query: { properties: { id: text } }, body: { required: ['id'] } },
      required: ['path', 'body'],
    });
    expect(await echo(api, { path: { id: 'a' }, query: { id: 'b' }, body: { id: 'c' } })).toMatchObject({
      url: '/echo/a?id=b',
      body: '{"id":"c"}',
    });
  });

  test.each(['..', '.', '%2e%2e', ''])('in a path cannot be %j, which would lead elsewhere', async (id) => {
    const api = apiOf({ '/echo/{id}/x': { delete: { ...good, parameters: [parameter('id', 'path')] } } });
    const before = asked.length;
    const outcome = await call(api, { id });
    // A name that is escaped once more is like any other.
    if (id.startsWith('%')) return expect(outcome).toMatchObject({ status: 'ok', data: { url: '/echo/%252e%252e/x' } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', effect: 'none' } });
    expect(asked).toHaveLength(before);
  });

  test.each<[string, object, string]>([
    // Descriptions of AWS keep operations of one path apart by fragments, which are never sent.
    ['/echo/#Action=List', { Action: 'List' }, '/echo/?Action=List'],
    ['/echo?beta=true', { Action: 'List' }, '/echo?beta=true&Action=List'],
    ['/echo?id={id}#x', { id: 'a?b&c#d' }, '/echo?id=a%3Fb%26c%23d'],
    ['/echo/{id}', { id: 'a?b#c' }, '/echo/a%3Fb%23c'],
  ])('reach the address that the path %s stands for', async (path, input, url) => {
    const api = apiOf({ [path]: { get: { ...good, parameters: [parameter('Action', 'query')] } } });
    expect(await echo(api, { ...input })).toMatchObject({ url });
  });

  test('in a path with a query cannot lead elsewhere either', async () => {
    const api = apiOf({ '/echo/x/{id}?beta=true': { delete: { ...good, parameters: [parameter('id', 'path')] } } });
    expect(await call(api, { id: '..' })).toMatchObject({ status: 'error', error: { kind: 'invalid_input', effect: 'none' } });
  });

  test('that a path leaves open without a word about them are texts', async () => {
    expect(await echo(apiOf({ '/echo/{id}': { get: good } }), { id: 'a b' })).toMatchObject({ url: '/echo/a%20b' });
  });

  test('with line breaks do not become headers', async () => {
    const api = apiOf({ '/echo': { get: { ...good, parameters: [parameter('X-A', 'header')] } } });
    expect(await call(api, { 'X-A': 'a\r\nX-Evil: 1' })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  });

  describe('that are whole numbers beyond 2^53', () => {
    const id = parameter('id', 'path', { type: 'integer', format: 'int64' });
    const others = parameter('others', 'query', { type: 'array', items: { type: 'integer' } });
    const api = () => apiOf({ '/echo/{id}': { delete: { ...good, parameters: [id, others] } } });

    test('are sent with all their digits when they come as texts', async () => {
      const input = { id: '1234567890123456789', others: ['-1234567890123456789', 5] };
      expect(await echo(api(), input)).toMatchObject({ url: '/echo/1234567890123456789?others=-1234567890123456789&others=5' });
      expect(listedOf(api())?.inputSchema.properties).toMatchObject({ id: { type: 'integer', format: 'int64' } });
    });

    test.each([{ id: 2 ** 53 }, { id: 1, others: [-(2 ** 60)] }])('are refused when they are rounded already: %j', async (input) => {
      const before = asked.length;
      expect(await call(api(), input)).toMatchObject({ status: 'error', error: { kind: 'invalid_input', effect: 'none' } });
      expect(asked).toHaveLength(before);
    });

    test.each(['12', 'x'.repeat(20), '1234567890123456789 or 1=1'])('are not any other text: %j', async (text) => {
      const outcome = await call(api(), { id: text });
      expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', issues: [{ path: ['id'], problem: 'type' }] } });
    });
  });

  test('that the application fills in are neither shown nor taken from the model', async () => {
    const api = apiOf({
      '/echo': {
        get: { ...good, parameters: [parameter('version', 'query', text, { required: true }), parameter('access_token', 'query')] },
      },
    });
    const options = { preset: { version: '2' } };
    expect(createToolbox(fromOpenApi(api, options).tools).list()[0]?.inputSchema.properties).toEqual({});
    expect(await echo(api, {}, options)).toMatchObject({ url: '/echo?version=2' });
    expect(await call(api, { version: '3' }, options)).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  });
});

describe('bodies', () => {
  const fields = {
    type: 'object',
    properties: { name: text, tags: { type: 'array', items: text }, at: { type: 'object' } },
    required: ['name'],
  };
  const bodyIn = (type: string, schema: object = fields, more: object = {}) =>
    apiOf({ '/echo': { post: { ...good, requestBody: { required: true, content: { [type]: { schema, ...more } } } } } });

  test.each<[string, string]>([
    ['application/json', '{"name":"a b","tags":["x","y"],"at":{"b":1}}'],
    ['application/merge-patch+json', '{"name":"a b","tags":["x","y"],"at":{"b":1}}'],
    ['application/x-www-form-urlencoded', 'name=a+b&tags=x&tags=y&at%5Bb%5D=1'],
  ])('of %s are written so', async (type, written) => {
    const seen = await echo(bodyIn(type), { name: 'a b', tags: ['x', 'y'], at: { b: 1 } });
    expect([seen.headers['content-type'], seen.body]).toEqual([type, written]);
  });

  test('of several parts hold fields, JSON and files', async () => {
    const schema = { type: 'object', properties: { name: text, at: { type: 'object' }, file: { type: 'string', format: 'binary' } } };
    const seen = await echo(bodyIn('multipart/form-data', schema), {
      ...{ name: 'n', at: { b: 1 } },
      file: { base64: 'aGk=', filename: 'a.txt', contentType: 'text/plain' },
    });
    expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen.body).toContain('name="name"\r\n\r\nn\r\n');
    expect(seen.body).toContain('Content-Type: application/json\r\n\r\n{"b":1}');
    expect(seen.body).toContain('filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nhi\r\n');
  });

  test('of several parts hold an object that looks like a file as JSON, unless the description says that it is a file', async () => {
    const note = { type: 'object', properties: { text, lang: text } };
    const properties = { note, notes: { type: 'array', items: note }, file: { type: 'string', format: 'binary' }, any: {} };
    const seen = await echo(bodyIn('multipart/form-data', { type: 'object', properties }), {
      ...{ note: { text: 'hi', lang: 'en' }, notes: [{ text: 'ho' }] },
      file: { text: 'hello' },
      any: { text: 'anything', filename: 'any.txt' },
    });
    expect(seen.body).toContain('filename="any.txt"');
    expect(seen.body).toContain('Content-Type: application/json\r\n\r\n{"text":"hi","lang":"en"}');
    expect(seen.body).toContain('Content-Type: application/json\r\n\r\n{"text":"ho"}');
    expect(seen.body).toContain('Content-Type: application/octet-stream\r\n\r\nhello\r\n');
    const open = await echo(bodyIn('multipart/form-data', { type: 'object' }), { body: { file: { text: 'hello', filename: 'a.txt' } } });
    expect(open.body).toContain('filename="a.txt"');
  });

  test('of several parts hold a list in one part where the description says so', async () => {
    const list = { type: 'array', items: text };
    const schema = { type: 'object', properties: { each: list, commas: list, pipes: list } };
    const encoding = { commas: { explode: false }, pipes: { style: 'pipeDelimited', explode: false } };
    const two = ['x', 'y'];
    const seen = await echo(bodyIn('multipart/form-data', schema, { encoding }), { each: two, commas: two, pipes: two });
    const parts = [...seen.body.matchAll(/name="(\w+)"\r\n\r\n(.*)\r\n/g)].map(([, name, value]) => `${name}=${value}`);
    expect(parts).toEqual(['each=x', 'each=y', 'commas=x,y', 'pipes=x|y']);
  });

  test.each<[string, unknown, string]>([
    ['text/plain', 'hello', 'hello'],
    ['application/xml', '<a/>', '<a/>'],
    ['application/octet-stream', { base64: 'aGk=' }, 'hi'],
  ])('of %s are one argument', async (type, body, written) => {
    expect(await echo(bodyIn(type), { body })).toMatchObject({ body: written, headers: { 'content-type': type } });
  });

  test('that are no plain object are one argument', async () => {
    expect(await echo(bodyIn('application/json', { type: 'array', items: text }), { body: ['a'] })).toMatchObject({ body: '["a"]' });
  });

  test('that may be left out as a whole, but not in part, are one argument', async () => {
    const api = apiOf({ '/echo': { post: { ...good, requestBody: { content: { 'application/json': { schema: fields } } } } } });
    expect(await echo(api)).toMatchObject({ body: '' });
    expect(await echo(api, { body: { name: 'n' } })).toMatchObject({ body: '{"name":"n"}' });
  });

  test('need no field that only answers have, also where another place of the description says so', async () => {
    const schemas = { Id: { type: 'string', readOnly: true } };
    const schema = { type: 'object', required: ['id', 'name'], properties: { id: { $ref: '#/components/schemas/Id' }, name: text } };
    const api = { ...bodyIn('application/json', schema), components: { schemas } };
    expect(await echo(api, { name: 'n' })).toMatchObject({ body: '{"name":"n"}' });
  });

  test('of one of several kinds, told apart by a field, may look like more than one of them', async () => {
    const kind = (field: string) => ({ type: 'object', required: ['kind'], properties: { kind: text, [field]: { type: 'boolean' } } });
    const schema = { oneOf: [kind('meows'), kind('barks')], discriminator: { propertyName: 'kind' } };
    const api = bodyIn('application/json', schema);
    expect(await echo(api, { body: { kind: 'cat', meows: true } })).toMatchObject({ body: '{"kind":"cat","meows":true}' });
    expect(await call(api, { body: { meows: true } })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  });

  test('are checked before anything is sent', async () => {
    const before = asked.length;
    expect(await call(bodyIn('application/json'), { name: 5 })).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_input', effect: 'none', issues: [{ path: ['name'], problem: 'type' }] },
    });
    expect(await call(bodyIn('application/octet-stream'), { body: { base64: '*' } })).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_input', effect: 'none' },
    });
    expect(asked).toHaveLength(before);
  });
});

describe('credentials', () => {
  const secret = 'qwertz-12345-geheim';
  const schemes = {
    key: { type: 'apiKey', in: 'header', name: 'X-Key' },
    queryKey: { type: 'apiKey', in: 'query', name: 'key' },
    cookieKey: { type: 'apiKey', in: 'cookie', name: 'sid' },
    login: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    oauth: { type: 'oauth2', flows: {} },
    oidc: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
    custom: { type: 'http', scheme: 'Bot' },
    tls: { type: 'mutualTLS' },
  };
  const secured = (security: unknown, path = '/echo', operation: object = {}) =>
    apiOf({ [path]: { get: { ...good, security, ...operation } } }, { components: { securitySchemes: schemes } });

  // The answer repeats what was sent, and the tool takes the credential out again: the server's own record tells.
  test.each<[keyof typeof schemes, OpenApiOptions['auth'], (seen: IncomingMessage) => unknown, unknown]>([
    ['key', { key: secret }, ({ headers }) => headers['x-key'], secret],
    ['queryKey', { queryKey: `${secret}&x` }, ({ url }) => url, `/echo?key=${secret}%26x`],
    ['cookieKey', { cookieKey: secret }, ({ headers }) => headers.cookie, `sid=${secret}`],
    ['login', { login: { username: 'ann', password: secret } }, ({ headers }) => headers.authorization, `Basic ${btoa(`ann:${secret}`)}`],
    ['login', { login: `ann:${secret}` }, ({ headers }) => headers.authorization, `Basic ${btoa(`ann:${secret}`)}`],
    ['bearer', { bearer: secret }, ({ headers }) => headers.authorization, `Bearer ${secret}`],
    ['oauth', { oauth: async () => secret }, ({ headers }) => headers.authorization, `Bearer ${secret}`],
    ['oidc', { oidc: secret }, ({ headers }) => headers.authorization, `Bearer ${secret}`],
    ['custom', { custom: secret }, ({ headers }) => headers.authorization, `Bot ${secret}`],
    ['tls', { tls: { headers: { 'x-cert': secret } } }, ({ headers }) => headers['x-cert'], secret],
  ])('of %s are sent as the description says, and never come back', async (scheme, auth, look, sent) => {
    let seen: unknown;
    server.once('request', (request) => {
      seen = look(request);
    });
    const outcome = await call(secured([{ [scheme]: [] }]), {}, { auth: auth ?? {} });
    expect(seen).toBe(sent);
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(JSON.stringify(outcome)).not.toContain(secret);
    expect(JSON.stringify(outcome)).not.toContain(btoa(`ann:${secret}`));
  });

  test.each([
    ['s%3Aabc.def/+==', 's%3Aabc.def/+=='],
    ['a; admin=1, "b"', 'a%3B%20admin%3D1%2C%20%22b%22'],
  ])('in a cookie are sent as they are, unless a cookie cannot hold them: %s', async (value, sent) => {
    const schemes = { components: { securitySchemes: { sid: { type: 'apiKey', in: 'cookie', name: 'sid' } } } };
    let cookie: string | null = '';
    const fetch = async (_: string, init: RequestInit) => {
      cookie = new Headers(init.headers).get('cookie');
      return Response.json({});
    };
    await call(apiOf({ '/echo': { get: { ...good, security: [{ sid: [] }] } } }, schemes), {}, { auth: { sid: value }, fetch });
    expect(cookie).toBe(`sid=${sent}`);
  });

  test('can depend on the call', async () => {
    const auth = { bearer: (context: { tenantId: string }) => (context.tenantId === 'acme' ? 'token-of-acme' : undefined) };
    let seen: unknown;
    server.once('request', ({ headers }) => {
      seen = headers.authorization;
    });
    expect(await call(secured([{ bearer: [] }]), {}, { auth }, { tenantId: 'acme' })).toMatchObject({ status: 'ok' });
    expect(seen).toBe('Bearer token-of-acme');
    for (const own of [auth, { bearer: () => '' }])
      expect(await call(secured([{ bearer: [] }]), {}, { auth: own })).toMatchObject({
        status: 'error',
        error: { kind: 'unauthenticated', effect: 'none', message: 'This caller has no credential for bearer.' },
      });
  });

  test('that cannot be had leave the world as it was, also for writing operations', async () => {
    const api = apiOf({ '/echo': { post: { ...good, security: [{ bearer: [] }] } } }, { components: { securitySchemes: schemes } });
    const bearer = () => Promise.reject(new Error('the vault is sealed'));
    expect(await call(api, {}, { auth: { bearer } })).toMatchObject({ status: 'error', error: { effect: 'none' } });
  });

  test('that are not configured are asked for by name, before anything is sent', async () => {
    const before = asked.length;
    const outcome = await call(secured([{ key: [], login: [] }, { oauth: [] }]), {}, { auth: { key: secret, oauth: '' } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_configured', effect: 'none' } });
    expect(toModelText(outcome)).toContain('key and login, or oauth');
    expect(asked).toHaveLength(before);
  });

  test('are left out where the operation works without, and sent where it can use them', async () => {
    expect((await echo(secured([{ bearer: [] }, {}]))).headers.authorization).toBeUndefined();
    expect((await echo(secured([{}, { bearer: [] }]), {}, { auth: { bearer: 'abc' } })).headers.authorization).toBe('Bearer abc');
  });

  test('are sent everywhere where a description names schemes but asks for none', async () => {
    const api = apiOf({ '/echo': { get: good } }, { components: { securitySchemes: schemes } });
    expect((await echo(api, {}, { auth: { custom: 'abc' } })).headers.authorization).toBe('Bot abc');
  });

  test('are sent as the whole description asks, and no others', async () => {
    const api = apiOf({ '/echo': { get: good } }, { components: { securitySchemes: schemes }, security: [{ bearer: [] }] });
    let sent: Record<string, unknown> = {};
    server.once('request', ({ headers }) => {
      sent = headers;
    });
    await echo(api, {}, { auth: { key: secret, bearer: 'abc' } });
    expect([sent.authorization, sent['x-key']]).toEqual(['Bearer abc', undefined]);
  });

  test('are no argument of the model, even where the description lists them as a parameter too', () => {
    const { tools } = fromOpenApi(
      secured([{ key: [] }], '/echo', { parameters: [parameter('x-key', 'header'), parameter('Authorization', 'header')] }),
    );
    expect(createToolbox(tools).list()[0]?.inputSchema.properties).toEqual({});
  });

  test('do not appear in failures that quote them', async () => {
    const outcome = await call(secured([{ key: [] }], '/rejected', { responses: { 200: {}, 401: {} } }), {}, { auth: { key: secret } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'unauthenticated', code: 'http_401', recovery: 'reauth' } });
    expect(JSON.stringify(outcome)).not.toContain(secret);
  });

  test('do not come back when they are sent by headers or presets of the application', async () => {
    const api = apiOf({ '/echo': { get: { ...good, parameters: [parameter('token', 'query', text, { required: true })] } } });
    const options = { headers: { authorization: `Bearer ${secret}` }, preset: { token: () => `${secret}-preset` } };
    const seen = await echo(api, {}, options);
    expect(seen).toMatchObject({ url: '/echo?token=[redacted]', headers: { authorization: expect.stringContaining('[redacted]') } });
    expect(JSON.stringify(seen)).not.toContain(secret);
  });

  test('do not follow a redirect to another server', async () => {
    const outcome = await call(secured([{ key: [] }], '/elsewhere'), {}, { auth: { key: secret } });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'bad_response', message: expect.stringContaining('198.51.100.7') } });
  });

  test('do not follow a redirect to another protocol, which is named', async () => {
    const secure = `${origin.replace('http:', 'https:')}/echo`;
    const fetch = async () => new Response(null, { status: 301, headers: { location: secure } });
    expect(await call(apiOf({ '/echo': { get: good } }), {}, { fetch })).toMatchObject({
      error: { message: `The API redirects to another server (${new URL(secure).origin}), which is not followed.` },
    });
  });
});

describe('failures', () => {
  const declared = { 200: {}, 404: {}, 422: {}, 429: {}, 403: {}, '5XX': {} };
  const at = (path: string, method = 'get', responses: object = declared) => apiOf({ [path]: { [method]: { responses } } });

  test.each<[string, string, object]>([
    [
      '/limited',
      'get',
      { kind: 'rate_limited', code: 'http_429', retryable: true, retryAfterMs: 8000, recovery: 'wait', upstream: { status: 429 } },
    ],
    ['/limited', 'post', { kind: 'rate_limited', retryable: true, retryAfterMs: 8000, effect: 'none' }],
    ['/hidden-limit', 'get', { kind: 'rate_limited', code: 'http_403', retryAfterMs: 3000 }],
    [
      '/gone',
      'get',
      {
        kind: 'not_found',
        code: 'http_404',
        recovery: 'fix_input',
        upstream: { status: 404, requestId: 'req_7' },
        details: { message: 'no such pet' },
      },
    ],
    [
      '/refused',
      'post',
      { kind: 'invalid_input', code: 'http_422', effect: 'none', recovery: 'fix_input', details: { message: 'name must not hold signs' } },
    ],
    ['/plain-refusal', 'get', { kind: 'invalid_input', details: { message: 'bad date' } }],
    ['/broken', 'get', { kind: 'upstream', code: 'http_5xx', retryable: true, effect: 'none', upstream: { status: 500 } }],
    ['/broken', 'post', { kind: 'upstream', retryable: false, effect: 'unknown', recovery: 'verify' }],
    ['/broken', 'put', { kind: 'upstream', retryable: true, effect: 'unknown', recovery: 'wait' }],
    ['/overloaded', 'get', { kind: 'upstream', code: 'http_5xx', retryable: true, upstream: { status: 503 } }],
    ['/page', 'get', { kind: 'bad_response', message: expect.stringContaining('text/html') }],
    ['/garbage', 'get', { kind: 'bad_response' }],
    ['/garbage', 'post', { kind: 'bad_response', effect: 'applied' }],
    ['/garbage', 'put', { kind: 'bad_response', effect: 'applied' }],
    ['/page', 'delete', { kind: 'bad_response', effect: 'applied' }],
    ['/truncated', 'get', { kind: 'unreachable' }],
    ['/loop', 'get', { kind: 'bad_response', message: expect.stringContaining('circle') }],
    // The API has done something before it sent the caller to read its result.
    ['/created', 'post', { kind: 'upstream', effect: 'unknown', retryable: false, recovery: 'verify', upstream: { status: 429 } }],
    ['/created-then-gone', 'post', { kind: 'upstream', effect: 'unknown', recovery: 'verify', upstream: { status: 404 } }],
    ['/created', 'get', { kind: 'rate_limited', effect: 'none', retryable: true }],
    ['/moved-then-limited', 'post', { kind: 'rate_limited', effect: 'none', retryable: true }],
  ])('%s by %s is reported as %j', async (path, method, error) => {
    const json = { 200: { content: { 'application/json': {} } } };
    expect(await call(at(path, method, { ...declared, ...json }))).toMatchObject({ status: 'error', error });
  });

  test('that are not declared have no code', async () => {
    const outcome = await call(at('/gone', 'get', { 200: {} }));
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'not_found' } });
    expect('error' in outcome && 'code' in outcome.error).toBe(false);
  });

  test('declared as the default have the code of the default', async () => {
    expect(await call(at('/gone', 'get', { 200: {}, default: {} }))).toMatchObject({ error: { kind: 'not_found', code: 'http_default' } });
  });

  test('tell the model what the API said about the request, and nothing of how it broke', async () => {
    expect(toModelText(await call(at('/refused', 'post')))).toBe(
      `[error: invalid_input/http_422] name must not hold signs (HTTP 422)\nNext: Change the arguments before trying again.`,
    );
    expect(toModelText(await call(at('/broken')))).not.toContain('NullPointer');
  });

  test('of a server that redirects in a circle come after a few requests', async () => {
    const before = asked.length;
    await call(at('/loop'));
    expect(asked.slice(before)).toEqual(Array(6).fill('GET /loop'));
  });

  test('of a server that hangs are timeouts', async () => {
    expect(await call(at('/slow'), {}, { timeoutMs: 50 })).toMatchObject({ status: 'error', error: { kind: 'timeout', retryable: true } });
    expect(await call(at('/slow', 'post'), {}, { timeoutMs: 50 })).toMatchObject({
      error: { kind: 'timeout', effect: 'unknown', recovery: 'verify' },
    });
  });

  test('of a server that is not there changed nothing', async () => {
    const outcome = await call(
      at('/x', 'post'),
      {},
      { baseUrl: 'http://127.0.0.1:1', fetch: (url, init) => fetch(url.replace(':1/', `:${closedPort}/`), init) },
    );
    expect(outcome).toMatchObject({
      status: 'error',
      error: { kind: 'unreachable', effect: 'none', retryable: true, cause: 'ECONNREFUSED' },
    });
  });

  test('of a server that is gone after it sent the caller to read the result may have changed something', async () => {
    const outcome = await call(
      at('/created', 'post'),
      {},
      { fetch: (url, init) => (init.method === 'GET' ? fetch(`http://127.0.0.1:${closedPort}/`, init) : fetch(url, init)) },
    );
    expect(outcome).toMatchObject({ error: { kind: 'unreachable', effect: 'unknown', retryable: false, cause: 'ECONNREFUSED' } });
  });

  test('of answers that are too large say so', async () => {
    expect(await call(at('/huge'), {}, { maxResponseBytes: 1000 })).toMatchObject({ error: { kind: 'too_large' } });
    expect(await call(at('/huge-failure'), {}, { maxResponseBytes: 1000 })).toMatchObject({
      error: { kind: 'not_found', code: 'http_404' },
    });
  });
});

/** A port that browsers may use and nothing listens on: its server was closed before the tests. */
let closedPort = 0;
beforeAll(async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  closedPort = (closed.address() as AddressInfo).port;
  await new Promise((resolve) => closed.close(resolve));
});

describe('answers', () => {
  const counted = {
    200: {
      content: {
        'application/json': { schema: { type: 'object', properties: { count: { type: 'integer' } }, additionalProperties: false } },
      },
    },
  };
  const listed = { 200: { content: { 'application/json': { schema: { type: 'array' } } } } };
  const at = (path: string, responses: object, method = 'get') => apiOf({ [path]: { [method]: { responses } } });

  test.each<[string, object, unknown]>([
    ['/extra', counted, { count: 3, added: 'later' }],
    ['/empty', { 204: { description: 'done' } }, null],
    ['/image', { 200: { content: { 'image/png': {} } } }, { contentType: 'image/png', size: 3, base64: 'AQID' }],
    ['/plain', { 200: { content: { 'text/plain': {} } } }, 'hello'],
    ['/named-text', counted, { count: 3 }],
    ['/archive', { ...listed, 302: { description: 'at another place' } }, { redirectedTo: 'https://files.example.com/a.zip' }],
    ['/archive', { 302: { description: 'at another place' } }, { redirectedTo: 'https://files.example.com/a.zip' }],
  ])('of %s are the data', async (path, responses, data) => {
    expect(await call(at(path, responses))).toMatchObject({ status: 'ok', data });
  });

  test('without a body are promised as such', () => {
    const { tools } = fromOpenApi(at('/empty', { 204: { description: 'done' } }, 'delete'));
    expect(createToolbox(tools).list()[0]?.outputSchema).toEqual({ type: 'null' });
  });

  test('that break their own description fail, and say where', async () => {
    expect(await call(at('/odd', counted))).toMatchObject({
      status: 'error',
      error: { kind: 'bad_response', issues: [{ path: ['count'] }], upstream: { status: 200 } },
    });
  });

  test('that break their own description are passed on with a warning where asked for', async () => {
    const { tools } = fromOpenApi(at('/odd', counted), { responses: 'lenient' });
    expect(createToolbox(tools).list()[0]?.outputSchema).toBeUndefined();
    expect(await call(at('/odd', counted), {}, { responses: 'lenient' })).toMatchObject({
      status: 'ok',
      data: { count: 'three' },
      meta: { warnings: [expect.stringContaining('count')] },
    });
  });

  test('of a HEAD request are its headers, without cookies', async () => {
    const outcome = await call(at('/head', { 200: {} }, 'head'));
    expect(outcome).toMatchObject({ status: 'ok', data: { status: 200, headers: { etag: '"1"' } } });
    expect(JSON.stringify(outcome)).not.toContain('s=1');
  });

  test('of a redirect within the server are those of its end', async () => {
    expect(await echo(at('/moved', { 200: {} }, 'post'))).toMatchObject({ method: 'POST', url: '/echo?moved=yes' });
  });
});

describe('what a description says of its tools', () => {
  test.each<[string, string]>([
    ['get', 'none'],
    ['head', 'none'],
    ['options', 'none'],
    ['put', 'idempotent'],
    ['delete', 'idempotent'],
    ['post', 'writes'],
    ['patch', 'writes'],
  ])('%s has the effects %s', (method, effects) => {
    expect(fromOpenApi(apiOf({ '/echo': { [method]: good } })).tools[0]?.effects).toBe(effects);
  });

  test('the application may know better', () => {
    const override = () => ({ effects: 'none', description: 'Searches.' }) as const;
    expect(fromOpenApi(apiOf({ '/search': { post: good } }), { override }).tools[0]).toMatchObject({
      effects: 'none',
      description: 'Searches.',
    });
    expect(() => fromOpenApi(apiOf({ '/search': { post: good } }), { override: () => ({ name: 'no name' }) })).toThrow('no name');
  });

  test.each<[OpenApiOptions, string, string | undefined]>([
    [{}, 'post', 'k1'],
    [{}, 'patch', 'k1'],
    [{}, 'get', undefined],
    [{ idempotencyHeader: false }, 'post', undefined],
  ])('with %j a %s carries the idempotency key %s', async (options, method, key) => {
    const seen = await echo(apiOf({ '/echo': { [method]: good } }), {}, options, { idempotencyKey: 'k1' });
    expect(seen.headers['idempotency-key']).toBe(key);
  });

  test('an idempotency header that the API asks for is filled in, not asked for', async () => {
    const api = apiOf({ '/echo': { post: { ...good, parameters: [parameter('X-Idem', 'header', text, { required: true })] } } });
    const options = { idempotencyHeader: 'x-idem' };
    expect((await echo(api, {}, options, { idempotencyKey: 'k2' })).headers['x-idem']).toBe('k2');
    expect((await echo(api, {}, options)).headers['x-idem']).toMatch(/^[\da-f-]{36}$/);
  });

  test('summary, description and deprecation are what the model reads', () => {
    const of = (more: object) => fromOpenApi(apiOf({ '/echo': { get: { ...good, ...more } } })).tools[0]?.description;
    expect(of({ summary: 'List pets', description: 'All of them.' })).toBe('List pets.\nAll of them.');
    expect(of({ deprecated: true })).toBe('Deprecated. GET /echo');
    expect(of({ description: 'x'.repeat(3000) })).toHaveLength(1024);
  });

  test('examples are kept where they fit', () => {
    const of = (example: unknown) =>
      fromOpenApi(
        apiOf({ '/echo': { get: { ...good, parameters: [parameter('n', 'query', { type: 'integer' }, { required: true, example })] } } }),
      ).tools[0]?.examples;
    expect(of(5)).toEqual([{ input: { n: 5 } }]);
    expect(of('five')).toEqual([]);
  });

  test('servers have variables, and the nearest ones count', async () => {
    const { port } = new URL(origin);
    const api = apiOf(
      { '/a': { get: good }, '/b': { get: { ...good, servers: [{ url: `${origin}/near` }] } } },
      { servers: [{ url: 'http://{host}:{port}/v1/', variables: { host: { default: '127.0.0.1' }, port: { default: '1' } } }] },
    );
    const options = { serverVariables: { port } };
    expect(await echo(api, {}, { ...options, include: ['GET /a'] })).toMatchObject({ url: '/v1/a' });
    expect(await echo(api, {}, { ...options, include: ['GET /b'] })).toMatchObject({ url: '/near/b' });
    expect(await echo(api, {}, { baseUrl: `${origin}/own/`, include: ['GET /b'] })).toMatchObject({ url: '/own/b' });
  });

  const elsewhere = { '/a': { get: good }, '/b': { get: { ...good, servers: [{ url: 'https://evil.example/x' }] } } };
  const inside = 'is inside this network; allow it with `servers` or give `baseUrl`';
  const notOwn = 'its server https://evil.example is not the one of the description; allow it with `servers`';

  test.each<[string, string, OpenApiOptions, string[]]>([
    ['another origin than the first server', 'https://api.example.com/v1', {}, [notOwn]],
    ['another origin than the source', 'https://api.example.com/v1', { source: 'https://api.example.com/openapi.json' }, [notOwn]],
    [
      'the source decides, not the description',
      'https://evil.example',
      { source: 'https://api.example.com/openapi.json' },
      [notOwn, notOwn],
    ],
    ['another origin with leave', 'https://api.example.com/v1', { servers: ['https://evil.example'] }, []],
    ['a description that is trusted', 'http://169.254.169.254/latest', { servers: 'any' }, []],
    ['cloud metadata', 'http://169.254.169.254/latest', {}, [`its server http://169.254.169.254 ${inside}`, notOwn]],
    ['this machine', 'http://localhost:9200', {}, [`its server http://localhost:9200 ${inside}`, notOwn]],
    ['this machine, in IPv6', 'http://[::1]:9200', {}, [`its server http://[::1]:9200 ${inside}`, notOwn]],
    ['a private network', 'http://10.1.2.3', {}, [`its server http://10.1.2.3 ${inside}`, notOwn]],
    ['an odd spelling of this machine', 'http://0x7f.1:80', {}, [`its server http://127.0.0.1 ${inside}`, notOwn]],
    ['a name of this network', 'http://vault.internal', {}, [`its server http://vault.internal ${inside}`, notOwn]],
    ['this machine as the source', '/v1', { source: 'http://127.0.0.1:8000/openapi.json' }, [notOwn]],
    ['an address of the application', 'http://10.1.2.3', { baseUrl: 'https://mine.example' }, []],
  ])('requests go to the origin of the description alone: %s', (_, url, options, whys) => {
    const { skipped } = readOpenApi(apiOf(elsewhere, { servers: [{ url }] }), options);
    expect(skipped.map(({ why }) => why)).toEqual(whys);
  });

  test('a relative server begins at the source, and without servers the source is one', async () => {
    const source = `${origin}/docs/openapi.json`;
    expect(await echo(apiOf({ '/a': { get: good } }, { servers: [{ url: '/v1' }] }), {}, { source, servers: [] })).toMatchObject({
      url: '/v1/a',
    });
    expect(await echo(apiOf({ '/a': { get: good } }, { servers: [{ url: '../v2' }] }), {}, { source, servers: [] })).toMatchObject({
      url: '/v2/a',
    });
  });

  test('fields of an argument are encoded, and stand in for no credential', async () => {
    const filter = parameter('filter', 'cookie', { type: 'object' }, { explode: true, style: 'form' });
    const search = parameter('search', 'query', { type: 'object' }, { explode: true, style: 'form' });
    const api = apiOf(
      { '/echo': { get: { ...good, parameters: [filter, search], security: [{ sid: [], key: [] }] } } },
      {
        components: {
          securitySchemes: { sid: { type: 'apiKey', in: 'cookie', name: 'sid' }, key: { type: 'apiKey', in: 'query', name: 'key' } },
        },
      },
    );
    const input = { filter: { 'x=1; session': 'EVIL', sid: 'mine', y: 'z' }, search: { key: 'mine', q: 'tea' } };
    const seen = await echo(api, input, { auth: { sid: 'secret-cookie', key: 'secret-key' } });
    expect(seen.headers.cookie).toMatch(/^x%3D1%3B%20session=EVIL; y=z; sid=[^;]+$/);
    expect(seen.url).toMatch(/^\/echo\?q=tea&key=[^&]+$/);
  });

  test.each(['..', '.', '..;', '..;a=b', '%2e%2e', '..%3b'])('a place in a path does not lead upward by %j', async (id) => {
    const api = apiOf({ '/files/{id}/x': { get: { ...good, parameters: [parameter('id', 'path', text, { allowReserved: true })] } } });
    expect(await call(api, { id })).toMatchObject(
      id.includes('%') ? { status: 'ok' } : { status: 'error', error: { kind: 'invalid_input', effect: 'none' } },
    );
  });
});

describe('under guards', () => {
  test('equal calls of a writing operation are one request, with one key', async () => {
    const { tools } = fromOpenApi(apiOf({ '/echo': { post: { ...good, operationId: 'pay' } } }), {
      override: () => ({ idempotency: { key: () => 'invoice 7' } }),
    });
    const toolbox = createToolbox(tools, { store: memoryStore() });
    const before = asked.length;
    const outcomes = [await toolbox.answer({ name: 'pay', args: {} }), await toolbox.answer({ name: 'pay', args: {} })];
    expect(asked.slice(before)).toEqual(['POST /echo']);
    expect(outcomes).toMatchObject([
      { data: { headers: { 'idempotency-key': expect.stringMatching(/./) } } },
      { meta: { replayed: true } },
    ]);
  });

  test('a reading operation is tried again after the wait that the API asks for', async () => {
    const { tools } = fromOpenApi(apiOf({ '/flaky': { get: { ...good, operationId: 'flaky' } } }), { override: () => ({ retry: {} }) });
    expect(await createToolbox(tools, { report: () => undefined }).answer({ name: 'flaky' })).toMatchObject({
      status: 'ok',
      data: { fine: true },
      meta: { attempts: 2 },
    });
  });
});

describe('operations', () => {
  test('that cannot become tools are reported and cost none of the others', () => {
    const ref = ($ref: string) => ({ ...good, parameters: [{ $ref }] });
    const { tools, skipped } = fromOpenApi(
      apiOf(
        {
          '/fine': { get: good },
          '/nowhere': { get: ref('#/components/parameters/x') },
          '/remote': { get: ref('other.yaml#/x') },
          '/web': { get: ref('https://example.com/x.json') },
          '/circle': { get: ref('#/components/parameters/loop') },
          '/body': { get: { ...good, requestBody: { required: true, content: { 'application/json': {} } } } },
          '/trace': { trace: good },
          '/stream': { get: { responses: { 200: { content: { 'text/event-stream': {} } } } } },
          '/null': { get: null as never },
          '/relative': { get: { ...good, servers: [{ url: '/v1' }] } },
          '/itself': { get: { ...good, parameters: [parameter('a', 'query', { $ref: '#/components/schemas/itself' })] } },
        },
        {
          components: {
            parameters: { loop: { $ref: '#/components/parameters/loop' } },
            schemas: { itself: { $ref: '#/components/schemas/itself' } },
          },
        },
      ),
    );
    expect(tools.map(({ name }) => name)).toEqual(['get_fine']);
    expect(skipped).toEqual([
      { operation: 'GET /nowhere', why: 'the reference "#/components/parameters/x" leads nowhere' },
      {
        operation: 'GET /remote',
        why: 'the reference "other.yaml#/x" points into another document; bundle the description into one file first',
      },
      {
        operation: 'GET /web',
        why: 'the reference "https://example.com/x.json" points into another document; bundle the description into one file first',
      },
      { operation: 'GET /circle', why: 'the reference "#/components/parameters/loop" leads back to itself' },
      { operation: 'GET /body', why: 'it needs a body, which a GET request cannot carry' },
      { operation: 'TRACE /trace', why: 'the method TRACE cannot be sent' },
      { operation: 'GET /stream', why: 'it answers with an endless stream of events' },
      { operation: 'GET /null', why: 'it is not an object' },
      { operation: 'GET /relative', why: 'its server "/v1" is not a full address; set `baseUrl`' },
      { operation: 'GET /itself', why: 'the schema itself is defined as itself' },
    ]);
  });

  test('whose path does not begin with a slash are reported, extensions of the description are not', () => {
    const { tools, skipped } = fromOpenApi(apiOf({ pets: { get: good }, 'x-internal': { get: good }, '/pets': { get: good } }));
    expect(tools).toHaveLength(1);
    expect(skipped).toEqual([{ operation: 'GET pets', why: 'its path does not begin with a slash' }]);
  });

  test('whose answers refer to nothing still become tools, with a note', () => {
    const broken = { responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/x' } } } } } };
    const { tools, notes } = fromOpenApi(apiOf({ '/a': { get: broken } }));
    expect(tools).toHaveLength(1);
    expect(notes).toEqual([{ tool: 'get_a', note: 'output not described: the reference "#/components/schemas/x" leads nowhere' }]);
  });

  test('may be kept in another place of the document', async () => {
    const pathItems = { shared: { get: good, parameters: [parameter('a', 'query')] } };
    const { tools, skipped } = fromOpenApi(
      apiOf(
        { '/a': { $ref: '#/components/pathItems/shared' } as never, '/b': { $ref: '#/nowhere' } as never },
        { openapi: '3.1.0', components: { pathItems } },
      ),
    );
    expect(tools.map(({ name }) => name)).toEqual(['get_a']);
    expect(createToolbox(tools).list()[0]?.inputSchema.properties).toEqual({ a: text });
    expect(skipped).toEqual([{ operation: 'ANY /b', why: 'the reference "#/nowhere" leads nowhere' }]);
  });

  test.each<[OpenApiOptions['include'], string[]]>([
    [undefined, ['listPets', 'addPet', 'get_shops_id']],
    [['listPets'], ['listPets']],
    [['pets'], ['listPets', 'addPet']],
    [['GET /pets'], ['listPets']],
    [['get /*'], ['listPets', 'get_shops_id']],
    [['GET /shops/{id}'], ['get_shops_id']],
    [[/Pet$/g], ['addPet']],
    [({ method }) => method === 'POST', ['addPet']],
    [[], []],
  ])('included by %s are %j', (include, names) => {
    const api = apiOf({
      '/pets': { get: { ...good, operationId: 'listPets', tags: ['pets'] }, post: { ...good, operationId: 'addPet', tags: ['pets'] } },
      '/shops/{id}': { get: good },
    });
    expect(fromOpenApi(api, include === undefined ? {} : { include }).tools.map(({ name }) => name)).toEqual(names);
  });

  test('that are deprecated are left out where asked for', () => {
    const api = apiOf({ '/a': { get: { ...good, deprecated: true } } });
    expect(fromOpenApi(api).tools).toHaveLength(1);
    expect(fromOpenApi(api, { skipDeprecated: true }).skipped).toEqual([{ operation: 'GET /a', why: 'it is deprecated' }]);
  });
});

describe('schemas', () => {
  test('may refer to each other in circles', async () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { name: text, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } },
        required: ['name'],
      },
    };
    const body = { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } };
    const api = apiOf({ '/echo': { post: { ...good, requestBody: body } } }, { components: { schemas } });
    expect(await echo(api, { name: 'a', children: [{ name: 'b', children: [] }] })).toMatchObject({ method: 'POST' });
    expect(await call(api, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toMatchObject({
      error: { kind: 'invalid_input', issues: [{ path: ['children', 0, 'children', 0, 'name'], problem: 'missing' }] },
    });
  });

  test('that are too long are described by their types further down, with a note', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`f${index}`, { type: 'string', description: 'x'.repeat(100) }]),
    );
    const schemas = {
      A: { type: 'object', properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { type: 'object', properties: wide },
    };
    const responses = { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } };
    const { tools, notes } = fromOpenApi(apiOf({ '/a': { get: { responses } } }, { components: { schemas } }), { maxSchemaChars: 500 });
    expect(createToolbox(tools).list()[0]?.outputSchema).toMatchObject({ $defs: { A: { properties: { b: {} } }, B: { type: 'object' } } });
    expect(notes).toEqual([{ tool: 'get_a', note: 'output schema shortened' }]);
  });
});

describe('descriptions', () => {
  const yaml =
    'openapi: 3.1.0\ninfo: {title: t, version: "1"}\nservers: [{url: "https://x.example"}]\npaths:\n  /pets:\n    get:\n      operationId: listPets\n';

  test('can be YAML or JSON text', () => {
    expect(fromOpenApi(yaml).tools.map(({ name }) => name)).toEqual(['listPets']);
    expect(fromOpenApi(JSON.stringify(apiOf({ '/a': { get: good } }))).tools).toHaveLength(1);
  });

  test.each<[unknown, string]>([
    ['{', 'not valid JSON'],
    ['api.json', 'not an object: give the text of a file or of an address, not its name'],
    [[], 'not an object'],
    [{ swagger: '1.2', paths: {} }, 'Swagger 1.2'],
    [{ paths: {} }, 'no version'],
    [{ openapi: '3.0.0' }, 'no paths'],
  ])('%j is none, and says why', (document, why) => {
    expect(() => fromOpenApi(document as object)).toThrow(why);
  });
});
