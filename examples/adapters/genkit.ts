import assert from 'node:assert/strict';
import { type GenerateRequest, genkit } from 'genkit';
import { createToolbox, defineTool } from 'toolpact';
import { toMiddleware, toTools } from 'toolpact/adapters/genkit';
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

const call = (ref: string, name: string) => ({ toolRequest: { ref, name, input: { city: 'Kyoto' } } });
const turns = [[call('1', 'forecast'), call('2', 'forcast')], [{ text: 'I will ask again in 8 seconds.' }]];
const requests: GenerateRequest[] = [];
const ai = genkit({});
const model = ai.defineModel({ name: 'scripted', supports: { tools: true } }, async (request: GenerateRequest) => {
  const content = turns[requests.push(request) - 1] ?? [];
  return { message: { role: 'model', content }, finishReason: 'stop' };
});

const response = await ai.generate({ model, prompt: 'Kyoto?', tools: toTools(toolbox), use: [toMiddleware(toolbox)] });
const told = JSON.stringify(
  requests[1]?.messages.filter(({ role }) => role === 'tool'),
  null,
  2,
);
console.log(told);
assert.equal(response.text, 'I will ask again in 8 seconds.');
assert.match(told, /error.*rate_limited.*Wait 8 s/);
assert.match(told, /error.*unknown_tool.*Did you mean/);
