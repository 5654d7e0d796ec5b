import { expect, test } from 'vitest';
import { fail, ok, partial, pending } from '../../outcome/index.ts';
import { defineTool } from '../define-tool.ts';

const answer = (reply: unknown) => defineTool({ name: 'reply', description: 'x', effects: 'none', run: () => reply as object }).call({});

test.each([Number.NaN, -1, 1.5, '7', null])('a total of %j is replaced by the number of known items', async (total) => {
  const reply = partial(['a', 'b'], [{ index: 2, error: fail('not_found', 'No c.') }], { total: total as number });
  expect(await answer(reply)).toMatchObject({ status: 'partial', total: 3 });
});

test('counts that are null are left out', async () => {
  const outcome = await answer(ok(1, { tokenUsage: null as never, sourceCounts: null as never }));
  expect(outcome.meta).not.toHaveProperty('tokenUsage');
  expect(outcome.meta).not.toHaveProperty('sourceCounts');
});

test.each([
  ['input', 'input'],
  ['a person is away', 'running'],
  [undefined, 'running'],
])('the reason %j of a pending reply is read as %s', async (reason, expected) => {
  expect(await answer(pending({ handle: 'h', reason: reason as 'input' }))).toMatchObject({ pending: { handle: 'h', reason: expected } });
});

test.each([
  ['ok with options that are null', () => ok(1, null as never), { status: 'ok', data: 1 }],
  ['ok with warnings that are null', () => ok(1, { warnings: null as never }), { status: 'ok', data: 1 }],
  ['partial with options that are null', () => partial([1], [{ index: 1, error: 'x' }], null as never), { status: 'partial', total: 2 }],
  ['pending with options that are null', () => pending({ handle: 'h', reason: 'input' }, null as never), { status: 'pending' }],
])('%s is what the tool meant', async (_what, reply, expected) => {
  const outcome = await answer(reply());
  expect(outcome).toMatchObject(expected);
  expect(outcome.meta).not.toHaveProperty('warnings');
});

test.each([
  ['nothing', null, {}],
  ['an object without a message', { percent: 5 }, { percent: 5 }],
  ['a symbol', Symbol('half'), { message: 'Symbol(half)' }],
  ['a message that is a symbol', { message: Symbol('half'), percent: 5 }, { message: 'Symbol(half)', percent: 5 }],
])('progress that is %s ends no call', async (_what, given, seen) => {
  const reports: unknown[] = [];
  const slow = defineTool({
    name: 'slow',
    description: 'x',
    effects: 'none',
    run: (_, { progress }) => {
      progress(given as never);
      return 'done';
    },
  });
  expect(await slow.call({}, { onProgress: (progress) => void reports.push(progress) })).toMatchObject({ status: 'ok', data: 'done' });
  expect(reports).toEqual([seen]);
});

test.each<[string, unknown]>([
  [
    'a type that does not exist',
    [
      { type: 'text', text: 'ok' },
      { type: 'video', data: 'AAAA', mimeType: 'video/mp4' },
    ],
  ],
  ['the name of something inherited', [{ type: 'constructor' }]],
  ['no type', [{ text: 'ok' }]],
  ['nothing', [null]],
  ['no list', { type: 'text', text: 'ok' }],
])('content with %s is left out with a warning, and the data reaches the model', async (_, content) => {
  const outcome = await answer(ok({ sum: 3 }, { content: content as never }));
  expect(outcome).toMatchObject({ status: 'ok', data: { sum: 3 } });
  expect(outcome).not.toHaveProperty('content');
  expect(outcome.meta.warnings).toEqual([
    'the reply has content that is not a list of text, image, audio and resource blocks; the model reads the data as JSON',
  ]);
});

test('counts that are none are left out, and a warning names them', async () => {
  const tool = defineTool({
    name: 'count',
    description: 'x',
    effects: 'none',
    run: () => ok(1, { tokenUsage: { input: 3, output: -1, cached: 0.5 }, sourceCounts: { pages: 0 } }),
  });
  expect((await tool.call({})).meta).toMatchObject({
    tokenUsage: { input: 3 },
    sourceCounts: { pages: 0 },
    warnings: ['tokenUsage holds values that are not counts; they were left out: output, cached'],
  });
});
