import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createToolbox } from 'toolpact';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenApiOptions, fromOpenApi as readOpenApi } from '../index.ts';

const server = createServer((request, response) => void respond(request, response));
async function respond(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  const body = Buffer.concat(await request.toArray()).toString('latin1');
  if (request.url === '/v2/file') return response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('abc');
  const { method, url, headers } = request;
  return response.setHeader('content-type', 'application/json').end(JSON.stringify({ method, url, headers, body, note: null }));
}
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const good = { responses: { 200: { description: 'ok', schema: { $ref: '#/definitions/Seen' } } } };

function apiOf(paths: object, more: object = {}): object {
  return {
    swagger: '2.0',
    info: { title: 'old', version: '1' },
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    basePath: '/v2',
    schemes: ['http'],
    paths,
    parameters: { limit: { name: 'limit', in: 'query', type: 'integer', maximum: 9 } },
    responses: { Gone: { description: 'gone' } },
    definitions: {
      Pet: { type: 'object', properties: { name: { type: 'string' }, id: { type: 'integer', readOnly: true } }, required: ['id', 'name'] },
      Seen: { type: 'object', properties: { url: { type: 'string' }, note: { type: 'string', 'x-nullable': true } }, required: ['url'] },
    },
    ...more,
  };
}

/** The server of these tests is inside this network, which a description may not name by itself. */
function fromOpenApi(api: object | string, options: OpenApiOptions = {}) {
  return readOpenApi(api, { servers: 'any', ...options });
}

async function call(operation: object, input: object, method = 'get', options: OpenApiOptions = {}, more: object = {}) {
  const { tools, skipped } = fromOpenApi(
    apiOf({ '/pets/{id}': { [method]: { operationId: 'op', ...good, ...operation } } }, more),
    options,
  );
  expect(skipped).toEqual([]);
  const outcome = await createToolbox(tools, { report: () => undefined }).call('op', { id: 'a/b', ...input });
  expect(outcome).toMatchObject({ status: 'ok' });
  return (outcome as unknown as { data: { url: string; method: string; body: string; headers: Record<string, string> } }).data;
}

const id = { name: 'id', in: 'path', required: true, type: 'string' };
const list = (place: string, collectionFormat?: string) => ({
  ...{ name: 'tags', in: place, type: 'array', items: { type: 'string' } },
  ...(collectionFormat !== undefined && { collectionFormat }),
});

test.each([
  [undefined, 'tags=x,y%20z'],
  ['csv', 'tags=x,y%20z'],
  ['ssv', 'tags=x%20y%20z'],
  ['tsv', 'tags=x%09y%20z'],
  ['pipes', 'tags=x%7Cy%20z'],
  ['multi', 'tags=x&tags=y%20z'],
  ['constructor', 'tags=x,y%20z'],
])('a list is written as %s', async (format, query) => {
  expect((await call({ parameters: [id, list('query', format)] }, { tags: ['x', 'y z'] })).url).toBe(`/v2/pets/a%2Fb?${query}`);
});

test('parameters of the path and by reference count, an operation’s own before them', async () => {
  const shared = [id, { $ref: '#/parameters/limit' }, { name: 'q', in: 'query', type: 'integer' }];
  const own = [
    { name: 'q', in: 'query', type: 'string' },
    { name: 'X-A', in: 'header', type: 'boolean' },
  ];
  const api = apiOf({ '/pets/{id}': { parameters: shared, get: { operationId: 'op', ...good, parameters: own } } });
  const toolbox = createToolbox(fromOpenApi(api).tools);
  expect(toolbox.list()[0]?.inputSchema).toEqual({
    type: 'object',
    properties: {
      id: { type: 'string' },
      limit: { type: 'integer', maximum: 9 },
      q: { type: 'string' },
      'X-A': { type: 'boolean' },
    },
    required: ['id'],
    additionalProperties: false,
  });
  expect(await toolbox.call('op', { id: '7', limit: 3, q: 'x', 'X-A': true })).toMatchObject({
    status: 'ok',
    data: { url: '/v2/pets/7?limit=3&q=x', headers: { 'x-a': 'true' }, note: null },
  });
});

test('a body is sent as JSON, without its read-only fields, unless the API takes something else', async () => {
  const body = { name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } };
  expect(await call({ parameters: [id, body] }, { name: 'Rex' }, 'post')).toMatchObject({
    method: 'POST',
    body: '{"name":"Rex"}',
    headers: { 'content-type': 'application/json' },
  });
  const { headers } = await call({ parameters: [id, body], consumes: ['application/xml'] }, { body: '<pet/>' }, 'put');
  expect(headers['content-type']).toBe('application/xml');
});

