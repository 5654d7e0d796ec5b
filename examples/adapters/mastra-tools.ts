import assert from 'node:assert/strict';
import { createTool, noopObserve as observe } from '@mastra/core/tools';
import { createToolbox, defineTool, fail } from 'toolpact';
import { z } from 'zod';

// A tool that was written for Mastra, and what a toolbox needs to know of it.
const input = z.object({ id: z.string() });
const lookUp = createTool({
  id: 'look_up',
  description: 'Looks up an account.',
  inputSchema: input,
  outputSchema: z.object({ balance: z.number() }),
  execute: async ({ id }) => {
    if (id !== 'a-1') throw Object.assign(new Error(`No account is named ${id}.`), { status: 404 });
    return { balance: 12 };
  },
});
const account = defineTool({
  name: lookUp.id,
  description: lookUp.description,
  input,
  effects: 'none',
  run: async (args, { signal }) => {
    const result = await lookUp.execute?.(args, { abortSignal: signal, observe });
    // Mastra returns what it thinks of a value that breaks a schema, instead of throwing it.
    if (result !== undefined && 'error' in result) throw fail('invalid_output', result.message);
    return result;
  },
});

const toolbox = createToolbox([account], { report: () => undefined });
const found = await toolbox.call('look_up', { id: 'a-1' });
const lost = await toolbox.call('look_up', { id: 'a-2' });
console.log(found, lost);
assert.ok(found.status === 'ok' && found.data?.balance === 12);
assert.ok(lost.status === 'error' && lost.error.kind === 'not_found' && lost.error.effect === 'none');
