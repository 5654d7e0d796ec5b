import assert from 'node:assert/strict';
import { type ToolContext, defineTool as toEve } from 'eve/tools';
import { createToolbox, defineTool, toModelText } from 'toolpact';
import { z } from 'zod';

// A tool whose service is too busy. Toolbox and `fromToolbox` stand in a module of their own, such as `agent/lib/toolbox.ts`.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

function fromToolbox(name: string) {
  const listed = toolbox.list().find((tool) => tool.name === name);
  assert.ok(listed, `there is no tool "${name}"`);
  return toEve({
    description: listed.description,
    inputSchema: listed.inputSchema,
    async execute(args: unknown, { callId, session, abortSignal }: ToolContext) {
      const outcome = await toolbox.answer({ name, args, callId }, { sessionId: session.id, signal: abortSignal });
      const text = toModelText(outcome);
      // eve knows a failure by the exception; it does not call again by itself.
      if (outcome.status === 'error') throw new Error(text);
      return text;
    },
  });
}

// The file `agent/tools/forecast.ts` is this line: `export default fromToolbox('forecast');`
const tool = fromToolbox('forecast');

// As eve calls it.
const context = { callId: 'call_1', session: { id: 'session_1' }, abortSignal: new AbortController().signal } as ToolContext;
await assert.rejects(
  async () => tool.execute({ city: 'Kyoto' }, context),
  (error: Error) => {
    console.log(error.message);
    return /rate_limited.*Wait 8 s/s.test(error.message);
  },
);
