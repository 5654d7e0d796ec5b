import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { fromJsonSchema } from './index.ts';

const quiet = { report: () => undefined };

function toolOf(input: Record<string, unknown>) {
  return createToolbox(
    [defineTool({ name: 'look', description: 'Looks.', input: fromJsonSchema(input), effects: 'none', run: (given) => given })],
    quiet,
  );
}

const place = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 2 },
    days: { type: 'integer', maximum: 7 },
    stops: { type: 'array', items: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] } },
  },
  required: ['city'],
  additionalProperties: false,
};

describe('a tool described by a JSON Schema', () => {
  test('takes what every object inherits for not sent', () => {
    const schema = fromJsonSchema({ type: 'object', properties: { valueOf: { type: 'string' }, constructor: { type: 'string' } } });
    expect(schema['~standard'].validate({ a: 1 })).toEqual({ value: { a: 1 } });
    expect(schema['~standard'].validate({ valueOf: 1 })).toMatchObject({ issues: [{ path: ['valueOf'] }] });
    const needy = fromJsonSchema({ type: 'object', required: ['toString'] });
    expect(needy['~standard'].validate({})).toMatchObject({ issues: [{ message: expect.stringContaining('toString') }] });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('takes %s for no number', (value) => {
    const checked = fromJsonSchema<number>({ type: 'number' })['~standard'].validate(value);
    expect(checked).toMatchObject({ issues: [{ message: expect.any(String) }] });
  });

  test('runs with arguments that fit, unchanged', async () => {
    const outcome = await toolOf(place).call('look', { city: 'Oslo', stops: [{ at: 1 }] });
    expect(outcome).toMatchObject({ status: 'ok', data: { city: 'Oslo', stops: [{ at: 1 }] } });
  });

  test('lists the schema it was given', () => {
    const { $schema: _, ...schema } = place;
    expect(toolOf(place).list()[0]?.inputSchema).toEqual(schema);
  });

  test.each<[string, object, object[]]>([
    ['a missing field', {}, [{ path: ['city'], problem: 'missing', expected: 'a string' }]],
    ['a field of another type', { city: 5 }, [{ path: ['city'], problem: 'type', expected: 'a string', received: 'number' }]],
    ['a broken bound', { city: 'x' }, [{ path: ['city'], problem: 'rule', expected: 'have at least 2 characters' }]],
    ['an unknown field', { city: 'Oslo', dayz: 3 }, [{ path: ['dayz'], problem: 'extra', hint: 'Did you mean "days"?' }]],
    ['a field inside a list', { city: 'Oslo', stops: [{ at: 1 }, {}] }, [{ path: ['stops', 1, 'at'], problem: 'missing' }]],
    [
      'several at once',
      { days: 'two', stops: [{ at: 'x' }] },
      [
        { path: ['city'], problem: 'missing' },
        { path: ['days'], problem: 'type' },
        { path: ['stops', 0, 'at'], problem: 'type' },
      ],
    ],
  ])('explains %s', async (_, args, issues) => {
    const outcome = await toolOf(place).answer({ name: 'look', args });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', issues } });
  });

  const shapes = {
    type: 'object',
    properties: {
      shape: {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'circle' }, radius: { type: 'number' } }, required: ['kind', 'radius'] },
          { $ref: '#/$defs/square' },
          { type: 'null' },
        ],
      },
    },
    required: ['shape'],
    $defs: { square: { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] } },
  };

  test.each<[object, object[]]>([
    [{ shape: { kind: 'circle', radius: 'big' } }, [{ path: ['shape', 'radius'], problem: 'type', expected: 'a number' }]],
    [{ shape: { kind: 'square' } }, [{ path: ['shape', 'side'], problem: 'missing' }]],
    [{ shape: 'round' }, [{ path: ['shape'], problem: 'type', received: 'string' }]],
  ])('explains the branch of a union that was meant: %j', async (args, issues) => {
    const outcome = await toolOf(shapes).answer({ name: 'look', args });
    expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
    expect('error' in outcome && outcome.error.issues).toMatchObject(issues);
  });

  test('checks each field by its own pattern', () => {
    const schema = fromJsonSchema({ properties: { a: { pattern: '^a$' }, b: { pattern: '^b+b+$' }, c: { pattern: '^b$' } } });
    expect(schema['~standard'].validate({ a: 'a', b: 'bb', c: 'b' })).toHaveProperty('value');
    expect(schema['~standard'].validate({ a: 'b', b: 'a', c: 'a' })).toMatchObject({
      issues: [{ path: ['a'] }, { path: ['b'] }, { path: ['c'] }],
    });
  });

  test('checks its results too', async () => {
    const output = fromJsonSchema({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
    const tool = defineTool({ name: 'count', description: 'Counts.', output, effects: 'none', run: () => ({ n: 'many' }) });
    expect(await createToolbox([tool], quiet).call('count', {})).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_output', issues: [{ path: ['n'], problem: 'type' }] },
    });
  });

  test('does not change with the object it was made from', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const toolbox = toolOf(schema);
    schema.properties.a.type = 'number';
    expect(await toolbox.answer({ name: 'look', args: { a: 'x' } })).toMatchObject({ status: 'ok' });
    expect(toolbox.list()[0]?.inputSchema).toMatchObject({ properties: { a: { type: 'string' } } });
  });
});

