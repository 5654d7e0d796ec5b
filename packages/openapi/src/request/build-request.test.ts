import { createToolbox } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { fromOpenApi } from '../from-open-api.ts';
import type { OpenApiOptions } from '../open-api-options.ts';

const sent: Request[] = [];

async function fetch(url: string, init: RequestInit): Promise<Response> {
  sent.push(new Request(url, init));
  return Response.json({ author: 'octocat', topic: 'javascript', by: 'abcdef123' });
}

const whole = { type: 'integer', format: 'int64' };
const parts = {
  schemas: { Id: whole, Ids: { type: 'array', items: { $ref: '#/components/schemas/Id' } } },
  securitySchemes: { login: { type: 'apiKey', in: 'cookie', name: 'sid' } },
};

function read(operation: object, { url = 'https://api.example.com', ...options }: OpenApiOptions & { url?: string } = {}) {
  const get = { operationId: 'read_it', responses: {}, ...operation };
  const api = { openapi: '3.1.0', info: {}, servers: [{ url }], components: parts, paths: { '/it': { get } } };
  return fromOpenApi(api, { fetch, ...options });
}

/** Calls the operation and gives its outcome and the request, if one was sent. */
async function call(operation: object, input: object, options: Parameters<typeof read>[1] = {}) {
  sent.length = 0;
  const { tools, skipped } = read(operation, options);
  expect(skipped).toEqual([]);
  const outcome = await createToolbox(tools, { report: () => undefined }).call('read_it', input as never);
  return { outcome, request: sent[0] };
}

const given = (schema: object, more: object = {}) => ({ parameters: [{ name: 'id', in: 'query', schema, ...more }] });

describe('whole numbers beyond 2^53', () => {
  const places: [string, object, (id: unknown) => unknown][] = [
    ['behind a reference', { $ref: '#/components/schemas/Id' }, (id) => id],
    ['that may be null', { anyOf: [whole, { type: 'null' }] }, (id) => id],
    ['in the only part of allOf', { allOf: [{ $ref: '#/components/schemas/Id' }] }, (id) => id],
    ['in a list behind references', { $ref: '#/components/schemas/Ids' }, (id) => [id]],
  ];

  test.each(places)('%s are sent with all their digits when they come as texts', async (_, schema, value) => {
    expect((await call(given(schema), { id: value('9007199254740993') })).request?.url).toBe(
      'https://api.example.com/it?id=9007199254740993',
    );
  });

  test.each(places)('%s are refused when they are rounded already', async (_, schema, value) => {
    const { outcome, request } = await call(given(schema), { id: value(2 ** 60) });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', effect: 'none' } });
    expect(request).toBeUndefined();
  });

  test('are no loss where any number is allowed', async () => {
    const schema = { anyOf: [whole, { type: 'number' }] };
    expect((await call(given(schema), { id: 1e21 })).request?.url).toBe('https://api.example.com/it?id=1e%2B21');
  });

  test('are not taken as texts where the largest allowed number is shorter', async () => {
    const { outcome, request } = await call(given({ type: 'integer', maximum: 100 }), { id: '9999999999999999' });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
    expect(request).toBeUndefined();
  });

  test('of a schema that may be a list of itself do no harm', async () => {
    const schema = { anyOf: [{ type: 'array', items: { $ref: '#/paths/~1it/get/parameters/0/schema' } }, whole] };
    expect((await call(given(schema), { id: 7 })).request?.url).toBe('https://api.example.com/it?id=7');
  });
});

describe('what is not there', () => {
  const nullable = (name: string, place: string) => ({ name, in: place, schema: { type: ['string', 'null'] } });

  test('is not sent as an empty text', async () => {
    const parameters = [nullable('q', 'query'), nullable('X-H', 'header'), nullable('c', 'cookie')];
    const { request } = await call({ parameters }, { q: null, 'X-H': null, c: null });
    expect([request?.url, request?.headers.get('x-h'), request?.headers.get('cookie')]).toEqual(['https://api.example.com/it', null, null]);
  });

  test('includes a list of nothing', async () => {
    const { request } = await call(given({ type: 'array', items: { type: 'string' } }, { explode: false }), { id: [] });
    expect(request?.url).toBe('https://api.example.com/it');
  });

  test('is sent as an empty text where the API needs the parameter', async () => {
    const { request } = await call(given({ type: ['string', 'null'] }, { required: true }), { id: null });
    expect(request?.url).toBe('https://api.example.com/it?id=');
  });
});

