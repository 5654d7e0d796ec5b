import { describe, expect, test } from 'vitest';
import { fromJsonSchema } from '../schemas/index.ts';
import { convertSchema, type Side } from './convert-schema.ts';
import { createPatternCheck } from './create-pattern-check.ts';

const account = {
  type: 'object',
  properties: { id: { type: 'string', readOnly: true }, password: { type: 'string', writeOnly: true }, name: { type: 'string' } },
  required: ['id', 'password'],
  additionalProperties: false,
};

function convert(schema: unknown, side: Side = 'request', is30 = true): unknown {
  return convertSchema(schema, {
    is30,
    side,
    refer: (ref) => `#/$defs/${ref.split('/').at(-1)}`,
    lookUp: () => account,
    isSafePattern: createPatternCheck(),
  });
}

describe('the schemas of 3.0 are written as 2020-12', () => {
  test.each<[string, object, object]>([
    ['nullable', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a nullable enum', { type: 'string', enum: ['a'], nullable: true }, { type: ['string', 'null'], enum: ['a', null] }],
    [
      'a nullable union',
      { nullable: true, description: 'd', oneOf: [{ type: 'string' }, { type: 'number' }] },
      { description: 'd', anyOf: [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'null' }] },
    ],
    ['a nullable reference', { $ref: '#/components/schemas/A', nullable: true }, { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] }],
    ['an exclusive minimum', { type: 'number', minimum: 1, exclusiveMinimum: true }, { type: 'number', exclusiveMinimum: 1 }],
    ['an inclusive maximum', { type: 'number', maximum: 1, exclusiveMaximum: false }, { type: 'number', maximum: 1 }],
    ['an example', { type: 'string', example: 'x' }, { type: 'string', examples: ['x'] }],
    [
      'what stands beside a reference',
      { $ref: '#/components/schemas/A', type: 'string', description: 'd' },
      { $ref: '#/$defs/A', description: 'd' },
    ],
    ['a tuple', { type: 'array', items: [{ type: 'string' }] }, { type: 'array', prefixItems: [{ type: 'string' }] }],
    ['a tuple without items', { type: 'array', items: [] }, { type: 'array' }],
  ])('%s', (_, given, converted) => expect(convert(given)).toEqual(converted));

  test('in 3.1 what stands beside a reference counts', () => {
    expect(convert({ $ref: '#/components/schemas/A', minLength: 2 }, 'request', false)).toEqual({ $ref: '#/$defs/A', minLength: 2 });
  });
});

describe('what no validator would take is left out', () => {
  test.each<[string, object, object]>([
    ['a type that does not exist', { type: 'file' }, {}],
    ['required as a flag', { type: 'string', required: true }, { type: 'string' }],
    ['required twice', { required: ['a', 'a', 3] }, { required: ['a'] }],
    ['an empty enum', { enum: [] }, {}],
    ['bounds that are texts', { minLength: '3', maximum: 'x', multipleOf: 0 }, {}],
    ['a description that is none', { description: null, title: 4 }, {}],
    ['a pattern of another language', { pattern: '(?<!x' }, {}],
    ['a pattern that refers back', { pattern: '^(a+)\\1$' }, {}],
    ['a discriminator and extensions', { discriminator: { propertyName: 'x' }, 'x-a': 1, xml: {} }, {}],
    ['what is inherited', JSON.parse('{"__proto__": {"type": "string"}, "constructor": 1}'), {}],
  ])('%s', (_, given, converted) => {
    expect(convert(given)).toEqual(converted);
    expect(() => fromJsonSchema(converted as never)).not.toThrow();
  });
});

describe('the two directions', () => {
  test('requests hold no read-only fields', () => {
    expect(convert(account)).toEqual({
      type: 'object',
      properties: { password: { type: 'string' }, name: { type: 'string' } },
      required: ['password'],
      additionalProperties: false,
    });
  });

  test('requests do not require read-only fields that another part describes', () => {
    expect(convert({ allOf: [{ $ref: '#/components/schemas/Account' }], required: ['id', 'name'] })).toEqual({
      allOf: [{ $ref: '#/$defs/Account' }],
      required: ['name'],
    });
  });

  test('answers may hold more than is described, and no write-only fields', () => {
    expect(convert(account, 'response')).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
      required: ['id'],
    });
  });

  test('answers may fit two of several forms', () => {
    expect(convert({ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'response')).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'number' }],
    });
  });
});

test('an object that contains itself, as dereferencing tools make them, comes to an end', () => {
  const node: Record<string, unknown> = { type: 'object' };
  node.properties = { child: node };
  expect(convert(node)).toEqual({ type: 'object', properties: { child: {} } });
});

test('parts that are put together from parts do not multiply without end', () => {
  const parts = Array.from({ length: 400 }, () => ({ $ref: '#/components/schemas/A' }));
  const again: unknown = convertSchema(
    { allOf: parts },
    { is30: true, side: 'request', refer: (ref) => ref, lookUp: () => ({ allOf: parts }), isSafePattern: () => true },
  );
  expect(again).toEqual({ allOf: parts });
});

test('the patterns of one description have a bounded number of states together; later ones are left to the API', () => {
  const large = (at: number): string => `^(?:a{1,400}|b${at})$`;
  const properties = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`p${at}`, { type: 'string', pattern: large(at) }]));
  const small = { type: 'string', pattern: '^a+$' };
  const converted = convert({ type: 'object', properties: { first: small, ...properties, again: small } }) as {
    readonly properties: Readonly<Record<string, object>>;
  };
  const checked = Object.values(converted.properties).filter((schema) => 'pattern' in schema);
  expect(checked.length).toBeGreaterThan(200);
  expect(checked.length).toBeLessThan(260);
  expect(converted.properties.again).toEqual(small);
  expect(converted.properties.p399).toEqual({ type: 'string' });
});
