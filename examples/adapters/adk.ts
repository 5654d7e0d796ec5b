import assert from 'node:assert/strict';
import { BaseLlm, InMemoryRunner, LlmAgent, type LlmRequest } from '@google/adk';
import { createToolbox, defineTool } from 'toolpact';
import { toBeforeModelCallback, toTools } from 'toolpact/adapters/adk';
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

const call = (id: string, name: string) => ({ functionCall: { id, name, args: { city: 'Kyoto' } } });
const turns = [[call('1', 'forcast'), call('2', 'forecast')], [{ text: 'I will ask again in 8 seconds.' }]];
const requests: LlmRequest['contents'][] = [];
class ScriptedLlm extends BaseLlm {
  async *generateContentAsync({ contents }: LlmRequest) {
    yield { content: { role: 'model', parts: turns[requests.push(contents) - 1] ?? [] } };
  }
  connect = () => Promise.reject(new Error('not live'));
}
const model = new ScriptedLlm({ model: 'scripted' });
const agent = new LlmAgent({ name: 'weather', model, tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) });

const answers: unknown[] = [];
for await (const { content } of new InMemoryRunner({ agent }).runEphemeral({
  userId: 'u',
  newMessage: { role: 'user', parts: [{ text: 'Kyoto?' }] },
}))
  answers.push(content?.parts?.[0]?.text);
const told = requests[1]?.flatMap(({ parts = [] }) => parts).flatMap(({ functionResponse: given }) => (given ? [given.response] : []));
console.log(told);
assert.equal(answers.at(-1), 'I will ask again in 8 seconds.');
assert.match(String(told?.[0]?.error), /unknown_tool.*\nNext: Did you mean/);
assert.match(String(told?.[1]?.error), /rate_limited.*Wait 8 s/s);
