import { createToolbox, defineTool } from 'toolpact';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { preset } from './preset.ts';

afterEach(() => void vi.restoreAllMocks());

test('every failure is written to the log, with the tool, the redacted arguments and the stack', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const my_tool = defineTool({
    name: 'my_tool',
    description: 'Fails.',
    input: z.object({ param: z.string(), password: z.string() }),
    run: () => {
      throw new Error('boom');
    },
  });
  const toolbox = createToolbox([my_tool], { preset });
  for (const param of ['a', 'a', 'b']) await toolbox.call('my_tool', { param, password: 'correct horse battery' });
  expect(log.mock.calls.map(([title, input]) => [title, (input as { param: string }).param])).toEqual([
    ['my_tool failed', 'a'],
    ['my_tool failed', 'a'],
    ['my_tool failed', 'b'],
  ]);
  const [first = []] = log.mock.calls;
  expect(String(first[2])).toMatch(/^Error: boom\n +at /);
  expect(JSON.stringify(log.mock.calls)).not.toContain('correct horse battery');
});
