import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type } from 'arktype';
import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending, toJsonSchema } from 'toolpact';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

/** The exported schemas are judged by a validator that is not ours. */

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const shared = { description: 'Finds.', effects: 'none', failures: { no_such_place: 'not_found' } } as const;
const run = ({ q }: { q: string }) => {
  if (q === 'throw') throw new Error('boom');
  if (q === 'fail') return fail('not_found', 'x', { code: 'no_such_place', data: { q }, retryAfterMs: 5, upstream: { status: 404 } });
  if (q === 'partial') return partial({ hits: [] }, [{ index: 0, id: 'a', error: new Error('x') }]);
  if (q === 'pending') return pending({ handle: 'h', reason: 'input', ask: { message: 'Which?', schema: { type: 'object' } } });
  return ok({ hits: [q] }, { message: 'Found.', tokenUsage: { prompt: 1 }, content: [{ type: 'text', text: q }] });
};
const example = { input: { q: 'a' }, output: { hits: ['a'] } };

const tools = [
  defineTool({
    ...shared,
    name: 'by_zod',
    input: z.object({ q: z.string() }),
    output: z.object({ hits: z.array(z.string()) }),
    examples: [example],
    run,
  }),
  defineTool({
    ...shared,
    name: 'by_valibot',
    input: toStandardJsonSchema(v.object({ q: v.string() })),
    output: toStandardJsonSchema(v.object({ hits: v.array(v.string()) })),
    examples: [example],
    run,
  }),
  defineTool({ ...shared, name: 'by_arktype', input: type({ q: 'string' }), output: type({ hits: 'string[]' }), examples: [example], run }),
];
const toolbox = createToolbox(tools, { report: () => undefined });

describe.each(tools.map((tool) => [tool.name, toJsonSchema(tool)] as const))('%s', (name, schemas) => {
  test('exports input and output with its examples', () => {
    expect(schemas.input).toMatchObject({ type: 'object', properties: { q: { type: 'string' } }, required: ['q'], examples: [{ q: 'a' }] });
    expect(schemas.output).toMatchObject({
      type: 'object',
      properties: { hits: { type: 'array', items: { type: 'string' } } },
      examples: [{ hits: ['a'] }],
    });
    expect(schemas.input).not.toHaveProperty('$schema');
  });

  test.each([{ q: 'x' }, { q: 'throw' }, { q: 'fail' }, { q: 'partial' }, { q: 'pending' }, {}, null, '{"q":'])(
    'every outcome of %j fits the exported union',
    async (args) => {
      const outcome: Outcome = await toolbox.answer({ name, args }, { tenantId: 't', callId: 'c' });
      const valid = ajv.validate(schemas.outcome, outcome);
      expect(ajv.errors ?? []).toEqual([]);
      expect(valid).toBe(true);
    },
  );

  test.each([
    ['a status that does not exist', { status: 'fine' }],
    ['data that breaks the output schema', { data: { hits: [1] } }],
    ['no meta', { meta: undefined }],
  ])('refuses an outcome with %s', async (_what, change) => {
    const outcome = { ...(await toolbox.answer({ name, args: { q: 'x' } })), ...change };
    expect(ajv.validate(schemas.outcome, JSON.parse(JSON.stringify(outcome)))).toBe(false);
  });

  test('closes the set of codes', async () => {
    const outcome = await toolbox.answer({ name, args: { q: 'fail' } });
    expect(outcome).toMatchObject({ error: { code: 'no_such_place' } });
    const other = { ...outcome, error: { ...(outcome as { error: object }).error, code: 'surprise' } };
    expect(ajv.validate(schemas.outcome, other)).toBe(false);
  });
});
