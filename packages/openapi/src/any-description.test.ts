import fc from 'fast-check';
import { createToolbox } from 'toolpact';
import { checkToolName, toNameKey, toProviderName } from 'toolpact/internal';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../../proofs/fixtures/property-runs.ts';
import { fromOpenApi } from './index.ts';
import { fromJsonSchema } from './schemas/index.ts';

const names = ['Pet', 'Shop', 'a b', 'x/y', '日本', '__proto__'];
const word = fc.oneof(fc.constantFrom(...names, 'id', 'ID', 'body', 'path', 'page[size]', '$filter', ''), fc.string({ maxLength: 12 }));
const junk = fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), word, fc.array(word, { maxLength: 2 }));
const ref = fc.constantFrom(
  ...names.map((name) => `#/components/schemas/${encodeURIComponent(name.replaceAll('/', '~1'))}`),
  '#/nowhere',
  'other.yaml',
  '#',
);

/** Schemas as people and generators write them: right, outdated, wrong, and in circles. */
const { schema } = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ $ref: ref }),
    junk,
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('string', 'object', 'array', 'integer', 'file', 'null'), fc.constant(['string', 'null']), junk),
        nullable: fc.boolean(),
        properties: fc.oneof(fc.dictionary(word, tie('schema'), { maxKeys: 3 }), junk),
        required: fc.oneof(fc.array(word, { maxLength: 3 }), fc.boolean()),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
        additionalProperties: tie('schema'),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        oneOf: fc.array(tie('schema'), { maxLength: 2 }),
        not: tie('schema'),
        enum: fc.oneof(fc.array(junk, { maxLength: 3 }), junk),
        minimum: fc.oneof(fc.integer(), word),
        exclusiveMinimum: fc.oneof(fc.boolean(), fc.integer()),
        maxLength: fc.integer(),
        pattern: fc.oneof(word, fc.constantFrom('^(a+)+$', '[', '\\p{L}', '(?i)x')),
        format: fc.constantFrom('binary', 'date', 'int64'),
        default: junk,
        example: junk,
        description: junk,
        readOnly: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  ),
}));

