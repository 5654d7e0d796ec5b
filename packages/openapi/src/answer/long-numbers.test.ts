import fc from 'fast-check';
import { createToolbox } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { fromOpenApi } from '../from-open-api.ts';
import type { OpenApiOptions } from '../open-api-options.ts';
import { parseJson } from './parse-json.ts';

describe('a whole number beyond 2^53', () => {
  test.each<[string, string, unknown]>([
    ['in a field', '{"id":9007199254740993}', { id: '9007199254740993' }],
    ['that is negative, with spaces', '[ -9007199254740993 ]', ['-9007199254740993']],
    ['alone', '18446744073709551615', '18446744073709551615'],
    ['after a string with quotation marks', '{"a\\\\\\"":"\\"","id":9007199254740993}', { 'a\\"': '"', id: '9007199254740993' }],
  ])('%s keeps its digits as text', (_, text, value) => {
    expect(parseJson(text)).toEqual({ value, rounded: JSON.parse(text) });
  });

  test.each([
    '9007199254740991',
    '[0.90071992547409931, 1.5e300, 12345678901234567890e2]',
    '{"9007199254740993":"9007199254740993, 9007199254740993","a":"\\": 9007199254740993"}',
    '""',
  ])('is not seen in %s', (text) => {
    expect(parseJson(text)).toEqual({ value: JSON.parse(text) });
  });

  test('is the only thing that is read differently', () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(json, (text) => {
        const { value, rounded = value } = parseJson(text);
        expect(rounded).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('the tool of an API', () => {
  async function read(schema: object, options: OpenApiOptions = {}) {
    const answers = { 200: { description: 'Good.', content: { 'application/json': { schema } } } };
    const api = {
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      servers: [{ url: 'https://api.example.com' }],
      paths: { '/post': { get: { operationId: 'read_post', responses: answers } } },
    };
    const fetch = async (): Promise<Response> => answer();
    const { tools, skipped } = fromOpenApi(api, { fetch, ...options });
    expect(skipped).toEqual([]);
    const toolbox = createToolbox(tools, { report: () => undefined });
    return toolbox.call('read_post', {} as never);
  }
  const answer = () => new Response('{"id":9007199254740993}', { headers: { 'content-type': 'application/json' } });
  const post = (id: object) => ({ type: 'object', properties: { id }, required: ['id'] });
  const asText = ['whole numbers beyond 2^53 are given as text, with all their digits'];

  test.each<[string, object]>([
    ['describes the field as int64', post({ type: 'integer', format: 'int64' })],
    ['describes it as int64 or nothing', post({ type: ['integer', 'null'], format: 'int64' })],
    ['does not describe it', { type: 'object' }],
  ])('gives a long id as text and says so, where the API %s', async (_, schema) => {
    expect(await read(schema)).toMatchObject({ status: 'ok', data: { id: '9007199254740993' }, meta: { warnings: asText } });
  });

  test('keeps the description of a field that is no more than an integer, and says that digits were lost', async () => {
    expect(await read(post({ type: 'integer' }))).toMatchObject({
      status: 'ok',
      data: { id: 9007199254740992 },
      meta: { warnings: ['whole numbers beyond 2^53 were rounded: the description allows no text in their place'] },
    });
  });

  test('fails for an answer that breaks the description in another way', async () => {
    expect(await read(post({ type: 'boolean' }))).toMatchObject({ status: 'error', error: { kind: 'bad_response' } });
  });
});