test.each([
  [[], { name: 'R x', tags: ['a', 'b'] }, 'application/x-www-form-urlencoded', 'name=R+x&tags=a,b'],
  [['multipart/form-data', 'application/x-www-form-urlencoded'], { name: 'R' }, 'application/x-www-form-urlencoded', 'name=R'],
  [['multipart/form-data'], { name: 'R' }, 'multipart/form-data', 'form-data; name="name"\r\n\r\nR'],
])('form fields are sent as a form: %j', async (consumes, input, type, written) => {
  const field = { name: 'name', in: 'formData', type: 'string', required: true };
  const seen = await call({ parameters: [id, field, list('formData')], consumes }, input, 'post');
  expect(seen.headers['content-type']).toContain(type);
  expect(seen.body).toContain(written);
});

test('a file is sent as one, and received as one', async () => {
  const file = { name: 'file', in: 'formData', type: 'file' };
  const seen = await call({ parameters: [id, file] }, { file: { text: 'hello', filename: 'a.txt' } }, 'post');
  expect(seen.body).toContain('name="file"; filename="a.txt"');
  const [listed] = createToolbox(fromOpenApi(apiOf({ '/f': { post: { ...good, parameters: [file] } } })).tools).list();
  expect(listed?.inputSchema).toMatchObject({ properties: { file: { type: 'object', properties: { text: {}, base64: {} } } } });
  const api = apiOf({ '/file': { get: { operationId: 'op', responses: { 200: { description: 'f', schema: { type: 'file' } } } } } });
  expect(await createToolbox(fromOpenApi(api).tools).call('op', {})).toMatchObject({ data: { size: 3, base64: 'YWJj' } });
});

test.each([
  ['basic', { type: 'basic' }, 'ann:secret-1', ({ headers }: { headers: Record<string, string> }) => headers.authorization],
  [
    'apiKey',
    { type: 'apiKey', in: 'header', name: 'X-Key' },
    'secret-1',
    ({ headers }: { headers: Record<string, string> }) => headers['x-key'],
  ],
  ['oauth2', { type: 'oauth2', flow: 'implicit' }, 'secret-1', ({ headers }: { headers: Record<string, string> }) => headers.authorization],
])('credentials of the kind %s are sent', async (_, scheme, credential, sent) => {
  const more = { securityDefinitions: { who: scheme }, security: [{ who: [] }] };
  expect(sent(await call({ parameters: [id] }, {}, 'get', { auth: { who: credential } }, more))).toContain('[redacted]');
});

test('one operation that cannot be read costs none of the others', () => {
  const api = apiOf({
    '/a': { get: { operationId: 'a', ...good, parameters: [{ $ref: '#/parameters/lost' }] } },
    '/b': { get: { operationId: 'b', responses: { 200: { $ref: '#/responses/lost' }, 404: { $ref: '#/responses/Gone' } } } },
    '/c': 'nothing',
    '/d': { get: 7, post: { operationId: 'd', ...good } },
  });
  const { tools, skipped } = fromOpenApi(api);
  expect(tools.map(({ name }) => name)).toEqual(['b', 'd']);
  expect(skipped).toEqual([
    { operation: 'GET /a', why: 'the reference "#/parameters/lost" leads nowhere' },
    { operation: 'GET /d', why: 'it is not an object' },
  ]);
});

test.each([
  [{ schemes: ['http', 'https'] }, 'https://old.example/v2'],
  [{ schemes: ['wss', 'http'] }, 'http://old.example/v2'],
  [{ schemes: undefined, basePath: 'v3/' }, 'https://old.example/v3/'],
  [{ basePath: undefined, schemes: undefined }, 'https://old.example/'],
  [{ host: undefined }, '/v2'],
])('the address is put together: %j', (more, address) => {
  const declared: unknown[] = [];
  const baseUrl = (url: string | undefined) => {
    declared.push(url);
    return 'http://127.0.0.1';
  };
  fromOpenApi(apiOf({ '/a': { get: good } }, { host: 'old.example', ...more }), { baseUrl });
  expect(declared).toEqual([address]);
});

test('a text in YAML that states its version as a number is read', () => {
  expect(
    fromOpenApi('swagger: 2.0\nhost: old.example\npaths:\n  /a:\n    get:\n      operationId: a\n').tools.map(({ name }) => name),
  ).toEqual(['a']);
});
