import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool } from '../../../toolpact/src/index.ts';
import { toolErrorType } from '../error-type/tool-error-type.ts';
import * as presets from './index.ts';

afterEach(() => void vi.restoreAllMocks());

test('each preset has a part for the toolbox, the adapter, the server and the telemetry', () => {
  const { coded, flat, genAi001, status, value } = presets;
  for (const preset of [flat, coded, value, status, genAi001]) {
    expect(Object.keys(preset)).toEqual(expect.arrayContaining(['toolbox', 'adapter', 'server', 'telemetry']));
  }
  expect([flat, coded, value, status].map(({ server }) => server.dialect?.name)).toEqual(['flat', 'coded', 'value', 'status']);
  expect(status.server.tenant).toBe('required');
  expect(genAi001.telemetry.errorType).toBe(toolErrorType);
});

test('flat writes every failure to the log, with the tool, the redacted arguments and the stack', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const my_tool = defineTool({
    name: 'my_tool',
    description: 'Fails.',
    input: z.object({ param: z.string(), password: z.string() }),
    run: () => {
      throw new Error('boom');
    },
  });
  const toolbox = createToolbox([my_tool], presets.flat.toolbox);
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
