import { buildErrorResponse, buildSuccessResponse, coded, ErrorCode, responseTimer } from '@toolpact/origins/coded';
import { defineTool, fail } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const my_tool = defineTool({
  name: 'my_tool',
  description: 'x',
  input: z.object({ query: z.string(), top_k: z.number().int().default(5), page: z.url().optional() }),
  effects: 'none',
  run({ query, top_k }) {
    if (query === '') return fail('invalid_input', 'query must not be empty');
    if (query === 'raise') throw new Error('boom');
    return { result: `${top_k} results`, query };
  },
});
const numbered = (name: string) => defineTool({ name, description: 'x', effects: 'none', run: () => ({ name }) });
const toolbox = quietBox([my_tool, numbered('rag:search'), numbered('web:search')], { preset });
const ask = async (args: unknown, name = 'my_tool', context = {}) =>
  coded.encode(await toolbox.answer({ name, args }, context), { strict: true });

describe('002 response structure', () => {
  test('002-01 the envelope is `code`, `message`, `data` and `meta`', async () => {
    for (const query of ['test', '', 'raise']) {
      const response = await ask({ query });
      expect(Object.keys(response)).toEqual(['code', 'message', 'data', 'meta']);
      expect(Object.keys(response.meta)).toEqual(['tool', 'execution_time_ms', 'resource_type', 'session_id', 'trace_id']);
    }
  });

  test.each([
    [{ query: 'test' }, 0],
    [{ query: '' }, 4003],
    [{}, 4002],
    [{ query: 'raise' }, 5004],
  ])('002-02 %j has 0, 4xxx or 5xxx', async (args, code) => {
    expect((await ask(args)).code).toBe(code);
  });

  test('002-03 the message is "success" or the description of the error', async () => {
    expect((await ask({ query: 'test' })).message).toBe('success');
    expect((await ask({ query: 'raise' })).message).toBe('boom');
  });

  test('002-04 data is an object or null', async () => {
    expect((await ask({ query: 'test' })).data).toEqual({ result: '5 results', query: 'test' });
    expect((await ask({ query: 'raise' })).data).toBeNull();
    const bare = defineTool({ name: 'bare', description: 'x', effects: 'none', run: () => ['a', 'b'] });
    expect(coded.encode(await quietBox([bare]).call('bare', {}), { strict: true }).data).toEqual({ result: ['a', 'b'] });
  });

  test('002-05 002-06 meta has the tool, and the time as a number above 0, also for failures', async () => {
    for (const query of ['test', '', 'raise']) {
      const { meta } = await ask({ query });
      expect(meta.tool).toBe('my_tool');
      expect(meta.execution_time_ms).toBeGreaterThan(0);
    }
  });

  test('002-08 002-09 meta has the session and the trace that the caller gave, also for failures', async () => {
    for (const query of ['test', '', 'raise']) {
      const { meta } = await ask({ query }, 'my_tool', { sessionId: 's-1', traceId: 't-1' });
      expect(meta).toMatchObject({ session_id: 's-1', trace_id: 't-1' });
    }
    const { meta } = await ask({ query: 'test' });
    expect(meta.session_id).toBeNull();
    expect(meta.trace_id).toEqual(expect.stringMatching(/./));
  });
});

describe('002 parameter processing', () => {
  test('002-29 a missing parameter with a default takes it, without an error', async () => {
    expect(await ask({ query: 'test' })).toMatchObject({ code: 0, data: { result: '5 results' } });
  });

  test('002-30 a missing parameter without a default is 4002', async () => {
    expect(await ask({})).toMatchObject({ code: 4002 });
  });

  test('002-31 a parameter of the wrong type is 4003', async () => {
    expect(await ask({ query: 5 })).toMatchObject({ code: 4003 });
    expect(await ask({ query: 'test', top_k: 'many' })).toMatchObject({ code: 4003 });
  });

  test('002-32 a tool that does not exist is 4001', async () => {
    expect(await ask({}, 'no_such_tool')).toMatchObject({ code: 4001 });
  });

  test('002-32 an ambiguous name is 4001 and names the candidates', async () => {
    const { code, message } = await ask({}, 'search');
    expect(code).toBe(4001);
    expect(message).toContain('rag:search');
    expect(message).toContain('web:search');
  });

  test.each(['rag:search', 'rag_search', 'rag-search', 'rag.search'])('002-32 %s is found', async (name) => {
    expect(await ask({}, name)).toMatchObject({ code: 0, data: { name: 'rag:search' } });
  });
});

describe('002 usage examples', () => {
  const facts = { tool: 'my_tool', executionTimeMs: 12.5, resourceType: 'my_resource', sessionId: 's-1', traceId: 't-1' };
  const meta = { tool: 'my_tool', execution_time_ms: 12.5, resource_type: 'my_resource', session_id: 's-1', trace_id: 't-1' };

  test('002-33 `build_success_response`', () => {
    const response = buildSuccessResponse({ data: { result: 'r', query: 'q' }, ...facts });
    expect(response).toEqual({ code: 0, message: 'success', data: { result: 'r', query: 'q' }, meta });
  });

  test('002-34 `build_error_response` with partial data', () => {
    const response = buildErrorResponse({
      code: ErrorCode.API_REQUEST_FAILED,
      message: 'Connection timeout',
      data: { query: 'q' },
      ...facts,
    });
    expect(response).toEqual({ code: 5002, message: 'Connection timeout', data: { query: 'q' }, meta });
  });

  test('002-35 `ResponseTimer` gives the time that passed', () => {
    let now = 100;
    const timer = responseTimer(() => now);
    now = 112.5;
    expect(timer.elapsedMs()).toBe(12.5);
    expect(responseTimer(() => now).elapsedMs()).toBeGreaterThan(0);
  });

  test('002-36 a response is consumed by its code', () => {
    const read = coded.decode({ code: 0, message: 'success', data: { result: 'r', query: 'q' }, meta });
    expect(read).toMatchObject({
      ok: true,
      outcome: { status: 'ok', data: { result: 'r', query: 'q' }, meta: { tookMs: 12.5, traceId: 't-1' } },
    });
    const failed = coded.decode({ code: 5002, message: 'Connection timeout', data: { query: 'q' }, meta });
    expect(failed).toMatchObject({
      ok: true,
      outcome: { status: 'error', error: { message: 'Connection timeout' }, data: { query: 'q' } },
    });
  });
});

describe('002 testing, ported', () => {
  test('002-47 test_my_tool_success', async () => {
    const result = await ask({ query: 'test' });
    for (const field of ['code', 'message', 'data', 'meta']) expect(result).toHaveProperty(field);
    expect(result.code).toBe(0);
    expect(result.message).toBe('success');
    expect(result.data).toHaveProperty('result');
    expect(result.meta.tool).toBe('my_tool');
    expect(result.meta.execution_time_ms).toBeGreaterThan(0);
    expect(result.meta.trace_id).not.toBeNull();
  });

  test('002-47 test_my_tool_error', async () => {
    const result = await ask({ query: '' });
    expect(result.code).not.toBe(0);
    expect(result.message).not.toBe('success');
    expect(result.meta.tool).toBe('my_tool');
  });

  test('002-47 what is raised for tests does not end them', () => expect(() => raise(new Error('x'))).toThrow('x'));
});
