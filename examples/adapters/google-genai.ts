import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { createToolbox, defineTool } from 'toolpact';
import { evaluate } from 'toolpact/adapters/google-genai';
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

// A server that speaks like Gemini: first two calls, then an answer, streamed.
const call = (name: string) => ({ functionCall: { name, args: { city: 'Kyoto' } } });
const turns = [[call('forecast'), call('forcast')], [{ text: 'I will ask again in 8 seconds.' }]];
const server = createServer((_, response) => {
  const candidates = [{ index: 0, content: { role: 'model', parts: turns.shift() }, finishReason: 'STOP' }];
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify({ candidates })}\n\n`);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl } });
const params = { model: 'gemini-3', contents: 'Kyoto?' };
const { text, messages } = await evaluate({ client, toolbox, params, onText: (piece) => process.stdout.write(`${piece}\n`) });
server.close();

console.log(JSON.stringify(messages, null, 2));
assert.equal(text, 'I will ask again in 8 seconds.');
assert.match(JSON.stringify(messages[2]), /"error":"\[error: rate_limited\].*Wait 8 s.*"error":"\[error: unknown_tool\].*Did you mean/);
