import assert from 'node:assert/strict';
import { createAgent, FakeToolCallingModel, ToolMessage } from 'langchain';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { toMiddleware, toTools } from 'toolpact/adapters/langchain';
import { z } from 'zod';

// A tool whose service is too busy, and a model that also calls a tool that does not exist. The run continues, and the model knows why.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

const call = (id: string, name: string) => ({ id, name, args: { city: 'Kyoto' }, type: 'tool_call' as const });
const model = new FakeToolCallingModel({ toolCalls: [[call('1', 'forecast'), call('2', 'forcast')], []] });
const agent = createAgent({ model, tools: toTools(toolbox), middleware: [toMiddleware(toolbox)] });
const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'Kyoto?' }] });

const told = messages.filter((message) => ToolMessage.isInstance(message));
for (const { status, text } of told) console.log(`${status}: ${text}`);
assert.equal(messages.at(-1)?.type, 'ai');
assert.deepEqual(
  told.map(({ tool_call_id, status }) => [tool_call_id, status]),
  [
    ['1', 'error'],
    ['2', 'error'],
  ],
);
assert.match(String(told[0]?.text), /rate_limited.*Wait 8 s/s);
assert.match(String(told[1]?.text), /unknown_tool.*\nNext: Did you mean "forecast"/);
const outcome = told[0]?.artifact as Outcome;
assert.ok(outcome.status === 'error' && outcome.error.retryAfterMs === 8000);
