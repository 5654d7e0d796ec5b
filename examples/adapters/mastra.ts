import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { createToolbox, defineTool } from 'toolpact';
import { toInputProcessor, toTools } from 'toolpact/adapters/mastra';
import { z } from 'zod';

// A tool whose service is too busy, and a model that sends half of its arguments. The run continues, and the model knows why.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const call = (toolCallId: string, input: string) => ({ type: 'tool-call', toolCallId, toolName: 'forecast', input });
const turns = [
  { content: [call('1', '{"city":"Kyoto"}'), call('2', '{"city":"Ky')], finishReason: 'tool-calls', usage, warnings: [] },
  { content: [{ type: 'text', text: 'I will ask again in 8 seconds.' }], finishReason: 'stop', usage, warnings: [] },
];
const prompts: { role: string; content: unknown }[][] = [];
const doGenerate = async ({ prompt }: { prompt: never }) => turns[prompts.push(prompt) - 1];
const model = new MastraLanguageModelV2Mock({ doGenerate } as never) as never;
const own = { tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] };
const agent = new Agent({ id: 'weather', name: 'weather', instructions: 'Use the tools.', model, ...own });

const result = await agent.generate('Kyoto?', { maxSteps: 3 });
const told = JSON.stringify(prompts[1]?.filter(({ role }) => role === 'tool'));
console.log(told);
assert.equal(result.text, 'I will ask again in 8 seconds.');
assert.match(told, /error-text.*rate_limited.*Wait 8 s/);
assert.match(told, /error-text.*invalid_input\/arguments_truncated.*cut off after 11 characters/);
