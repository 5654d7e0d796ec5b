import assert from 'node:assert/strict';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createToolbox, defineTool } from 'toolpact';
import { toRunOptions } from 'toolpact/adapters/ai-sdk';
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

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const call = (toolCallId: string, toolName: string) => ({ type: 'tool-call', toolCallId, toolName, input: '{"city":"Kyoto"}' });
const turns = [
  { content: [call('1', 'forecast'), call('2', 'forcast')], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
  { content: [{ type: 'text', text: 'I will ask again in 8 seconds.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
];
const model = new MockLanguageModelV4({ doGenerate: turns as never });
const result = await generateText({ model, prompt: 'Kyoto?', ...toRunOptions(toolbox, { maxSteps: 3 }) });

const told = model.doGenerateCalls[1]?.prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
console.log(
  JSON.stringify(
    told?.map((part) => ('output' in part ? part.output : part)),
    null,
    2,
  ),
);
assert.equal(result.text, 'I will ask again in 8 seconds.');
assert.match(JSON.stringify(told?.[0]), /error-text.*rate_limited.*Wait 8 s/);
assert.match(JSON.stringify(told?.[1]), /error-text.*unknown_tool.*Did you mean/);
const [outcome] = result.steps[0]?.toolResults.flatMap((part) => (part.dynamic ? [] : part.output)) ?? [];
assert.ok(outcome?.status === 'error' && outcome.error.kind === 'rate_limited' && outcome.error.retryAfterMs === 8000);
