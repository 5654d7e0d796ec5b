import { flat } from '@toolpact/origins/flat';
import { createToolbox, defineTool, fail, type Outcome, ok, partial } from 'toolpact';
import { changePlan } from 'toolpact/extend';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

/** Failures of the tool, by keyword; any other keyword gives the documented success. */
const ends: Readonly<Record<string, () => never>> = {
  error: () => raise(new Error('Human-readable error message')),
  text: () => raise('Human-readable error message'),
  nothing: () => raise(undefined),
  http: () => raise(Object.assign(new Error('Human-readable error message'), { status: 500 })),
  frozen: () => raise(Object.freeze({ message: 'Human-readable error message' })),
  getter: () =>
    raise({
      get message() {
        return raise('no');
      },
    }),
  class: () => raise(new (class extends RangeError {})('Human-readable error message')),
};
const search = defineTool({
  name: 'search',
  description: 'Searches. Args: keyword. Returns: results.',
  input: z.object({ keyword: z.string() }),
  output: z.object({ results: z.array(z.string()) }),
  effects: 'none',
  onFailure: { results: [] },
  run: ({ keyword }) => ends[keyword]?.() ?? { results: ['...'] },
});
const toolbox = quietBox([search], { preset });
const ask = async (name: string, args: unknown) => flat.encode(await toolbox.answer({ name, args }), { strict: true });

describe('000 response structure', () => {
  const answers = [
    ['search', { keyword: 'search term' }, true],
    ...Object.keys(ends).map((keyword) => ['search', { keyword }, false] as const),
    ['search', { keyword: 7 }, false],
    ['search', {}, false],
    ['search', '{"keyword": ', false],
    ['no_such_tool', {}, false],
  ] as const;

  test.each(answers)('000-01 000-02 `success` and `error` are always there (%s, %j)', async (name, args, success) => {
    const answer = await ask(name, args);
    expect(Object.keys(answer).slice(0, 2)).toEqual(['success', 'error']);
    expect(answer.success).toBe(success);
    if (success) expect(answer.error).toBeNull();
    else expect(answer.error).toEqual(expect.stringMatching(/./));
  });

  test('000-03 fields of the tool are at top level and arguments are echoed', async () => {
    expect(Object.keys(await ask('search', { keyword: 'search term' }))).toEqual(['success', 'error', 'keyword', 'results']);
  });

  test('000-04 the success response, literally', async () => {
    expect(JSON.stringify(await ask('search', { keyword: 'search term' }))).toBe(
      '{"success":true,"error":null,"keyword":"search term","results":["..."]}',
    );
  });

  test('000-05 the error response, literally', async () => {
    const failing = quietBox([changePlan(search, { run: () => raise(new Error('Human-readable error message')) })], { preset });
    const answer = flat.encode(await failing.call('search', { keyword: 'search term' }), { strict: true });
    expect(JSON.stringify(answer)).toBe('{"success":false,"error":"Human-readable error message","keyword":"search term","results":[]}');
  });

  test.each(Object.keys(ends))('000-06 a failure carries the empty default (%s)', async (keyword) => {
    expect(await ask('search', { keyword })).toEqual({ success: false, error: expect.any(String), keyword, results: [] });
  });
});

