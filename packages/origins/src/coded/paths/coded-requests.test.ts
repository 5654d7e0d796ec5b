import { createServer, type ServerOptions } from '@toolpact/server';
import { createResources, createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { codedRequests } from './coded-requests.ts';

const add = defineTool({ name: 'add', description: 'Adds.', run: () => 3 });

async function ask(method: string, path: string, body: unknown, options: ServerOptions = { routes: codedRequests }) {
  const server = createServer(createToolbox([add], { resources: createResources([]) }), options);
  const request = { method, headers: { 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await server.fetch(new Request(`http://localhost${path}`, request));
  return { status: response.status, dialect: response.headers.get('toolpact-dialect'), text: await response.text() };
}

const actions = [{ action: 'add' }];
test.each([
  ['/v1/batch', { actions, timeout: -1 }, 'timeout must be seconds above 0'],
  ['/v1/batch', { actions, session_id: 5 }, 'session_id must be a text'],
  ['/v1/batch', { actions, worker_id: 'x'.repeat(5_000) }, 'worker_id must be a text'],
  ['/v1/batch', { actions, calls: [{ tool: 'add' }] }, 'The batch is wrong: calls and actions cannot be mixed.'],
  ['/v1/batch', { actions, concurrency: 2 }, 'concurrency has no meaning beside actions, which have parallel'],
  ['/v1/batch', { actions, stop_on_error: 'no' }, 'stop_on_error must be true or false'],
  ['/v1/execute', { action: 'add', trace_id: 5 }, 'The request is wrong: trace_id in the body must be a string.'],
])('%s refuses %.80j', async (path, body, message) => {
  expect(await ask('POST', path, body)).toMatchObject({ status: 400, text: expect.stringContaining(message) });
});

test.each([
  ['POST', '/v1/execute', { action: 'add' }, 'coded', '{"code":0'],
  ['POST', '/v1/batch', { actions }, 'coded', '{"code":0'],
  ['POST', '/v1/batch', { calls: [{ tool: 'add' }] }, 'outcome', '{"status":"ok"'],
  ['GET', '/v1/sessions', undefined, 'coded', '{"code":0'],
  ['POST', '/v1/tools/add?dialect=coded', {}, 'coded', '{"code":0'],
])('%s %s with %j is answered in %s', async (method, path, body, dialect, start) => {
  const { text, ...answer } = await ask(method, path, body);
  expect([answer, text.slice(0, start.length)]).toEqual([{ status: 200, dialect }, start]);
});

test.each([
  ['POST', '/v1/execute', { action: 'add' }, 404, 'problem'],
  ['POST', '/v1/batch', { actions }, 400, 'outcome'],
  ['GET', '/v1/sessions', undefined, 200, 'outcome'],
  ['POST', '/v1/tools/add?dialect=coded', {}, 400, 'outcome'],
])('a server without these routes knows nothing of the origin: %s %s with %j is %i in %s', async (method, path, body, status, dialect) => {
  expect(await ask(method, path, body, {})).toMatchObject({ status, dialect });
});
