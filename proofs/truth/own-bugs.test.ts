import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bugArgs, bugs } from './own-bugs.ts';

// Who follows one of these because of a bug does something useless.
const harmful = ['fix_input', 'wait', 'reauth', 'ask_user'];

const input = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  limit: z.number(),
  tags: z.array(z.string()),
  query: z.string(),
  user: z.string().optional(),
});

test.each(Object.entries(bugs))('nobody is blamed for a bug of a tool, nor told to wait for it: %s', async (_, bug) => {
  const run = async (args: z.infer<typeof input>) => {
    bug(args as never);
    return 'done';
  };
  const tool = defineTool({ name: 'report', description: 'Reports.', input, effects: 'none', run });
  const outcome = await createToolbox([tool], { report: () => undefined }).call('report', bugArgs);
  if (outcome.status !== 'error') throw new Error('it did not fail');
  const { kind, recovery, message, retryable } = outcome.error;
  expect({ kind, message, harm: harmful.includes(recovery), retryable }).toEqual({ kind, message, harm: false, retryable: false });
});

test('there are enough shapes', () => {
  expect(Object.keys(bugs).length).toBeGreaterThanOrEqual(60);
});
