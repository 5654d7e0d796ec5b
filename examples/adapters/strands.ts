import assert from 'node:assert/strict';
import { Agent, type Message, Model, type ModelStreamEvent } from '@strands-agents/sdk';
import { createToolbox, defineTool } from 'toolpact';
import { toPlugin, toTools } from 'toolpact/adapters/strands';
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

const block = (start: object, delta: object) => [
  { type: 'modelContentBlockStartEvent', ...start },
  { type: 'modelContentBlockDeltaEvent', delta },
  { type: 'modelContentBlockStopEvent' },
];
const call = (toolUseId: string, input: string) =>
  block({ start: { type: 'toolUseStart', name: 'forecast', toolUseId } }, { type: 'toolUseInputDelta', input });
const turns = [
  [...call('1', '{"city":"Kyoto"}'), ...call('2', '{"city":"Ky'), { type: 'modelMessageStopEvent', stopReason: 'toolUse' }],
  [...block({}, { type: 'textDelta', text: 'I will ask again in 8 seconds.' }), { type: 'modelMessageStopEvent', stopReason: 'endTurn' }],
];
class ScriptedModel extends Model {
  updateConfig = () => undefined;
  getConfig = () => ({});
  async *stream(_: Message[]): AsyncGenerator<ModelStreamEvent> {
    yield* [{ type: 'modelMessageStartEvent', role: 'assistant' }, ...(turns.shift() ?? [])] as ModelStreamEvent[];
  }
}
const agent = new Agent({ model: new ScriptedModel(), tools: toTools(toolbox), plugins: [toPlugin(toolbox)], printer: false });
assert.equal(String(await agent.invoke('Kyoto?')), 'I will ask again in 8 seconds.');
assert.match(JSON.stringify(agent.messages), /"error".*rate_limited.*Wait 8 s.*"error".*arguments_truncated.*cut off after 11 characters/);
