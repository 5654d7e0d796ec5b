import { status, ToolErrorType, type ToolOutput } from '@toolpact/origins/status';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { defineTool, fail, type Outcome, ok } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

/** The examples of the document, literally. */
const result = {
  status: 'ok',
  input: { query: 'hello' },
  data: { answer: 'Hi there!' },
  meta: { took_ms: 42, token_usage: { prompt: 12, completion: 20 } },
};
const error = {
  status: 'error',
  input: { query: 'hello' },
  error: { type: 'VALIDATION', message: 'Missing required field', code: 'missing_field', retry_after_ms: null },
  meta: { took_ms: 10 },
};

/** Calls a tool that ends so, as 004's tools are called. */
async function write(run: () => unknown, args: unknown = { query: 'hello' }) {
  const tool = defineTool({
    name: 'my_tool',
    description: 'x',
    input: z.object({ query: z.string().trim(), top_k: z.number().optional() }),
    effects: 'none',
    run,
  });
  return status.encode(await quietBox([tool], { preset }).answer({ name: 'my_tool', args }), { strict: true });
}
const detail = async (run: () => unknown) => {
  const envelope = await write(run);
  return envelope.status === 'error' ? envelope.error : expect.unreachable();
};
const taking = (outcome: Outcome, tookMs: number): Outcome => ({ ...outcome, meta: { ...outcome.meta, tookMs } });

describe('004 ToolResult and ToolResultMeta', () => {
  test('004-24 `took_ms` is an integer of 0 or more', async () => {
    const { meta } = await write(() => 1);
    expect(Number.isInteger(meta.took_ms) && meta.took_ms >= 0).toBe(true);
    expect(status.decode({ ...result, meta: { took_ms: -1 } })).toMatchObject({ ok: false });
  });

  test.each([
    ['004-25', 'source_counts', { hr: 3 }, { sourceCounts: { hr: 3 } }],
    [
      '004-26',
      'routing',
      { embedding_profile: 'standard', vector_space_id: 'global' },
      { routing: { embedding_profile: 'standard', vector_space_id: 'global' } },
    ],
    ['004-28', 'token_usage', { prompt: 12, completion: 20 }, { tokenUsage: { prompt: 12, completion: 20 } }],
  ])('%s `%s` is written where the tool states it, and only there', async (_, field, value, options) => {
    expect((await write(() => ok(1, options))).meta).toMatchObject({ [field]: value });
    expect((await write(() => 1)).meta).not.toHaveProperty(field);
  });

  test('004-25 counts below 0 are refused', () => {
    expect(status.decode({ ...result, meta: { took_ms: 1, source_counts: { hr: -1 } } })).toMatchObject({ ok: false });
  });

  test('004-27 `cache_hit` marks an answer from the cache', async () => {
    const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', cache: { ttlMs: 60_000 }, run: () => 1 });
    const toolbox = quietBox([tool], { store: memoryStore() });
    await toolbox.call('my_tool', {});
    expect(status.encode(await toolbox.call('my_tool', {}), { strict: true }).meta).toMatchObject({ cache_hit: true });
  });

  test('004-29 004-31 a success has `status`, `input`, `data` and `meta`', async () => {
    const envelope = await write(() => ({ answer: 'Hi there!' }));
    expect(Object.keys(envelope)).toEqual(['status', 'input', 'data', 'meta']);
    expect(envelope).toMatchObject({ status: 'ok', data: { answer: 'Hi there!' } });
  });

  test('004-30 `input` is the validated model', async () => {
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      input: z.object({ query: z.string().trim(), top_k: z.number().default(5) }),
      effects: 'none',
      run: () => 1,
    });
    const envelope = status.encode(await quietBox([tool]).answer({ name: 'my_tool', args: { query: ' a ' } }), { strict: true });
    expect(envelope.input).toEqual({ query: 'a', top_k: 5 });
  });

  test('004-01 004-32 the example of `ToolResult`, literally and frozen', async () => {
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      input: z.object({ query: z.string() }),
      effects: 'none',
      run: () => ok({ answer: 'Hi there!' }, { tokenUsage: { prompt: 12, completion: 20 } }),
    });
    const outcome = taking(await quietBox([tool]).call('my_tool', { query: 'hello' }), 42);
    const envelope = status.encode(outcome, { strict: true });
    expect(JSON.stringify(envelope)).toBe(JSON.stringify(result));
    expect(Object.isFrozen(envelope) && Object.isFrozen(envelope.meta)).toBe(true);
  });
});

