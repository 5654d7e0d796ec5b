import { fromJsonSchema } from '@toolpact/openapi';
import { codedToolData } from '@toolpact/origins/coded';
import { status } from '@toolpact/origins/status';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createToolbox, defineTool, fail, type JsonObject, type Outcome, ok, partial, pending } from 'toolpact';
import { openai } from 'toolpact/dialects';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type DialectName, dialects } from './all-dialects.ts';

/** The exported envelopes are judged by a validator that is not ours. */

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const names = Object.keys(dialects) as DialectName[];

const place = z.object({ name: z.string() }).meta({ id: 'Place' });
const find = defineTool({
  name: 'find',
  description: 'Finds.',
  input: z.object({ q: z.string() }),
  output: z.object({ hits: z.array(place) }),
  effects: 'none',
  onFailure: { hits: [] },
  run: ({ q }) => {
    if (q === 'throw') throw new Error('boom');
    if (q === 'fail') return fail('not_found', 'Nothing there.', { data: { q }, upstream: { status: 404 } });
    if (q === 'partial') return partial({ hits: [] }, [{ index: 0, id: 'a', error: new Error('x') }]);
    if (q === 'pending') return pending({ handle: 'h', reason: 'input', ask: { message: 'Which?' } });
    return ok({ hits: [{ name: q }] }, { message: 'Found.', tokenUsage: { prompt: 1 } });
  },
});
const count = defineTool({ name: 'count', description: 'Counts.', output: z.number(), effects: 'none', run: () => 3 });
const toolbox = createToolbox([find, count], { report: () => undefined });

/** Refers to itself on both sides, by names that the other side and the envelopes use as well. */
const folder = z.object({
  name: z.string(),
  get inner() {
    return z.array(folder).optional();
  },
});
const link = z.object({
  size: z.number(),
  get next() {
    return link.optional();
  },
});
const clashing = {
  ToolResult: z.object({ rows: z.number() }).meta({ id: 'ToolResult' }),
  CodedMeta: z.object({ key: z.string() }).meta({ id: 'CodedMeta' }),
};
const walk = defineTool({
  name: 'walk',
  description: 'Walks.',
  input: z.object({ root: folder, other: folder }),
  output: z.object({ first: link, ...clashing }),
  effects: 'none',
  run: () => ({ first: { size: 1, next: { size: 2 } }, ToolResult: { rows: 1 }, CodedMeta: { key: 'k' } }),
});
const chain = defineTool({
  name: 'chain',
  description: 'Chains.',
  input: folder,
  output: link,
  effects: 'none',
  run: () => ({ size: 1, next: { size: 2 } }),
});
/** Speaks of references: as the name of a field, and as a value that must stay as it is. */
const quote = defineTool({
  name: 'quote',
  description: 'Quotes.',
  input: z.object({ pointer: z.string() }),
  output: fromJsonSchema<{ default: object; fixed: object }>({
    type: 'object',
    properties: { default: { $ref: '#/$defs/place' }, fixed: { const: { $ref: '#/$defs/place' } } },
    required: ['default', 'fixed'],
    $defs: { place: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] } },
  }),
  effects: 'none',
  run: () => ({ default: { at: 1 }, fixed: { $ref: '#/$defs/place' } }),
});
const nested = { name: 'a', inner: [{ name: 'b' }] };
const outcomes: readonly Outcome[] = await Promise.all(
  ['x', 'throw', 'fail', 'partial', 'pending', undefined].map((q): Promise<Outcome> => toolbox.answer({ name: 'find', args: { q } })),
);

function expectValid(schema: JsonObject, json: unknown): void {
  ajv.validate(schema, JSON.parse(JSON.stringify(json)));
  expect(ajv.errors ?? []).toEqual([]);
}

describe.each(names)('%s', (name) => {
  const dialect = dialects[name];

  test.each([true, false])('every envelope of a tool fits its schema, strict: %s', (strict) => {
    for (const outcome of outcomes) expectValid(dialect.jsonSchema(find), dialect.encode(outcome, { strict }));
  });

  test('a result that is no object fits its schema', async () => {
    expectValid(dialect.jsonSchema(count), dialect.encode(await count.call({}), { strict: true }));
  });

  test.each([
    ['walk', walk, { root: nested, other: nested }],
    ['chain', chain, nested],
    ['quote', quote, { pointer: '#/a' }],
  ] as const)('a tool whose schemas refer to themselves fits its schema: %s', async (_, tool, args) => {
    const outcome = await (tool.call as (given: unknown) => Promise<Outcome>)(args);
    expect(outcome.status).toBe('ok');
    expectValid(dialect.jsonSchema(tool), dialect.encode(outcome, { strict: true }));
  });

  test.each([{}, null, [], { success: 'yes' }, { code: 1 }, { status: 'fine' }])('refuses %j', (json) => {
    expect(ajv.validate(dialect.jsonSchema(), json)).toBe(false);
  });
});

