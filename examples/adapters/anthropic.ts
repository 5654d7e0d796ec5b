import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { createToolbox, defineTool } from 'toolpact';
import { evaluate } from 'toolpact/adapters/anthropic';
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

// A server that speaks like Anthropic: first two calls, then an answer.
const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: { city: 'Kyoto' } });
const turns = [[call('1', 'forecast'), call('2', 'forcast')], [{ type: 'text', text: 'I will ask again in 8 seconds.' }]];
const server = createServer((_, response) => {
  const message = { type: 'message', role: 'assistant', content: turns.shift(), stop_reason: 'tool_use' };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const client = new Anthropic({ apiKey: 'none', baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
const params = { model: 'claude-5', max_tokens: 1000, messages: [{ role: 'user' as const, content: 'Kyoto?' }] };
const { text, messages } = await evaluate({ client, toolbox, params });
server.close();

console.log(JSON.stringify(messages, null, 2));
assert.equal(text, 'I will ask again in 8 seconds.');
assert.match(JSON.stringify(messages[2]), /rate_limited.*Wait 8 s.*"is_error":true.*unknown_tool.*Did you mean.*"is_error":true/);
