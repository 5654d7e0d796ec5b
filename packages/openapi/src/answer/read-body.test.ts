import { createToolbox } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { fromOpenApi } from '../from-open-api.ts';
import type { OpenApiOptions } from '../open-api-options.ts';

/** Calls an operation whose good answer is described as `content`. */
async function read(content: object, answer: Response, { method = 'get', ...options }: OpenApiOptions & { method?: string } = {}) {
  const operation = { operationId: 'read_it', responses: { 200: { description: 'Good.', content } } };
  const api = { openapi: '3.1.0', info: {}, servers: [{ url: 'https://api.example.com' }], paths: { '/it': { [method]: operation } } };
  const { tools, skipped } = fromOpenApi(api, { fetch: async () => answer, ...options });
  expect(skipped).toEqual([]);
  return createToolbox(tools, { report: () => undefined }).call('read_it', {} as never);
}

function answered(type: string | undefined, body: string): Response {
  return new Response(new TextEncoder().encode(body), type === undefined ? {} : { headers: { 'content-type': type } });
}

const binary = { schema: { type: 'string', format: 'binary' } };
const bytes = { 'application/octet-stream': binary };
const counted = { schema: { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } };
const fileOf = (contentType: string, base64: string) => ({ contentType, size: 3, base64 });

describe('a file', () => {
  test.each<[string, object, string | undefined, unknown]>([
    ['that keeps the type of a text', bytes, 'text/csv', fileOf('text/csv', 'YSxi')],
    ['that keeps the type of JSON', bytes, 'application/json', fileOf('application/json', 'YSxi')],
    ['without a type', bytes, undefined, fileOf('application/octet-stream', 'YSxi')],
    ['that is no JSON where JSON is the other answer', { ...bytes, 'application/json': counted }, 'text/csv', fileOf('text/csv', 'YSxi')],
    ['described for any type, as bytes', { '*/*': binary }, 'image/png', fileOf('image/png', 'YSxi')],
    ['described for any type, as a text', { '*/*': binary }, 'text/csv', 'a,b'],
    ['described as JSON', { 'application/json': binary }, 'application/pdf', fileOf('application/pdf', 'YSxi')],
  ])('%s is given as it is', async (_, content, type, data) => {
    expect(await read(content, answered(type, 'a,b'))).toMatchObject({ status: 'ok', data });
  });

  test('is not the page that came in its place', async () => {
    expect(await read(bytes, answered('text/html', '<html>Log in</html>'))).toMatchObject({
      status: 'error',
      error: { kind: 'bad_response', message: 'The API answered with a page (text/html) instead of application/octet-stream.' },
    });
  });
});

describe('JSON', () => {
  test.each(['application/x-ndjson', 'application/jsonl', 'application/json-seq'])('in lines (%s) is a text', async (type) => {
    expect(await read({ [type]: {} }, answered(type, '{"a":1}\n{"a":2}\n'))).toMatchObject({ status: 'ok', data: '{"a":1}\n{"a":2}\n' });
  });

  test('under the name of bytes is JSON where nothing else is promised', async () => {
    const content = { 'application/json': counted };
    expect(await read(content, answered('application/octet-stream', '{"count":3}'))).toMatchObject({ status: 'ok', data: { count: 3 } });
  });
});

test('an answer that is too large comes after the work was done', async () => {
  const outcome = await read({}, answered('application/json', JSON.stringify('x'.repeat(2_000))), {
    method: 'put',
    maxResponseBytes: 1_000,
  });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'too_large', effect: 'applied', upstream: { status: 200 } } });
});
