import { createToolbox, defineTool } from 'toolpact';
import { anthropic, problem } from 'toolpact/dialects';
import { describe, expect, test } from 'vitest';
import { createServer } from '../create-server.ts';
import type { GivenRoute } from '../request/given-route.ts';
import type { ServerOptions } from '../server-options.ts';

const add = defineTool({
  name: 'add',
  description: 'Adds.',
  effects: 'none',
  run: (_, { traceId }) => ({ sum: 3, traceId }),
});
const lose = defineTool({ name: 'lose', description: 'Loses.', run: () => ({}) });

function setUp(options: ServerOptions) {
  const server = createServer(createToolbox([add, lose], { report: () => undefined }), { auditLog: false, ...options });
  return async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const init = { method, headers: { 'content-type': 'application/json', ...headers }, ...(method === 'POST' && { body: '{}' }) };
    const response = await server.fetch(new Request(`http://localhost${path}`, init));
    // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
    return { status: response.status, dialect: response.headers.get('toolpact-dialect'), json: (await response.json()) as any };
  };
}

describe('a given route', () => {
  const sum: GivenRoute = {
    method: 'GET',
    path: '/sum/{tool}',
    async run({ param }, server) {
      const made = await server.call({ name: param, args: {} });
      return 'outcome' in made ? server.answer(made.outcome, { status: 203, echo: made.echo }) : made;
    },
  };

  test('makes calls with the headers and the rights of its request', async () => {
    const auth = () => ({ tenantId: 'acme', scopes: ['tools:call:add'] });
    const ask = setUp({ routes: [sum], auth });
    const { status, json } = await ask('GET', '/sum/add', { 'x-trace-id': 'trace-1' });
    expect([status, json]).toMatchObject([203, { title: expect.anything() }]);
    expect(await ask('GET', '/sum/lose')).toMatchObject({ status: 403 });
    expect(await ask('GET', '/sum/add', { 'x-timeouts-ms': 'soon' })).toMatchObject({ status: 400 });
  });

  test('answers in its own format, in that of the server, or in the one that a request selects', async () => {
    const route: GivenRoute = { ...sum, format: 'outcome' };
    expect(await setUp({ routes: [route] })('GET', '/sum/add')).toMatchObject({ dialect: 'outcome', json: { data: { sum: 3 } } });
    expect((await setUp({ routes: [route], dialect: anthropic })('GET', '/sum/add')).dialect).toBe('anthropic');
    expect((await setUp({ routes: [{ ...sum, format: anthropic }] })('GET', '/sum/add')).dialect).toBe('anthropic');
    expect((await setUp({ routes: [{ ...sum, format: anthropic }] })('POST', '/v1/tools/add?dialect=anthropic')).dialect).toBe('anthropic');
    expect((await setUp({ routes: [route] })('GET', '/sum/add?dialect=problem')).dialect).toBe('problem');
  });

  test('stands in the place of one with its method and path, and can ask that one', async () => {
    const quiet: GivenRoute = {
      method: 'GET',
      path: '/v1/tools',
      run: async ({ head }, server, own) => (head.header('x-quiet') === undefined ? own() : server.json({ tools: [] })),
    };
    const ask = setUp({ routes: [quiet] });
    expect((await ask('GET', '/v1/tools')).json.tools).toHaveLength(2);
    expect((await ask('GET', '/v1/tools', { 'x-quiet': '1' })).json).toEqual({ tools: [] });
    const changed = setUp({ routes: [{ method: 'POST', path: '/v1/tools/{name}', format: problem }] });
    expect(await changed('POST', '/v1/tools/add')).toMatchObject({ dialect: 'problem' });
  });

  test('is described in the document, below its group', async () => {
    const described: GivenRoute = {
      ...sum,
      docs: ({ operation, answer }) => ({
        group: { name: 'Sums', description: 'What adds.' },
        operation: operation('sum', 'Add', 'Adds.', { responses: { 200: answer('The sum.', { type: 'object' }) } }),
      }),
    };
    const { json } = await setUp({ routes: [described] })('GET', '/openapi.json');
    expect(json.paths['/sum/{tool}'].get).toMatchObject({ operationId: 'sum', tags: ['Sums'] });
    expect(json.tags).toContainEqual({ name: 'Sums', description: 'What adds.' });
  });
});

test.each<[string, ServerOptions, string]>([
  ['a route that nobody runs', { routes: [{ method: 'GET', path: '/x' }] }, 'the route GET /x needs run'],
  ['an unknown method', { routes: [{ method: 'PUT' as 'GET', path: '/x' }] }, 'must be one of GET, POST, DELETE'],
  ['a path without a slash', { routes: [{ method: 'GET', path: 'x' }] }, 'must begin with a slash'],
  ['a format by name', { routes: [{ method: 'GET', path: '/v1/tools', format: 'anthropic' as 'outcome' }] }, 'must be a dialect'],
  ['an unknown field', { routes: [{ method: 'GET', path: '/v1/tools', scopes: [] } as GivenRoute] }, 'scopes'],
  ['no list of routes', { routes: {} as readonly GivenRoute[] }, 'routes must be a list of routes'],
  ['no list of dialects', { dialects: 'anthropic' as never }, 'dialects must be a list of dialects'],
  ['a name for a dialect', { dialects: ['anthropic'] as never }, 'dialects must be a list of dialects'],
  ['a dialect named outcome', { dialects: [{ ...anthropic, name: 'outcome' }] }, 'two formats have the name "outcome"'],
  ['two dialects of one name', { dialects: [anthropic, { ...anthropic }] }, 'two formats have the name "anthropic"'],
  ['a dialect that is none', { dialect: 'anthropic' as 'outcome' }, 'dialect must be a dialect'],
])('a server refuses %s', (_, options, message) => {
  expect(() => createServer(createToolbox([add]), options)).toThrow(message);
});