describe('004 ToolError, ToolErrorDetail and ToolErrorMeta', () => {
  test('004-33 `meta` of a failure is `took_ms`', async () => {
    expect((await write(() => raise(new Error('no')))).meta).toEqual({ took_ms: expect.any(Number) });
  });

  test('004-34 004-35 `type` and `message` are always there', async () => {
    expect(await detail(() => raise(new Error('Something broke')))).toMatchObject({ type: 'FATAL', message: 'Something broke' });
  });

  test('004-36 `code` is the code of the tool', async () => {
    expect(await detail(() => fail('conflict', 'no', { code: 'stale_version' }))).toMatchObject({ code: 'stale_version' });
  });

  test('004-36 004-40 004-41 an exception that carries a code, a status and an endpoint keeps them', async () => {
    const facts = { name: 'RateLimitedError', code: 'llm_rate_limited', retry_after_ms: 2000, upstream_status: 429 };
    const thrown = Object.assign(new Error('no'), facts, { endpoint: 'https://llm.example/v1' });
    expect(await detail(() => raise(thrown))).toEqual({
      type: 'RATE_LIMIT',
      message: 'no',
      code: 'llm_rate_limited',
      cause: 'RateLimitedError',
      retry_after_ms: 2000,
      upstream_status: 429,
      endpoint: 'https://llm.example/v1',
    });
  });

  test('004-37 `cause` is the name of the exception', async () => {
    expect(await detail(() => raise(new RangeError('no')))).toMatchObject({ cause: 'RangeError' });
  });

  test('004-38 `details` is an object for more', async () => {
    expect(await detail(() => fail('conflict', 'no', { details: { field: 'name' } }))).toMatchObject({ details: { field: 'name' } });
  });

  test('004-39 `retry_after_ms` is how long to wait', async () => {
    expect(await detail(() => fail('rate_limited', 'no', { retryAfterMs: 2000 }))).toMatchObject({ retry_after_ms: 2000 });
    expect(await detail(() => fail('conflict', 'no'))).toMatchObject({ retry_after_ms: null });
  });

  test('004-40 004-41 `upstream_status` and `endpoint` are those of the other side', async () => {
    const upstream = { status: 503, endpoint: 'https://llm.example/v1' };
    expect(await detail(() => fail('upstream', 'no', { upstream }))).toMatchObject({
      upstream_status: 503,
      endpoint: 'https://llm.example/v1',
    });
  });

  test.each(['ingest-queue', '/v1/embeddings', 'kafka:topic-a'])('004-41 `endpoint` may be no address (%s)', async (endpoint) => {
    expect(await detail(() => fail('upstream', 'no', { upstream: { endpoint } }))).toMatchObject({ endpoint });
  });

  test('004-42 `attempt` is the number of the attempt that failed', async () => {
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      effects: 'none',
      retry: { attempts: 3, baseMs: 1 },
      run: () => raise(Object.assign(new Error('no'), { status: 503 })),
    });
    const outcome = await quietBox([tool]).call('my_tool', {});
    expect(status.encode(outcome, { strict: true })).toMatchObject({ error: { attempt: 3 } });
    const read = status.decode({ ...error, error: { ...error.error, attempt: 2 } });
    expect(read.ok && status.encode(read.outcome, { strict: true })).toMatchObject({ error: { attempt: 2 } });
  });

  test('004-43 the example of `ToolError`, literally and frozen', async () => {
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      input: z.object({ query: z.string() }),
      effects: 'none',
      failures: { missing_field: 'invalid_input' },
      run: (_, ctx) => ctx.fail('missing_field', 'Missing required field'),
    });
    const outcome = await quietBox([tool], { preset }).call('my_tool', { query: 'hello' });
    const envelope = status.encode(taking(outcome, 10), { strict: true });
    expect(JSON.stringify(envelope)).toBe(JSON.stringify(error));
    expect(Object.isFrozen(envelope) && envelope.status === 'error' && Object.isFrozen(envelope.error)).toBe(true);
    const read = status.decode(error);
    expect(read.ok && JSON.stringify(status.encode(read.outcome, { strict: true }))).toBe(JSON.stringify(error));
  });

  test.each([
    ['004-44', 'RATE_LIMIT', () => raise(Object.assign(new Error('no'), { status: 429 }))],
    ['004-45', 'TIMEOUT', () => raise(Object.assign(new Error('no'), { name: 'TimeoutError' }))],
    ['004-46', 'UPSTREAM', () => raise(Object.assign(new Error('no'), { status: 502 }))],
    ['004-47', 'VALIDATION', () => fail('invalid_input', 'no')],
    ['004-48', 'RETRYABLE', () => raise(Object.assign(new Error('no'), { code: 'ECONNRESET' }))],
    ['004-49', 'FATAL', () => raise(new Error('no'))],
  ] as const)('%s `%s` is written, and read back as itself', async (_, type, run) => {
    expect(await detail(run)).toMatchObject({ type });
    const read = status.decode({ ...error, error: { ...error.error, type } });
    expect(read.ok && status.encode(read.outcome, { strict: true })).toMatchObject({ error: { type } });
  });

  test('004-44 004-49 `ToolErrorType` has six members, each with its name as value', () => {
    expect(ToolErrorType).toEqual(
      Object.fromEntries(['RATE_LIMIT', 'TIMEOUT', 'UPSTREAM', 'VALIDATION', 'RETRYABLE', 'FATAL'].map((type) => [type, type])),
    );
  });

  test('004-47 `VALIDATION` is for input and for the answer', async () => {
    expect(await write(() => 1, { query: 7 })).toMatchObject({ error: { type: 'VALIDATION' } });
    const tool = defineTool({ name: 'my_tool', description: 'x', output: z.number(), effects: 'none', run: () => 'text' as never });
    expect(status.encode(await quietBox([tool]).call('my_tool', {}))).toMatchObject({ error: { type: 'VALIDATION' } });
  });
});

