import { fromJsonSchema } from '@toolpact/openapi';
import type { JsonObject } from 'toolpact';
import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { diffTools } from './diff-tools.ts';
import { lockTools, readLock, type ToolLock } from './lock-tools.ts';

interface Facts {
  readonly name?: string;
  readonly description?: string;
  readonly input?: JsonObject;
  readonly output?: JsonObject | undefined;
  readonly effects?: 'none' | 'idempotent' | 'writes';
  readonly failures?: Readonly<Record<string, 'conflict' | 'not_found'>>;
}

const base: JsonObject = {
  type: 'object',
  properties: { city: { type: 'string', maxLength: 50 }, days: { type: 'integer', minimum: 1, maximum: 7 }, unit: { enum: ['c', 'f'] } },
  required: ['city'],
};

function lock({
  name = 'forecast',
  description = 'Returns the weather.',
  input = base,
  output = base,
  effects = 'idempotent',
  failures = { sold_out: 'conflict' },
}: Facts = {}): Promise<ToolLock> {
  const tool = defineTool({
    name,
    description,
    effects,
    failures,
    input: fromJsonSchema(input),
    ...(output && { output: fromJsonSchema(output) }),
    run: () => ({}) as never,
  });
  return lockTools(createToolbox([tool]) as never);
}

const withField = (name: string, field: JsonObject, more: JsonObject = {}): JsonObject => ({
  ...base,
  properties: { ...(base.properties as JsonObject), [name]: field },
  ...more,
});
const { days: _, ...fewer } = base.properties as Record<string, JsonObject>;

describe('a change of the input', () => {
  test.each<[string, JsonObject, 'breaking' | 'compatible', string, string]>([
    ['a new optional field', withField('hour', { type: 'integer' }), 'compatible', 'input.hour', 'an optional field was added'],
    [
      'a new required field',
      withField('hour', { type: 'integer' }, { required: ['city', 'hour'] }),
      'breaking',
      'input.hour',
      'a required field was added',
    ],
    ['a removed field', { ...base, properties: fewer }, 'breaking', 'input.days', 'the field was removed'],
    ['a field that is required now', { ...base, required: ['city', 'days'] }, 'breaking', 'input.days', 'the field is required now'],
    ['a field that is optional now', { ...base, required: [] }, 'compatible', 'input.city', 'the field is optional now'],
    ['another type', withField('city', { type: 'number', maxLength: 50 }), 'breaking', 'input.city', 'it was string and is number now'],
    ['a wider type', withField('days', { type: 'number', minimum: 1, maximum: 7 }), 'compatible', 'input.days', 'it can be number too'],
    ['one type more', withField('city', { type: ['string', 'null'], maxLength: 50 }), 'compatible', 'input.city', 'it can be null too'],
    [
      'a raised minimum',
      withField('days', { type: 'integer', minimum: 2, maximum: 7 }),
      'breaking',
      'input.days',
      'minimum went from 1 to 2',
    ],
    [
      'a raised maximum',
      withField('days', { type: 'integer', minimum: 1, maximum: 14 }),
      'compatible',
      'input.days',
      'maximum went from 7 to 14',
    ],
    ['a removed limit', withField('city', { type: 'string' }), 'compatible', 'input.city', 'maxLength 50 was removed'],
    ['a new limit', withField('city', { type: 'string', maxLength: 50, minLength: 2 }), 'breaking', 'input.city', 'minLength 2 was added'],
    [
      'a new pattern',
      withField('city', { type: 'string', maxLength: 50, pattern: '^[A-Z]' }),
      'breaking',
      'input.city',
      'pattern "^[A-Z]" was added',
    ],
    ['a choice less', withField('unit', { enum: ['c'] }), 'breaking', 'input.unit', '"f" can no longer be chosen'],
    ['a choice more', withField('unit', { enum: ['c', 'f', 'k'] }), 'compatible', 'input.unit', '"k" can be chosen too'],
    ['other fields refused', { ...base, additionalProperties: false }, 'breaking', 'input', 'other fields are no longer taken'],
    [
      'other words',
      withField('city', { type: 'string', maxLength: 50, description: 'The city.' }),
      'compatible',
      'input.city',
      'the description changed',
    ],
    [
      'what cannot be judged',
      withField('city', { type: 'string', maxLength: 50, not: { const: 'x' } }),
      'breaking',
      'input.city',
      'not changed',
    ],
  ])('%s', async (_title, input, level, place, message) => {
    expect(diffTools(await lock(), await lock({ input }))).toMatchObject([{ tool: 'forecast', level, place, message }]);
  });
});

