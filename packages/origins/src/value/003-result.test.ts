import { readFileSync } from 'node:fs';
import { value } from '@toolpact/origins/value';
import { causeOf, createToolbox, defineTool, fail, ok } from 'toolpact';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const handler = vi.fn<(params: { path: string }) => unknown>();
const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  input: z.object({ path: z.string() }),
  output: z.object({ files: z.array(z.string()) }),
  effects: 'none',
  run: (params) => handler(params) as { files: string[] },
});
const toolbox = quietBox([list], { preset });
const ask = async (args: unknown) => value.encode(await toolbox.answer({ name: 'list_files', args }), { strict: true });

describe('003 ToolResult contract', () => {
  test('003-01 `success` is true for a normal payload and false for a failure of any kind', async () => {
    handler.mockReturnValueOnce({ files: [] });
    expect(await ask({ path: 'src' })).toMatchObject({ success: true });
    const ends: readonly (() => unknown)[] = [
      () => raise(new Error('x')),
      () => raise('x'),
      () => fail('timeout', 'x'),
      () => raise(fail('denied', 'x')),
      () => ({ files: 7 }),
    ];
    for (const end of ends) {
      handler.mockImplementationOnce(end);
      expect(await ask({ path: 'src' })).toMatchObject({ success: false });
    }
  });

  test.each([{ path: 7 }, {}, { file: 'a' }, '{"path":', null])(
    '003-02 `value` is null on failure, never the rejected params (%j)',
    async (args) => {
      const result = await ask(args);
      expect(result).toEqual({ success: false, value: null, message: expect.stringMatching(/./) });
      expect(Object.keys(result)).toEqual(['success', 'value', 'message']);
    },
  );

  test('003-03 a structured error payload that the tool supplies is the value', async () => {
    handler.mockReturnValueOnce(fail('forbidden', 'The folder is locked.', { data: { tried: 'src' } }));
    expect(await ask({ path: 'src' })).toEqual({ success: false, value: { tried: 'src' }, message: 'The folder is locked.' });
  });

  test('003-04 a success must be the documented result', async () => {
    handler.mockReturnValueOnce({ files: ['a.ts'] }).mockReturnValueOnce({ found: 1 });
    expect(await ask({ path: 'src' })).toMatchObject({ success: true, value: { files: ['a.ts'] } });
    expect(await ask({ path: 'src' })).toMatchObject({ success: false, value: null });
  });

  test('003-05 `message` is for people, on success too', async () => {
    handler.mockReturnValueOnce(ok({ files: ['a.ts'] }, { message: 'Listed 1 file.' }));
    expect(await ask({ path: 'src' })).toEqual({ success: true, value: { files: ['a.ts'] }, message: 'Listed 1 file.' });
    handler.mockReturnValueOnce(fail('not_found', 'There is no such folder.'));
    expect(await ask({ path: 'src' })).toEqual({ success: false, value: null, message: 'There is no such folder.' });
  });

  test('003-08 validation errors become failed results', async () => {
    handler.mockImplementationOnce(() => raise(Object.assign(new Error('path must not be empty'), { name: 'ToolValidationError' })));
    expect(await ask({ path: '' })).toEqual({ success: false, value: null, message: 'path must not be empty' });
  });

  test.each([
    ['an error', new Error('the disk is gone')],
    ['a type error', new TypeError('the disk is gone')],
    ['a text', 'the disk is gone'],
    ['an HTTP failure', Object.assign(new Error('the disk is gone'), { status: 500 })],
  ])('003-09 unexpected exceptions become failed results (%s)', async (_, thrown) => {
    handler.mockImplementationOnce(() => raise(thrown));
    expect(await ask({ path: 'src' })).toEqual({ success: false, value: null, message: 'the disk is gone' });
  });

  test('003-10 the original exception is logged and can be found again', async () => {
    const original = new TypeError('the disk is gone');
    const reported: unknown[] = [];
    handler.mockImplementationOnce(() => raise(original));
    const outcome = await createToolbox([list], { report: ({ debugId, tool, error }) => reported.push({ debugId, tool, error }) }).call(
      'list_files',
      { path: 'src' },
    );
    const debugId = outcome.status === 'error' ? (outcome.error.debugId ?? '') : '';
    const error = { name: 'TypeError', message: 'the disk is gone', stack: original.stack };
    expect(reported).toEqual([{ debugId, tool: 'list_files', error: expect.objectContaining(error) }]);
    expect(causeOf(debugId)).toMatchObject({ error });
  });

  test('003-22 a result is typed `ResultT | None`', async () => {
    handler.mockReturnValueOnce({ files: ['a.ts'] }).mockImplementationOnce(() => raise(new Error('no')));
    const good = value.encode(await toolbox.call('list_files', { path: 'src' }), { strict: true });
    const bad = value.encode(await toolbox.call('list_files', { path: 'src' }), { strict: true });
    expectTypeOf(good.value).toExtend<{ files: string[] } | null>();
    expect([good.value?.files, bad.value?.files]).toEqual([['a.ts'], undefined]);
  });

  test('003-19 a result that is written and read keeps `success` and a null value', () => {
    for (const result of [
      { success: true, value: { files: [] }, message: 'OK' },
      { success: false, value: null, message: 'no' },
    ]) {
      const read = value.decode(result);
      expect(read.ok && value.encode(read.outcome, { strict: true })).toEqual(result);
    }
  });
});

test.each([
  ['AGENTS.md', ['`success` is a flag', '`value` may be null', '`message` is for people and models']],
  ['docs/adapters.md', ['{ success, value, message }']],
  ['docs/dialects.md', ['"success":false,"value":null,"message":']],
])('003-20 %s names the contract', (file, parts) => {
  const text = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
});
