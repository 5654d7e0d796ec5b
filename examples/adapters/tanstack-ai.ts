import assert from 'node:assert/strict';
import { chat, type ModelMessage } from '@tanstack/ai';
import { BaseTextAdapter } from '@tanstack/ai/adapters';
import { createToolbox, defineTool } from 'toolpact';
import { toRunOptions } from 'toolpact/adapters/tanstack-ai';
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

// In place of `openaiText('gpt-5.5')`.
const call = (toolCallId: string, toolCallName: string) => [
  { type: 'TOOL_CALL_START', toolCallId, toolCallName },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta: '{"city":"Kyoto"}' },
  { type: 'TOOL_CALL_END', toolCallId },
];
const answer = 'I will ask again in 8 seconds.';
const turns = [
  [...call('1', 'forecast'), ...call('2', 'forcast'), { type: 'RUN_FINISHED', finishReason: 'tool_calls' }],
  [
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: answer },
    { type: 'RUN_FINISHED', finishReason: 'stop' },
  ],
];
class ScriptedAdapter extends BaseTextAdapter<string, object, readonly ['text'], never> {
  readonly name = 'scripted';
  messages: ModelMessage[] = [];
  async *chatStream({ messages }: { messages: ModelMessage[] }): AsyncGenerator<never> {
    this.messages = messages;
    yield* (turns.shift() ?? []) as never[];
  }
  structuredOutput = () => Promise.reject(new Error('not scripted'));
}
const adapter = new ScriptedAdapter({}, 'scripted');

let text = '';
for await (const chunk of chat({ messages: [{ role: 'user', content: 'Kyoto?' }], ...toRunOptions(toolbox, adapter) })) {
  if (chunk.type === 'TEXT_MESSAGE_CONTENT') text += chunk.delta;
}
assert.equal(text, answer);
const told = adapter.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
console.log(told);
assert.match(String(told[0]), /"error".*rate_limited.*Wait 8 s/);
assert.match(String(told[1]), /unknown_tool.*Did you mean/s);
