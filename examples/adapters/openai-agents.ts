import assert from 'node:assert/strict';
import { Agent, type Model, type ModelResponse, Runner, Usage } from '@openai/agents';
import { createToolbox, defineTool } from 'toolpact';
import { toRunOptions, toTools } from 'toolpact/adapters/openai-agents';
import { z } from 'zod';

// A tool whose service is too busy, a tool that does not exist, and arguments that are not valid JSON. The run continues, and the model knows why.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

const call = (callId: string, name: string, args = '{"city":"Kyoto"}') => ({ type: 'function_call', callId, name, arguments: args });
const calls = [call('1', 'forecast'), call('2', 'forcast'), call('3', 'forecast', '{"city" "Kyoto"}')];
const answer = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'I will ask again.' }] };
const prompts: unknown[] = [];
const model = {
  async getResponse({ input }) {
    prompts.push(input);
    return { usage: new Usage(), output: prompts.length === 1 ? calls : [answer] } as ModelResponse;
  },
} as Model;
const agent = new Agent({ name: 'guide', model, tools: toTools(toolbox) });
const result = await new Runner({ tracingDisabled: true, ...toRunOptions(toolbox) }).run(agent, 'Kyoto?');

const told = JSON.stringify(prompts[1], null, 2);
console.log(told);
assert.equal(result.finalOutput, 'I will ask again.');
assert.match(told, /rate_limited.*Wait 8 s/);
assert.match(told, /unknown_tool.*Did you mean/);
assert.match(told, /invalid_input.*not valid JSON/);
const [item] = result.newItems.filter((one) => one.type === 'tool_call_output_item' && one.customData !== undefined);
assert.match(JSON.stringify(item), /"kind":"rate_limited".*"retryAfterMs":8000/);
