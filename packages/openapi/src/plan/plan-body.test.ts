import { createToolbox } from 'toolpact';
import { expect, test } from 'vitest';
import { fromOpenApi } from '../from-open-api.ts';

/** Sends a multipart form and gives its fields, or the failure. */
async function send(properties: object, input: object): Promise<unknown> {
  let form: FormData | undefined;
  const operation = {
    operationId: 'send_it',
    requestBody: { required: true, content: { 'multipart/form-data': { schema: { type: 'object', properties } } } },
    responses: {},
  };
  const api = {
    ...{ openapi: '3.1.0', info: {}, servers: [{ url: 'https://api.example.com' }], paths: { '/it': { post: operation } } },
    components: {
      schemas: { Endless: { anyOf: [{ type: 'array', items: { $ref: '#/components/schemas/Endless' } }, { type: 'string' }] } },
    },
  };
  const fetch = async (_: string, { body }: RequestInit) => {
    form = body as FormData;
    return Response.json({});
  };
  const { tools, skipped } = fromOpenApi(api, { fetch });
  expect(skipped).toEqual([]);
  const outcome = await createToolbox(tools, { report: () => undefined }).call('send_it', input as never);
  if (outcome.status === 'error') return outcome.error;
  const fields = [...(form ?? [])].map(async ([name, value]) => [
    name,
    typeof value === 'string' ? value : [value.name, await value.text()],
  ]);
  return Promise.all(fields);
}

const bytes = { type: 'string', format: 'binary' };
const nothing = { type: 'null' };

test.each<[string, object]>([
  ['null', { anyOf: [bytes, nothing] }],
  ['null, as one of two', { oneOf: [nothing, bytes] }],
  ['null, by its type', { type: ['string', 'null'], format: 'binary' }],
])('a file that may also be %s can be sent', async (_, file) => {
  expect(await send({ file }, { file: { text: 'hello', filename: 'a.txt' } })).toEqual([['file', ['a.txt', 'hello']]]);
});

test('a list of files that may also be null can be sent', async () => {
  const files = { anyOf: [{ type: 'array', items: bytes }, nothing] };
  expect(await send({ files }, { files: [{ text: 'a' }, { base64: 'Yg==' }] })).toEqual([
    ['files', ['files', 'a']],
    ['files', ['files', 'b']],
  ]);
  expect(await send({ files }, { files: null })).toEqual([]);
});

test('a file without content is not sent as JSON', async () => {
  expect(await send({ file: bytes }, { file: { filename: 'a.txt' } })).toMatchObject({
    ...{ kind: 'invalid_input', effect: 'none' },
    message: 'A file needs its content as `text`, or as valid `base64`.',
  });
});

test('a field that may be a list of itself does no harm', async () => {
  expect(await send({ note: { $ref: '#/components/schemas/Endless' } }, { note: 'hello' })).toEqual([['note', 'hello']]);
});