describe('000 implementation pattern', () => {
  const use_case = vi.fn<(param: string) => unknown>();
  const my_tool = defineTool({
    name: 'my_tool',
    description: 'Tool docstring with Args/Returns.',
    input: z.object({ param: z.string().describe('What to look for.') }),
    output: z.object({ data: z.unknown() }),
    effects: 'none',
    onFailure: { data: null },
    run: async ({ param }) => ({ data: await use_case(param) }),
  });

  test('000-07 `data` holds the result, and null on failure', async () => {
    const box = quietBox([my_tool], { preset });
    use_case.mockReturnValueOnce([1, 2]).mockImplementationOnce(() => raise(new Error('str(e)')));
    const written = async () => JSON.stringify(flat.encode(await box.call('my_tool', { param: 'p' }), { strict: true }));
    expect(await written()).toBe('{"success":true,"error":null,"param":"p","data":[1,2]}');
    expect(await written()).toBe('{"success":false,"error":"str(e)","param":"p","data":null}');
  });

  test.each([
    ['no schema', undefined],
    ['the schema of a list', z.array(z.number())],
  ])('000-07 `data` is null on failure where null is declared, with %s', async (_, output) => {
    const run = () => raise(new Error('str(e)'));
    const input = z.object({ param: z.string() });
    const bare = defineTool({ name: 'bare', description: 'x', input, ...(output && { output }), onFailure: null, run });
    const answer = flat.encode(await quietBox([bare], { preset }).call('bare', { param: 'p' }), { strict: true });
    expect(answer).toEqual({ success: false, error: 'str(e)', param: 'p', data: null });
  });

  test.each([[[1, 2]], ['text'], [7], [null], [true]])('000-07 a result that is no object is under `data` (%j)', async (result) => {
    const bare = defineTool({ name: 'bare', description: 'x', input: z.object({ param: z.string() }), effects: 'none', run: () => result });
    const answer = flat.encode(await quietBox([bare]).call('bare', { param: 'p' }), { strict: true });
    expect(answer).toEqual({ success: true, error: null, param: 'p', data: result });
  });

  test.each([
    ['one line', 'boom'],
    ['several lines', 'first\nsecond\n  third'],
    ['a long text', 'word '.repeat(200)],
    ['a path', 'cannot open /srv/data/a.json'],
    ['words that sound like input', 'cache entry missing'],
    ['an address with a query', 'GET https://api.bgm.tv/v0/search?keyword=k&type=2 failed: 500'],
    ['spaces of no width', 'no\u200bbreak \ufeffhere'],
    ['words that parsers use', 'invalid token: EOF at line 3'],
    ['the name of a secret without one', 'Client(api_key=None, token=null)'],
    ['counts beside such a name', 'user=ann pass=3 of 5 tests'],
  ])('000-08 `"error": str(e)` (%s)', async (_, message) => {
    use_case.mockImplementationOnce(() => raise(new Error(message)));
    const outcome = await quietBox([my_tool], { preset }).call('my_tool', { param: 'p' });
    expect(flat.encode(outcome, { strict: true }).error).toBe(message);
  });

  test("000-08 with expose: 'verbatim' the text is str(e) to the last character", async () => {
    const message = 'GET https://maps.example/v1?key=k-1 failed: api_key=abcdef0123456789';
    use_case.mockImplementationOnce(() => raise(new Error(message)));
    const outcome = await quietBox([my_tool], { preset, expose: 'verbatim' }).call('my_tool', { param: 'p' });
    expect(flat.encode(outcome, { strict: true }).error).toBe(message);
  });

  test.each([42, 0, false, 10n, Number.NaN])('000-08 the text of something thrown that is no error (%s)', async (thrown) => {
    use_case.mockImplementationOnce(() => raise(thrown));
    const outcome = await quietBox([my_tool], { preset }).call('my_tool', { param: 'p' });
    expect(flat.encode(outcome, { strict: true }).error).toBe(String(thrown));
  });

  test('000-08 secrets in the query of an address are hidden, and nothing else of it', async () => {
    use_case.mockImplementationOnce(() => raise(new Error('GET https://maps.example/v1?q=uji&key=k-1&token=t-2&page=3: 403')));
    const outcome = await quietBox([my_tool], { preset }).call('my_tool', { param: 'p' });
    expect(flat.encode(outcome, { strict: true }).error).toBe(
      'GET https://maps.example/v1?q=uji&key=[redacted]&token=[redacted]&page=3: 403',
    );
  });

  test('000-07 a large result is whole', async () => {
    const data = Array.from({ length: 100_000 }, (_, n) => ({ n }));
    use_case.mockReturnValueOnce(data);
    const outcome = await quietBox([my_tool], { preset }).call('my_tool', { param: 'p' });
    expect(JSON.stringify(flat.encode(outcome, { strict: true }))).toBe(JSON.stringify({ success: true, error: null, param: 'p', data }));
  });

  test.each(Object.entries(ends))('000-09 everything is caught, nothing is raised (%s)', async (_, end) => {
    use_case.mockImplementationOnce(end);
    await expect(quietBox([my_tool], { preset }).call('my_tool', { param: 'p' })).resolves.toMatchObject({ status: 'error' });
  });

  test('000-10 each failure is logged with the tool, its parameters, the error and its stack', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    use_case.mockImplementation(() => raise(new Error('boom')));
    const box = createToolbox([my_tool], { preset });
    for (const param of ['a', 'a', 'b']) await box.call('my_tool', { param });
    const lines = printed.mock.calls.splice(0);
    printed.mockRestore();
    expect(lines).toEqual(['a', 'a', 'b'].map((param) => ['my_tool failed', { param }, expect.stringMatching(/^Error: boom\n\s+at /)]));
  });

  test.each([
    ['refused arguments', { param: 7 }, 'Invalid arguments for my_tool: param expected a string, received number.'],
    ['a deadline', { param: 'slow' }, 'my_tool did not finish within 20 ms.'],
    ['a text that was thrown', { param: 'text' }, 'boom'],
    ['nothing that was thrown', { param: 'nothing' }, 'The tool failed unexpectedly.'],
    ['a failure that was returned', { param: 'fail' }, /^ToolFailure: No such place\.\n\s+at /],
    ['an error with a cause', { param: 'cause' }, /^Error: lost the index\n\s+at [\s\S]+\nError: disk on fire\n\s+at /],
    ['an error whose message was changed', { param: 'changed' }, /^Error: after\n\s+at /],
  ])('000-10 the log says what was wrong: %s', async (_, args, text) => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const ways: Readonly<Record<string, () => unknown>> = {
      slow: () => new Promise(() => undefined),
      text: () => raise('boom'),
      nothing: () => raise(undefined),
      fail: () => fail('not_found', 'No such place.'),
      cause: () => raise(new Error('lost the index', { cause: new Error('disk on fire') })),
      changed: () => raise(Object.assign(new Error('before'), { message: 'after' })),
    };
    const tool = defineTool({
      name: 'my_tool',
      description: 'x',
      input: z.object({ param: z.string() }),
      timeoutMs: 20,
      run: ({ param }) => ways[param]?.(),
    });
    await createToolbox([tool], { preset }).answer({ name: 'my_tool', args });
    const lines = printed.mock.calls.splice(0).map((parts) => [...parts.slice(0, 2), String(parts[2]).replaceAll('\n  Error', '\nError')]);
    printed.mockRestore();
    expect(lines).toEqual([['my_tool failed', args, typeof text === 'string' ? text : expect.stringMatching(text)]]);
  });

  test('000-29 Args and Returns of the docstring are in the listing', () => {
    expect(quietBox([my_tool]).list()).toMatchObject([
      {
        description: 'Tool docstring with Args/Returns.',
        inputSchema: { properties: { param: { type: 'string', description: 'What to look for.' } }, required: ['param'] },
        outputSchema: { properties: { data: {} } },
      },
    ]);
  });
});

describe('000 rationale', () => {
  test('000-14 a partial failure keeps its data', async () => {
    const tool = defineTool({
      name: 'many',
      description: 'x',
      effects: 'none',
      run: () => partial({ results: ['a'] }, [{ index: 1, error: new Error('no answer') }], { total: 2 }),
    });
    const answer = flat.encode(await quietBox([tool]).call('many', {}), { strict: true });
    expect(answer).toMatchObject({ success: false, results: ['a'] });
  });

  test('000-15 what is written is plain JSON', async () => {
    for (const keyword of ['search term', ...Object.keys(ends)]) {
      const answer = await ask('search', { keyword });
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      expect(Object.getPrototypeOf(answer)).toBe(Object.prototype);
    }
  });

  test('000-16 inside the program the result is typed', async () => {
    const outcome = await toolbox.call('search', { keyword: 'search term' });
    expectTypeOf(outcome).toExtend<Outcome<{ results: string[] }>>();
    expect(Object.isFrozen(outcome)).toBe(true);
    expect(ok({ results: [] })).toBeDefined();
  });
});