describe('drafts', () => {
  const tuple = {
    type: 'object',
    properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false } },
  };

  test.each([
    ['draft 07, stated', { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }],
    ['draft 07, not stated', tuple],
  ])('a tuple of %s is checked and exported as 2020-12 writes it', async (_, schema) => {
    const toolbox = toolOf(schema);
    expect(await toolbox.answer({ name: 'look', args: { pair: ['a', 1] } })).toMatchObject({ status: 'ok' });
    expect(await toolbox.answer({ name: 'look', args: { pair: ['a', 'b'] } })).toMatchObject({
      status: 'error',
      error: { issues: [{ path: ['pair', 1], problem: 'type' }] },
    });
    expect(toolbox.list()[0]?.inputSchema).toMatchObject({
      properties: { pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false } },
    });
  });

  test('2019-09 is understood', async () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      type: 'object',
      properties: { a: {} },
      unevaluatedProperties: false,
    };
    expect(await toolOf(schema).answer({ name: 'look', args: { b: 1 } })).toMatchObject({
      status: 'error',
      error: { issues: [{ path: ['b'] }] },
    });
  });
});

describe('hostile schemas', () => {
  test.each<[string, unknown, string]>([
    [
      'a reference that leads nowhere',
      { type: 'object', properties: { a: { $ref: '#/$defs/nope' } } },
      "can't resolve reference #/$defs/nope",
    ],
    [
      'a reference to another machine',
      { type: 'object', $ref: 'https://example.com/schema.json' },
      "can't resolve reference https://example.com",
    ],
    ['a definition that is its own', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, 'leads back to itself'],
    ['a pattern that is none', { type: 'object', properties: { a: { pattern: '(' } } }, 'Invalid regular expression'],
    ['a pattern that refers back', { type: 'object', properties: { a: { pattern: '^(a+)\\1$' } } }, 'cannot be checked in bounded time'],
    [
      'names by a pattern that looks behind',
      { type: 'object', patternProperties: { '(?<=a)b': { type: 'string' } } },
      'cannot be checked in bounded time',
    ],
    ['a pattern that counts high', { properties: { a: { pattern: '^.{1,4096}$' } } }, 'counting beyond 1,000'],
    ['a type that does not exist', { type: 'wibble' }, 'type must be equal to one of the allowed values'],
    ['an old draft', { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x', type: 'object' }, 'NOT SUPPORTED: keyword "id"'],
    ['a list', [], 'it is not a JSON object'],
    ['nothing', undefined, 'it is not a JSON object'],
    ['an object that contains itself', Object.assign(Object.create(null), {}, selfish()), 'it is not a JSON object'],
  ])('%s is refused when the tool is defined', (_, schema, why) => {
    expect(() => fromJsonSchema(schema as never)).toThrow(`this JSON Schema cannot be used: `);
    expect(() => fromJsonSchema(schema as never)).toThrow(why);
  });

  test.each<[string, object]>([
    [
      'unknown keywords and formats',
      { type: 'object', 'x-order': 1, properties: { a: { type: 'string', format: 'no-such-format', widget: {} } } },
    ],
    ['an asynchronous schema', { $async: true, type: 'object' }],
    ['an escape that only other languages allow', { type: 'object', properties: { b: { pattern: '^\\_x$' } } }],
    ['two schemas of one id', { $id: 'https://example.com/one', type: 'object' }],
    ['the same id again', { $id: 'https://example.com/one', type: 'object', properties: { a: {} } }],
  ])('%s are tolerated', async (_, schema) => {
    expect(await toolOf(schema as never).answer({ name: 'look', args: { a: 'x' } })).toMatchObject({ status: 'ok', data: { a: 'x' } });
  });

  test('a schema may refer to itself', async () => {
    const toolbox = toolOf({ type: 'object', properties: { name: { type: 'string' }, child: { $ref: '#' } }, required: ['name'] });
    expect(await toolbox.answer({ name: 'look', args: { name: 'a', child: { name: 'b', child: {} } } })).toMatchObject({
      status: 'error',
      error: { issues: [{ path: ['child', 'child', 'name'], problem: 'missing' }] },
    });
  });

  test('a schema without end refuses its values instead of breaking the call', async () => {
    const toolbox = toolOf({ type: 'object', anyOf: [{ $ref: '#' }] });
    expect(await toolbox.answer({ name: 'look', args: {} })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  });
});

test('a schema that is no longer used is forgotten', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 1_000_000;
  };
  const compile = (times: number): void => {
    for (let count = 0; count < times; count += 1) fromJsonSchema({ type: 'object', properties: { a: { type: 'string' } } });
  };
  compile(1_000);
  const before = heap();
  compile(3_000);
  // Some 10 MB, where each is kept.
  expect(heap() - before).toBeLessThan(4);
});

function selfish(): object {
  const schema: Record<string, unknown> = { type: 'object' };
  schema.properties = schema;
  return schema;
}