test.each<readonly [name: DialectName, broken: JsonObject]>([
  ['flat', { success: true, error: null, hits: [5] }],
  [
    'coded',
    {
      code: 0,
      message: 'success',
      data: { hits: 5 },
      meta: { tool: 'find', execution_time_ms: 1, resource_type: null, session_id: null, trace_id: 't' },
    },
  ],
  ['value', { success: true, value: { hits: [{}] }, message: 'OK' }],
  ['status', { status: 'ok', input: { q: 'x' }, data: {}, meta: { took_ms: 1 } }],
  ['mcp', { content: [{ type: 'text', text: 'x' }], structuredContent: {} }],
  ['mcp', { content: [{ type: 'text', text: 'x' }], structuredContent: { hits: [] }, isError: true }],
])('%s refuses %j, which breaks what the tool promises', (name, broken) => {
  expect(ajv.validate(dialects[name].jsonSchema(find), broken)).toBe(false);
});

test.each<readonly [name: DialectName, broken: JsonObject]>([
  ['flat', { success: true, error: null, size: 1, next: { size: 'two' } }],
  ['value', { success: true, value: { size: 1, next: {} }, message: 'OK' }],
  ['status', { status: 'ok', input: { name: 'a', inner: [{}] }, data: { size: 1 }, meta: { took_ms: 1 } }],
])('%s refuses %j, which breaks a schema where it refers to itself', (name, broken) => {
  expect(ajv.validate(dialects[name].jsonSchema(chain), broken)).toBe(false);
});

test('the Responses form fits the schema of openai', () => {
  for (const outcome of outcomes) expectValid(openai.jsonSchema(), openai.encode(outcome, { form: 'responses' }));
});

describe('the models of status', () => {
  const schema = status.jsonSchema();
  const models = schema.$defs as Readonly<Record<string, JsonObject>>;

  test('are all there, with the documented examples inside', () => {
    expect(Object.keys(models)).toEqual(['ToolContext', 'ToolResult', 'ToolResultMeta', 'ToolError', 'ToolErrorDetail', 'ToolErrorMeta']);
    expect(Object.values(models).map(({ examples }) => (examples as unknown[]).length)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test.each(Object.entries(models))('%s fits its own examples', (name, { examples }) => {
    for (const example of examples as unknown[]) expectValid({ $ref: `#/$defs/${name}`, $defs: models }, example);
  });

  test.each([
    ['run_id alone', { run_id: 'r' }, true],
    ['ingestion_run_id alone', { ingestion_run_id: 'i' }, true],
    ['both', { run_id: 'r', ingestion_run_id: 'i' }, false],
    ['none', {}, false],
    ['null next to the other', { run_id: null, ingestion_run_id: 'i' }, true],
  ])('ToolContext with %s: %j is valid: %s', (_, ids, valid) => {
    const { run_id: _run, ...rest } = (models.ToolContext as { examples: [JsonObject] }).examples[0];
    expect(ajv.validate({ $ref: '#/$defs/ToolContext', $defs: models }, { ...rest, ...ids })).toBe(valid);
  });

  test('the fields of an error are the nine documented ones', () => {
    expect(Object.keys(models.ToolErrorDetail?.properties as object)).toEqual([
      'type',
      'message',
      'code',
      'cause',
      'details',
      'retry_after_ms',
      'upstream_status',
      'endpoint',
      'attempt',
    ]);
  });
});

test.each([
  ['search', { result: 'x', query: 'q' }],
  ['visit', { result: 'x', urls: ['https://a.example'], goal: 'hours', warning: '1/2 URLs failed' }],
  ['rag:search', { query: 'q', context: 'doc' }],
  ['rag:batch_search', { count: 1, contexts: ['doc'], errors: [{ index: 0, error: 'cold' }] }],
] as const)('the data of %s has its documented shape', (tool, data) => {
  expectValid(codedToolData[tool], data);
  expect(ajv.validate(codedToolData[tool], {})).toBe(false);
});