describe('a change of the output', () => {
  test.each<[string, JsonObject | undefined, 'breaking' | 'compatible', string, string]>([
    ['a new field', withField('hour', { type: 'integer' }), 'compatible', 'output.hour', 'an optional field was added'],
    ['a removed field', { ...base, properties: fewer }, 'breaking', 'output.days', 'the field was removed'],
    ['a field that may be missing now', { ...base, required: [] }, 'breaking', 'output.city', 'the field is optional now'],
    ['a field that is always there now', { ...base, required: ['city', 'days'] }, 'compatible', 'output.days', 'the field is required now'],
    ['a choice more', withField('unit', { enum: ['c', 'f', 'k'] }), 'breaking', 'output.unit', '"k" can be chosen too'],
    ['a choice less', withField('unit', { enum: ['c'] }), 'compatible', 'output.unit', '"f" can no longer be chosen'],
    ['one type more', withField('city', { type: ['string', 'null'], maxLength: 50 }), 'breaking', 'output.city', 'it can be null too'],
  ])('%s', async (_title, output, level, place, message) => {
    expect(diffTools(await lock(), await lock({ output }))).toMatchObject([{ tool: 'forecast', level, place, message }]);
  });

  test('a schema that is gone breaks, a new one does not', async () => {
    const without = await lockTools(
      createToolbox([
        defineTool({
          name: 'forecast',
          description: 'Returns the weather.',
          effects: 'idempotent',
          failures: { sold_out: 'conflict' },
          input: fromJsonSchema(base),
          run: () => ({}),
        }),
      ]) as never,
    );
    expect(diffTools(await lock(), without)).toEqual([
      { tool: 'forecast', level: 'breaking', place: 'output', message: 'the output schema was removed' },
    ]);
    expect(diffTools(without, await lock())).toEqual([
      { tool: 'forecast', level: 'compatible', place: 'output', message: 'an output schema was added' },
    ]);
  });
});

test.each<[string, Facts, Facts, string, string, string]>([
  [
    'raised effects',
    { effects: 'none' },
    { effects: 'writes' },
    'breaking',
    'effects',
    'the effects went from none to writes: what was repeated without asking no longer may be',
  ],
  [
    'lowered effects',
    { effects: 'writes' },
    { effects: 'none' },
    'compatible',
    'effects',
    'the effects went from writes to none: it may be repeated more freely',
  ],
  ['a removed failure code', {}, { failures: {} }, 'breaking', 'failures.sold_out', 'the failure code was removed'],
  ['a new failure code', { failures: {} }, {}, 'compatible', 'failures.sold_out', 'the failure code was added, as conflict'],
  [
    'a failure code of another kind',
    {},
    { failures: { sold_out: 'not_found' } },
    'breaking',
    'failures.sold_out',
    'the failure code was conflict and is not_found now',
  ],
  ['another description', {}, { description: 'Tells how warm it will be.' }, 'compatible', 'description', 'the description changed'],
])('%s', async (_title, before, after, level, place, message) => {
  expect(diffTools(await lock(before), await lock(after))).toEqual([{ tool: 'forecast', level, place, message }]);
});

test('a tool that is gone breaks, a new one does not, and a new name is noticed', async () => {
  const [one, none] = [await lock(), { v: 1, tools: {} } as ToolLock];
  expect(diffTools(one, none)).toEqual([{ tool: 'forecast', level: 'breaking', place: 'tool', message: 'the tool was removed' }]);
  expect(diffTools(none, one)).toEqual([{ tool: 'forecast', level: 'compatible', place: 'tool', message: 'the tool was added' }]);
  expect(diffTools(one, await lock({ name: 'weather' }))[0]?.message).toBe('the tool was removed; was it renamed to "weather"?');
});

test('the order of keys changes nothing', async () => {
  const turned = {
    required: ['city'],
    properties: Object.fromEntries(Object.entries(base.properties as JsonObject).reverse()),
    type: 'object',
  };
  expect((await lock({ input: turned })).tools.forecast?.fingerprint).toBe((await lock()).tools.forecast?.fingerprint);
});

