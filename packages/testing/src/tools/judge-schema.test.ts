import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool, type JsonObject } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { reportOnTools } from './check-tools.ts';
import { judgeSchema } from './judge-schema.ts';

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties, required: Object.keys(properties) });
const day = object({ day: { type: 'string', pattern: '^(mon|tues)day$' } });

test.each<[what: string, schema: JsonObject, value: unknown, whole: boolean, alone: boolean | undefined]>([
  ['a value that fits rules that are known', object({ n: { type: 'integer', minimum: 1 } }), { n: 1 }, true, true],
  ['one that breaks them', object({ n: { type: 'integer', minimum: 1 } }), { n: 0 }, false, false],
  ['one that fits a pattern', day, { day: 'monday' }, true, undefined],
  ['one that breaks a pattern', day, { day: 'someday' }, false, undefined],
  ['one that breaks the type before the pattern', day, { day: 1 }, false, false],
  ['a field of the name of a keyword', object({ pattern: { type: 'string' } }), { pattern: '[' }, true, true],
  ['what refers to a definition', { $ref: '#/$defs/n', $defs: { n: { type: 'number' } } }, 1, true, true],
  ['what must not be', object({ n: { not: { type: 'number' } } }), { n: 1 }, false, undefined],
  ['one of several, and no two', { oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2, false, undefined],
  ['fields that are not listed', { type: 'object', additionalProperties: { type: 'string' } }, { a: 1 }, false, undefined],
])('%s', (_, schema, value, whole, alone) => {
  expect(judgeSchema(schema, { toSchema: fromJsonSchema, own: undefined }).fits(value)).toBe(whole);
  expect(judgeSchema(schema, { toSchema: undefined, own: undefined }).fits(value)).toBe(alone);
});

test('what the tool itself accepts fits where its rules are not known; what it refuses may fit all the same', () => {
  const accepts = (own: (value: unknown) => object) => judgeSchema(day, { toSchema: undefined, own }).fits({ day: 'monday' });
  expect(accepts((value) => ({ value }))).toBe(true);
  expect(accepts((value) => ({ value, issues: undefined }))).toBe(true);
  expect(accepts(() => ({ issues: [] }))).toBeUndefined();
  expect(accepts(async (value) => ({ value }))).toBeUndefined();
  expect(
    accepts(() => {
      throw new Error('broken');
    }),
  ).toBeUndefined();
});

describe('without a validator', () => {
  const input = z.object({ mail: z.email(), day: z.enum(['monday', 'friday']) });
  const examples = [{ input: { mail: 'ann@example.com', day: 'monday' } }] as const;
  const invite = defineTool({ name: 'invite', description: 'Invites somebody.', effects: 'none', input, examples, run: () => 'yes' });

  test('a tool is tried with what it accepts itself', async () => {
    const { tools, findings } = await reportOnTools(createToolbox([invite]), { only: ['input'] });
    expect(findings).toEqual([]);
    expect(new Set(Object.values(tools[0]?.verdicts ?? {}).map(({ verdict }) => verdict))).toEqual(new Set(['kept']));
  });

  test('a remote tool with rules that are not known is tried with what breaks the others', async () => {
    const { list, answer } = createToolbox([invite]);
    const { tools, findings } = await reportOnTools({ list, answer }, { only: ['input'] });
    expect(findings).toEqual([]);
    expect(tools[0]?.verdicts).toMatchObject({
      'tools/schema-usable': { verdict: 'untested', why: expect.stringContaining('fromJsonSchema of @toolpact/openapi') },
      'tools/refuses-invalid': { verdict: 'kept' },
    });
  });
});
