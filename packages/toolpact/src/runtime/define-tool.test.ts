import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as zod3 } from 'zod/v3';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { defineGuard } from './guards/define-guard.ts';

const base = { name: 'echo', description: 'Echoes.', effects: 'none', run: () => 1 } as const;

describe('a mistake in a definition throws at once', () => {
  test.each([
    ['a bad name', { ...base, name: 'has space' }, /must be letters/],
    ['no description', { ...base, description: ' ' }, /needs a description/],
    ['no run', { ...base, run: undefined }, /needs a `run` function/],
    ['unknown effects', { ...base, effects: 'some' }, /effects must be "none", "idempotent" or "writes"/],
    ['a timeout of nothing', { ...base, timeoutMs: 0 }, /timeoutMs must be a number above 0/],
    ['an input that is no schema', { ...base, input: { type: 'object' } }, /input is not a Standard Schema. Use a schema of zod/],
    ['an approval that is a number', { ...base, approval: 5 }, /approval must be a boolean, a question, a function or an object/],
    ['a key without its object', { ...base, idempotency: true }, /idempotency: options must be an object with "key" or "ttlMs"/],
    [
      'a failure code of no kind',
      { ...base, failures: { broke: 'bankrupt' } },
      /failures.broke must be "invalid_input", "unknown_tool", .* or "/,
    ],
    [
      'a failure of a kind that is misspelt',
      { ...base, failures: { no: 'notfound' } },
      /failures.no must be .*; did you mean "not_found"\?$/,
    ],
    [
      'an example that breaks its input',
      { ...base, input: z.object({ q: z.string() }), examples: [{ input: { q: 1 } }] },
      /input of example 1 breaks its schema: q/,
    ],
    ['an example without input', { ...base, input: z.object({ q: z.string() }), examples: [{}] }, /input of example 1 breaks its schema/],
    [
      'an example that breaks its output',
      { ...base, output: z.number(), examples: [{ input: {}, output: 'x' }] },
      /output of example 1 breaks its schema/,
    ],
  ])('%s', (_what, definition, message) => {
    expect(() => defineTool(definition as never)).toThrow(message);
  });
});

describe('a mistake among tools throws at createToolbox', () => {
  const named = (name: string) => defineTool({ ...base, name });
  test.each([
    ['two of one name', [named('a'), named('a')], /two tools are named "a"/],
    ['names a provider cannot tell apart', [named('rag:search'), named('rag_search')], /a model cannot tell the names/],
    ['names that differ in case and separators only', [named('get_user'), named('getUser')], /the names "get_user" and "getUser" apart/],
    [
      'a schema without JSON form',
      [defineTool({ ...base, input: z.object({ when: z.date() }) })],
      /tool "echo": its input cannot be exported as JSON Schema: the field "when": Date/,
    ],
    [
      'a schema library without JSON Schema',
      [defineTool({ ...base, input: v.object({ q: v.string() }) })],
      /this valibot schema has no JSON Schema: wrap it in toStandardJsonSchema of @valibot\/to-json-schema, or give/,
    ],
    ['a zod that cannot export', [defineTool({ ...base, input: zod3.object({ q: zod3.string() }) })], /import from zod 4\.2 or newer/],
    [
      'another library that cannot export',
      [defineTool({ ...base, input: { '~standard': { version: 1, vendor: 'mine', validate: (value) => ({ value: value as object }) } } })],
      /this mine schema has no JSON Schema: take a newer version of the library, if it can export its schemas, or give `jsonSchema\.input`/,
    ],
    ['an input that is not an object', [defineTool({ ...base, input: z.string() } as never)], /its input must be the schema of an object/],
    [
      'a promise without a store',
      [defineTool({ ...base, idempotency: {} })],
      /declares idempotency, which needs a store: createToolbox\(tools, /,
    ],
  ])('%s', (_what, tools, message) => {
    expect(() => createToolbox(tools as never)).toThrow(message);
  });

  test('a guard of an unknown phase', () => {
    expect(() =>
      createToolbox([], { use: [defineGuard({ name: 'odd', phase: 'never' as 'run', around: (_call, next) => next() })] }),
    ).toThrow(/unknown phase "never"; the phases are list, repeat, policy, /);
  });
});

test('a schema library without JSON Schema can be helped out', () => {
  const input = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] };
  const tool = defineTool({ ...base, input: v.object({ q: v.string() }), jsonSchema: { input } });
  expect(createToolbox([tool]).list()[0]?.inputSchema).toEqual(input);
});

test('a promise called without its guard answers not_configured', async () => {
  const tool = defineTool({ ...base, idempotency: { ttlMs: 1000 } });
  expect(await tool.call({})).toMatchObject({
    status: 'error',
    error: { kind: 'not_configured', effect: 'none', recovery: 'stop' },
    meta: { attempts: 0 },
  });
});

test('a tool without arguments takes none, an empty object, or nothing at all', async () => {
  const tool = defineTool(base);
  const toolbox = createToolbox([tool]);
  expect(await tool.call({})).toMatchObject({ status: 'ok', data: 1 });
  expect(await toolbox.answer({ name: 'echo' })).toMatchObject({ status: 'ok', data: 1 });
  expect(await toolbox.answer({ name: 'echo', args: '' })).toMatchObject({ status: 'ok', data: 1 });
});

test('the exported input schema spends no tokens on what says nothing', () => {
  const tool = defineTool({ ...base, input: z.object({ mail: z.email(), count: z.number().int() }) });
  expect(createToolbox([tool]).list()[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { mail: { type: 'string', format: 'email' }, count: { type: 'integer' } },
    required: ['mail', 'count'],
  });
});