describe('004 ToolOutput and JSON Schema', () => {
  const myTool = defineTool({
    name: 'my_tool',
    description: 'x',
    input: z.object({ query: z.string() }),
    output: z.object({ answer: z.string() }),
    effects: 'none',
    run: () => ({ answer: 'Hi there!' }),
  });
  const compile = (schema: object) => new Ajv2020({ strict: false }).compile(schema);

  test('004-50 the two arms differ by `status`, and validated', () => {
    expect(status.decode(result)).toMatchObject({ ok: true, outcome: { status: 'ok' } });
    expect(status.decode(error)).toMatchObject({ ok: true, outcome: { status: 'error' } });
    for (const broken of [
      { ...result, status: 'maybe' },
      { ...result, status: 'error' },
      { ...error, status: 'ok' },
      { ...error, error: {} },
    ])
      expect(status.decode(broken)).toMatchObject({ ok: false });
  });

  test('004-51 `ToolOutput[IT, OT]` is typed in both arms', async () => {
    const output = status.encode<{ answer: string }, { query: string }>(await quietBox([myTool]).call('my_tool', { query: 'hello' }));
    expectTypeOf(output).toEqualTypeOf<ToolOutput<{ query: string }, { answer: string }>>();
    if (output.status === 'ok') expectTypeOf(output.data).toEqualTypeOf<{ answer: string }>();
    expect(output.status === 'ok' ? output.data.answer : output.error.message).toBe('Hi there!');
  });

  test('004-52 every model has a schema', () => {
    const { $defs } = status.jsonSchema() as { $defs: object };
    expect(Object.keys($defs)).toEqual(
      expect.arrayContaining(['ToolContext', 'ToolResult', 'ToolResultMeta', 'ToolError', 'ToolErrorDetail', 'ToolErrorMeta']),
    );
  });

  test('004-53 `ToolResult[MyInput, MyOutput]` has one of its own', () => {
    const validates = compile(status.jsonSchema(myTool));
    expect(validates(result)).toBe(true);
    expect(validates(error)).toBe(true);
    expect(validates({ ...result, data: { answer: 7 } })).toBe(false);
    expect(validates({ ...result, input: { query: 7 } })).toBe(false);
  });

  test('004-54 examples are in the schemas and validate', () => {
    const schema = status.jsonSchema() as { $defs: Record<string, { examples?: object[] }> };
    const models = ['ToolContext', 'ToolResult', 'ToolResultMeta', 'ToolError', 'ToolErrorDetail', 'ToolErrorMeta'];
    for (const model of models) {
      const examples = schema.$defs[model]?.examples ?? [];
      expect(examples.length, model).toBeGreaterThan(0);
      const validates = compile({ $defs: schema.$defs, $ref: `#/$defs/${model}` });
      for (const one of examples) expect(validates(one), `${model} ${JSON.stringify(validates.errors)}`).toBe(true);
    }
    expect(schema.$defs.ToolResult?.examples).toContainEqual(result);
    expect(schema.$defs.ToolError?.examples).toContainEqual(error);
  });
});