describe('credentials that the application put into its address or its cookies', () => {
  const answered = (by: string) => async () => Response.json({ by, version: '2026-01-01' });

  test.each<[string, object]>([
    ['the query of the address', { url: 'https://api.example.com/v1?code=abc%2Bdef123&api-version=2026-01-01' }],
    ['a cookie', { headers: { Cookie: 'connect.sid=abc%2Bdef123; seen=2026-01-01' } }],
  ])('are hidden in answers: %s', async (_, options) => {
    for (const by of ['abc%2Bdef123', 'abc+def123'])
      expect((await call({}, {}, { ...options, fetch: answered(by) })).outcome).toMatchObject({
        data: { by: '[redacted]', version: '2026-01-01' },
      });
  });
});

describe('cookies', () => {
  test('without a value take no argument away', async () => {
    const parameters = [{ name: 'fla', in: 'cookie', schema: { type: 'string' } }];
    const { request } = await call({ parameters }, { fla: 'v' }, { headers: { Cookie: 'flag; beta=1' } });
    expect(request?.headers.get('cookie')).toBe('fla=v; flag; beta=1');
  });

  const operation = { security: [{ login: [] }], parameters: [{ name: 'lang', in: 'cookie', schema: { type: 'string' } }] };

  test('of the application are sent with those of the description', async () => {
    const { request } = await call(operation, { lang: 'de' }, { auth: { login: 'abc' }, headers: { Cookie: 'beta=1' } });
    expect(request?.headers.get('cookie')).toBe('lang=de; beta=1; sid=abc');
  });

  test('of the application cannot be replaced by an argument', async () => {
    const { request } = await call(operation, { lang: 'de' }, { auth: { login: 'abc' }, headers: { cookie: 'lang=en; beta=1' } });
    expect(request?.headers.get('cookie')).toBe('lang=en; beta=1; sid=abc');
  });
});

describe('credentials', () => {
  test('are not what only sounds like one', async () => {
    const parameters = [{ name: 'author', in: 'query', schema: { type: 'string' } }];
    const options = { preset: { author: 'octocat' }, headers: { 'x-keyword': 'javascript' } };
    expect((await call({ parameters }, {}, options)).outcome).toMatchObject({ data: { author: 'octocat', topic: 'javascript' } });
  });

  test.each(['x-api-key', 'apikey', 'X-Auth', 'authorization', 'x-authorisation', 'access_token', 'oauthtoken', 'sessionId'])(
    'in a header named %s do not come back',
    async (name) => {
      expect((await call({}, {}, { headers: { [name]: 'abcdef123' } })).outcome).toMatchObject({ data: { by: '[redacted]' } });
    },
  );

  test('that are null are missing', async () => {
    const options = { auth: { login: (() => null) as never } };
    expect((await call({ security: [{ login: [] }] }, {}, options)).outcome).toMatchObject({
      status: 'error',
      error: { kind: 'unauthenticated', message: 'This caller has no credential for login.' },
    });
  });
});

describe('the server', () => {
  test.each<[string, OpenApiOptions]>([
    ['https://api.example.com/v1?tenant=7', {}],
    ['https://api.example.com', { baseUrl: 'https://api.example.com/v1?tenant=7' }],
  ])('%s keeps its query: %j', async (url, options) => {
    const { request } = await call(given(whole), { id: 1 }, { url, ...options });
    expect(request?.url).toBe('https://api.example.com/v1/it?tenant=7&id=1');
  });

  test('is not called with a variable that has no value', () => {
    const { tools, skipped } = read({}, { url: 'https://api.example.com/{version}' });
    expect(tools).toEqual([]);
    expect(skipped).toEqual([
      {
        operation: 'GET /it',
        why: 'its server "https://api.example.com/{version}" has no value for "version"; give it in `serverVariables`',
      },
    ]);
  });
});