const media = fc.dictionary(
  fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain', 'image/png', '*/*', ''),
  fc.oneof(fc.record({ schema }, { requiredKeys: [] }), junk),
  { maxKeys: 2 },
);
const parameter = fc.oneof(
  { weight: 1, arbitrary: junk },
  {
    weight: 19,
    arbitrary: fc.record(
      {
        name: word,
        in: fc.constantFrom('path', 'query', 'header', 'cookie', 'body', 'formData'),
        required: fc.boolean(),
        schema,
        style: fc.constantFrom('form', 'matrix', 'label', 'deepObject', 'odd'),
        explode: fc.boolean(),
        content: media,
        example: junk,
      },
      { requiredKeys: ['name', 'in'] },
    ),
  },
);
const operation = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record(
      {
        operationId: word,
        summary: junk,
        description: junk,
        tags: junk,
        parameters: fc.oneof(fc.array(parameter, { maxLength: 4 }), junk),
        requestBody: fc.oneof(
          { weight: 9, arbitrary: fc.record({ required: fc.boolean(), content: media }) },
          { weight: 1, arbitrary: junk },
        ),
        responses: fc.oneof(
          fc.dictionary(fc.constantFrom('200', '204', '404', '4XX', 'default', '302', 'x'), fc.oneof(fc.record({ content: media }), junk), {
            maxKeys: 3,
          }),
          junk,
        ),
        security: fc.oneof(fc.array(fc.dictionary(word, fc.constant([]), { maxKeys: 2 }), { maxLength: 2 }), junk),
        servers: fc.constantFrom<unknown>([], [{ url: 'https://b.example' }], [{ url: '/v1' }], null),
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: junk },
);
const document = fc.record({
  openapi: fc.constantFrom('3.0.3', '3.1.0'),
  servers: fc.constant([{ url: 'https://api.example.com/v1' }]),
  paths: fc.dictionary(
    fc.constantFrom('/a', '/a/{id}', '/{}', '/b/{page[size]}.{ext}', '/日本', 'odd', '//'),
    fc.oneof(
      {
        weight: 9,
        arbitrary: fc.dictionary(fc.constantFrom('get', 'post', 'put', 'patch', 'head', 'trace', 'parameters'), operation, {
          minKeys: 1,
          maxKeys: 4,
        }),
      },
      { weight: 1, arbitrary: junk },
    ),
    { minKeys: 1, maxKeys: 5 },
  ),
  components: fc.record({
    schemas: fc.dictionary(fc.constantFrom(...names), schema, { minKeys: 3, maxKeys: 6 }),
    securitySchemes: fc.dictionary(word, junk, { maxKeys: 2 }),
  }),
});

/** The same in the form before. */
function toSwagger({ paths, components }: { readonly paths: object; readonly components: Readonly<Record<string, object>> }): object {
  const { schemas, securitySchemes } = components;
  return { swagger: '2.0', host: 'api.example.com', paths, definitions: schemas, securityDefinitions: securitySchemes };
}

test('whatever a description says, each operation is skipped with a reason or a tool whose name and schemas every provider can use', () => {
  let made = 0;
  fc.assert(
    fc.property(document, fc.boolean(), (given, isOld) => {
      const { tools, skipped, operations } = fromOpenApi(isOld ? toSwagger(given) : given);
      const listed = createToolbox(tools).list();
      made += listed.length;
      expect(operations.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
      expect(new Set(tools.map(({ name }) => toNameKey(name))).size).toBe(tools.length);
      for (const { name, description, inputSchema, outputSchema } of listed) {
        expect([checkToolName(name), toProviderName(name), name.length <= 64]).toEqual([undefined, name, true]);
        expect(description.length).toBeLessThanOrEqual(1024);
        expect(inputSchema.type).toBe('object');
        for (const key of Object.keys(inputSchema.properties as object)) expect(key).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        fromJsonSchema(inputSchema);
        if (outputSchema !== undefined) fromJsonSchema(outputSchema);
      }
      for (const { why } of skipped) expect(why).toMatch(/^(?:the reference|the schema|a part of it|it |its |no server|the method)/);
    }),
    propertyRuns(300),
  );
  // A property about nothing would hold as well.
  expect(made).toBeGreaterThan(60);
});

test('whatever the arguments are, a call is answered, and what is sent stays below the server’s address', async () => {
  const sent: string[] = [];
  const fetch = async (url: string) => {
    sent.push(url);
    return new Response('null', { headers: { 'content-type': 'application/json' } });
  };
  const anything = fc.oneof(
    fc.string(),
    fc.constantFrom('..', '.', '%2e', '/', '\\', '?', '#', '\r\n', '//x', '@x', '\ud800'),
    fc.integer(),
    fc.constant(null),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('simple', 'label', 'matrix'),
      anything,
      fc.dictionary(word, anything, { maxKeys: 2 }),
      async (style, id, filter) => {
        const parameters = [
          { name: 'id', in: 'path', required: true, style, schema: {} },
          { name: 'filter', in: 'query', style: 'deepObject', schema: {} },
          { name: 'X-A', in: 'header', schema: {} },
        ];
        const { tools } = fromOpenApi(
          { openapi: '3.1.0', paths: { '/pets/{id}/toys': { get: { operationId: 'get', parameters } } } },
          { baseUrl: 'https://api.example.com/v1', fetch },
        );
        const outcome = await createToolbox(tools, { report: () => undefined }).answer({ name: 'get', args: { id, filter, 'X-A': id } });
        expect(['ok', 'error']).toContain(outcome.status);
        if (outcome.status === 'error') expect(outcome.error.kind).toBe('invalid_input');
      },
    ),
    propertyRuns(300),
  );
  expect(sent.length).toBeGreaterThan(10);
  for (const url of sent) {
    const { origin, pathname, hash } = new URL(url);
    expect([origin, hash]).toEqual(['https://api.example.com', '']);
    expect(pathname).toMatch(/^\/v1\/pets\/[^/]+\/toys$/);
  }
});
