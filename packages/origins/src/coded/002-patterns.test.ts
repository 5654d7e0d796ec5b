import { coded } from '@toolpact/origins/coded';
import { defineTool, fail, partial, summarize } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

async function write(run: () => unknown) {
  const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', run });
  return coded.encode(await quietBox([tool], { preset }).call('my_tool', {}), { strict: true });
}

describe('002 pattern 1: simple success or error', () => {
  test('002-42 a success', async () => {
    expect(await write(() => ({ result: 'r' }))).toMatchObject({ code: 0, message: 'success', data: { result: 'r' } });
  });

  test.each([
    ['a bare error', new Error('boom')],
    ['later lines', new Error('first line\nsecond line\n  at somewhere')],
    ['a long text', new Error('word '.repeat(200))],
    ['a path', new Error('cannot open /srv/data/a.json')],
    ['words that sound like input', new Error('cache entry missing')],
    ['words that sound like a search', new Error('template not found in bundle')],
    ['words that sound like a type', new Error('unsupported operand')],
    ['a range', new RangeError('bad value')],
    ['a class of its own', new (class ParserError extends Error {})('bad value')],
  ])('002-42 any exception is 5004 with `message=str(e)` (%s)', async (_, error) => {
    expect(await write(() => raise(error))).toMatchObject({ code: 5004, message: error.message, data: null });
  });
});

describe('002 pattern 2: conditional success or error', () => {
  const conditional = (result: { success?: boolean; result?: string; error?: string }) =>
    write(() => (result.success === true ? { result: result.result } : fail('upstream', result.error ?? 'Unknown error')));

  test.each([
    [
      { success: true, result: 'r' },
      { code: 0, message: 'success', data: { result: 'r' } },
    ],
    [
      { success: false, error: 'quota' },
      { code: 5002, message: 'quota', data: null },
    ],
    [{}, { code: 5002, message: 'Unknown error', data: null }],
  ])('002-43 %j', async (result, response) => {
    expect(await conditional(result)).toMatchObject(response);
  });
});

describe('002 pattern 3: partial success', () => {
  /** The pattern as the document has it, with the results of `process_batch` as they come. */
  const processed = (results: readonly { readonly success: boolean }[]) =>
    write(() => {
      const failed = results.flatMap(({ success }, index) => (success ? [] : [{ index, error: fail('upstream', 'no') }]));
      const data = { results: [...results] };
      if (failed.length === results.length) return fail('all_failed', 'All items failed', { data });
      return failed.length > 0 ? partial(data, failed, { total: results.length }) : data;
    });
  const [good, bad] = [{ success: true }, { success: false }];

  test('002-44 all failed: 5008 with the results', async () => {
    expect(await processed([bad, bad])).toMatchObject({ code: 5008, message: 'All items failed', data: { results: [bad, bad] } });
  });

  test.each([
    [[good, bad, good], '1 out of 3 items failed', 1],
    [[bad, bad, good, good], '2 out of 4 items failed', 2],
  ])('002-45 some failed: 5009 with the results and the count (%j)', async (results, message, failed_count) => {
    const { code, message: written, data } = await processed(results);
    expect({ code, message: written, data }).toEqual({ code: 5009, message, data: { results, failed_count } });
  });

  test('002-45 none failed: 0 with the results', async () => {
    expect(await processed([good, good])).toMatchObject({ code: 0, message: 'success', data: { results: [good, good] } });
  });

  const step = defineTool({
    name: 'step',
    description: 'x',
    input: z.object({ n: z.number() }),
    effects: 'none',
    run: ({ n }) => (n < 0 ? fail('upstream', 'no answer') : { n }),
  });
  const batch = async (...numbers: number[]) => {
    const items = await quietBox([step], { preset }).batch(numbers.map((n) => ({ tool: 'step' as const, args: { n } })));
    const { code, message, data } = coded.encode(summarize(items), { strict: true });
    return { code, message, data };
  };

  test('002-46 a batch is summed up in the same way', async () => {
    expect(await batch(1, 2)).toEqual({ code: 0, message: 'success', data: { results: [{ n: 1 }, { n: 2 }] } });
    expect(await batch(1, -1, 2)).toEqual({
      code: 5009,
      message: '1 out of 3 items failed',
      data: { results: [{ n: 1 }, { code: 5002, message: 'no answer' }, { n: 2 }], failed_count: 1 },
    });
    expect(await batch(-1, -2)).toMatchObject({
      code: 5008,
      message: 'All items failed',
      data: {
        results: [
          { code: 5002, message: 'no answer' },
          { code: 5002, message: 'no answer' },
        ],
      },
    });
  });
});
