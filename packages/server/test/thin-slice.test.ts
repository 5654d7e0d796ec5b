import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport, Server } from '@modelcontextprotocol/server';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { createToolbox, defineTool, type Outcome, toModelText } from 'toolpact';
import { httpStatus } from 'toolpact/extend';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

/** The trial of the shapes: one tool through a real AI SDK run, a real MCP client and server, and a real HTTP route. */

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  output: z.object({ city: z.string(), celsius: z.number() }),
  effects: 'none',
  run: async ({ city }, { fail }) => {
    if (city === 'Atlantis') throw fail('not_found', 'There is no city named Atlantis.');
    if (city === 'Oslo') throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
    return { city, celsius: 21 };
  },
});
const toolbox = createToolbox([forecast], { report: () => undefined });
const [listed] = toolbox.list();

describe('an AI SDK run', () => {
  test.each([
    ['Paris', 'text', '{"city":"Paris","celsius":21}'],
    ['Atlantis', 'error-text', '[error: not_found] There is no city named Atlantis.\nNext: Check the name or id before trying again.'],
    ['Oslo', 'error-text', expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/)],
  ])('for %s the model reads', async (city, type, value) => {
    const prompts: unknown[] = [];
    let turn = 0;
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }: { prompt: unknown }) => {
        prompts.push(prompt);
        turn += 1;
        const call = { type: 'tool-call', toolCallId: 'call-1', toolName: listed?.providerName, input: JSON.stringify({ city }) };
        return turn === 1
          ? { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
          : { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' }, usage, warnings: [] };
      },
    } as never);
    const tools = Object.fromEntries(
      toolbox.list().map(({ name, providerName, description, inputSchema }) => [
        providerName,
        tool({
          description,
          inputSchema: jsonSchema<unknown>(inputSchema as never),
          execute: (args: unknown, { toolCallId, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal }) =>
            toolbox.answer({ name, args, callId: toolCallId }, abortSignal === undefined ? {} : { signal: abortSignal }),
          toModelOutput: ({ output }: { output: Outcome }) =>
            ({ type: output.status === 'error' ? 'error-text' : 'text', value: toModelText(output) }) as const,
        } as never),
      ]),
    );
    const result = await generateText({ model, prompt: 'weather?', tools, stopWhen: stepCountIs(3) } as never);
    expect(result.text).toBe('done');
    const told = (prompts[1] as { role: string; content: { output: unknown }[] }[]).find(({ role }) => role === 'tool')?.content[0]?.output;
    expect(told).toMatchObject({ type, value });
  });
});

describe('an MCP result', () => {
  test('carries the outcome to a real client', async () => {
    const server = new Server({ name: 'slice', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: toolbox
        .list()
        .map(({ providerName, description, inputSchema }) => ({ name: providerName, description, inputSchema: inputSchema as never })),
    }));
    server.setRequestHandler('tools/call', async ({ params }) => {
      const outcome = await toolbox.answer({ name: params.name, args: params.arguments });
      return {
        isError: outcome.status === 'error',
        content: [{ type: 'text', text: toModelText(outcome) }],
        _meta: { 'toolpact/outcome': { v: 1, ...outcome } },
      };
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'slice-client', version: '1' });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    expect((await client.listTools()).tools).toMatchObject([
      { name: 'weather_forecast', inputSchema: { type: 'object', required: ['city'] } },
    ]);
    expect(await client.callTool({ name: 'weather_forecast', arguments: { city: 'Paris' } })).toMatchObject({ isError: false });
    expect(await client.callTool({ name: 'weather_forecast', arguments: { city: 5 } })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('city expected a string, received number') }],
      _meta: { 'toolpact/outcome': { v: 1, status: 'error', error: { kind: 'invalid_input' } } },
    });
    await client.close();
  });
});

describe('an HTTP route', () => {
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const outcome = await toolbox.answer({ name: String(request.url).slice(1), args: Buffer.concat(chunks).toString() });
    response.writeHead(outcome.status === 'error' ? httpStatus(outcome.error) : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(outcome));
  };
  afterAll(() => server.close());

  test.each([
    ['weather.forecast', '{"city":"Paris"}', 200, 'ok'],
    ['weather.forecast', '{"city":"Atlantis"}', 404, 'error'],
    ['weather.forecast', '{"city":', 400, 'error'],
    ['nope', '{}', 404, 'error'],
  ])('%s with %s answers %i', async (name, body, httpStatusCode, status) => {
    if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`;
    const response = await fetch(url, { method: 'POST', body });
    expect(response.status).toBe(httpStatusCode);
    expect(await response.json()).toMatchObject({ status, meta: { tookMs: expect.any(Number) } });
  });
});