test('a change below a reference is found, also in a schema that refers to itself', async () => {
  const tree = (leaf: string): JsonObject => ({
    type: 'object',
    properties: { child: { $ref: '#/$defs/node' } },
    $defs: { node: { type: 'object', properties: { value: { type: leaf }, next: { $ref: '#/$defs/node' } } } },
  });
  expect(diffTools(await lock({ input: tree('string') }), await lock({ input: tree('boolean') }))).toContainEqual({
    tool: 'forecast',
    level: 'breaking',
    place: 'input.child.value',
    message: 'it was string and is boolean now',
  });
});

test('forms of a union that come and go are reported', async () => {
  const either = (...types: string[]): JsonObject => ({ type: 'object', properties: { at: { anyOf: types.map((type) => ({ type })) } } });
  expect(diffTools(await lock({ input: either('string', 'number') }), await lock({ input: either('string') }))).toMatchObject([
    { level: 'breaking', place: 'input.at', message: 'one form can no longer be given' },
  ]);
  expect(diffTools(await lock({ input: either('string') }), await lock({ input: either('string', 'number') }))).toMatchObject([
    { level: 'compatible', message: 'one form can be given too' },
  ]);
});

test('of tools of other servers the words and hints are locked, and what changed is shown', async () => {
  const listed = (description: string, hint: boolean, city: string) =>
    lockTools({
      list: () => [
        {
          name: 'forecast',
          providerName: 'forecast',
          examples: [],
          description,
          effects: 'writes',
          inputSchema: { type: 'object', properties: { city: { type: 'string', description: city } } },
          hints: { openWorldHint: hint },
        },
      ],
    });
  const before = await listed('Returns the weather.', true, 'A city.');
  expect(readLock(JSON.parse(JSON.stringify(before)))).toEqual(before);
  expect(diffTools(before, await listed('Tells all.', false, 'A secret.'))).toEqual([
    {
      tool: 'forecast',
      level: 'compatible',
      place: 'input.city',
      message: 'the description changed',
      before: 'A city.',
      after: 'A secret.',
    },
    { tool: 'forecast', level: 'breaking', place: 'hints.openWorldHint', message: 'the hint was true and is false now' },
    {
      tool: 'forecast',
      level: 'compatible',
      place: 'description',
      message: 'the description changed',
      before: 'Returns the weather.',
      after: 'Tells all.',
    },
  ]);
});

test('a lock survives JSON, and what is none is refused', async () => {
  const one = await lock();
  expect(readLock(JSON.parse(JSON.stringify(one)))).toEqual(one);
  expect(() => readLock({})).toThrow('this is not a lock of tools');
  expect(() => readLock({ v: 2 })).toThrow('this lock has the version 2; only 1 is known here');
  expect(() => readLock({ v: 1, tools: { a: {} } })).toThrow('the tool "a" of this lock cannot be read');
});

test('names that every object has are names like others', async () => {
  const both = { v: 1, tools: { ...(await lock()).tools, ...(await lock({ name: 'constructor' })).tools } } as const;
  expect(diffTools(await lock(), both)).toEqual([
    { tool: 'constructor', level: 'compatible', place: 'tool', message: 'the tool was added' },
  ]);
  expect(diffTools(both, await lock())).toMatchObject([{ tool: 'constructor', level: 'breaking', place: 'tool' }]);
  expect(diffTools(await lock(), await lock({ failures: { sold_out: 'conflict', toString: 'not_found' } as never }))).toEqual([
    { tool: 'forecast', level: 'compatible', place: 'failures.toString', message: 'the failure code was added, as not_found' },
  ]);
});

test.each([
  ['no input', { input: null }],
  ['a list for an output', { output: [] }],
  ['no failure codes', { failures: null }],
  ['a description that is none', { description: 5 }],
  ['other effects', { effects: 'some' }],
])('a tool with %s cannot be read from a lock', async (_, change) => {
  const { forecast } = (await lock()).tools;
  expect(() => readLock({ v: 1, tools: { forecast: { ...forecast, ...change } } })).toThrow(
    'the tool "forecast" of this lock cannot be read',
  );
});
