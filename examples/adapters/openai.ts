import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { createToolbox, defineTool } from 'toolpact';
import { evaluate } from 'toolpact/adapters/openai';
import { z } from 'zod';

// A tool whose service is too busy, and a model that also sends half an argument. The run continues, and the model knows why.
const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  effects: 'none',
  run: () => Promise.reject(Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } })),
});
const toolbox = createToolbox([forecast], { report: () => undefined });

// A server that speaks like OpenAI: first two calls, then an answer.
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'forecast', arguments: args } });
const turns = [{ tool_calls: [call('1', '{"city":"Kyoto"}'), call('2', '{"city":')] }, { content: 'I will ask again in 8 seconds.' }];
const server = createServer((_, response) => {
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...turns.shift() } }];
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'chat.completion', choices }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const client = new OpenAI({ apiKey: 'none', baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` });
const params = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'Kyoto?' }] };
const { text, messages, outcomes } = await evaluate({ client, toolbox, params });
server.close();

console.log(JSON.stringify(messages, null, 2));
assert.equal(text, 'I will ask again in 8 seconds.');
assert.match(JSON.stringify(messages[2]), /\[error: rate_limited\].*Wait 8 s/);
assert.match(JSON.stringify(messages[3]), /\[error: invalid_input\/arguments_truncated\]/);
assert.equal(outcomes.length, 2);
