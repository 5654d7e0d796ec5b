import OpenAI from 'openai';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerToolCalls, evaluate, PromptEvaluationError, toTools } from '../../src/adapters/openai/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { openaiChatWire } from './providers/openai-chat-wire.ts';
import { openaiResponsesWire } from './providers/openai-responses-wire.ts';
import { checkProvider } from './providers/provider-suite.ts';
import { type Reply, type ScriptedServer, serveScript } from './providers/scripted-server.ts';
import { partialText, pendingText, weatherToolbox as toolbox } from './providers/weather-toolbox.ts';
import type { ModelTurn, Wire } from './providers/wire.ts';

const question = [{ role: 'user' as const, content: 'How is the weather?' }];
const model = 'gpt-5';
const clientOf = (origin: string) => new OpenAI({ apiKey: 'test', baseURL: `${origin}/v1`, maxRetries: 0 });

checkProvider('chat', {
  adapter: 'openai',
  wire: openaiChatWire,
  evaluate: (origin, options, messages = question) =>
    evaluate({ client: clientOf(origin), params: { model, messages: messages as typeof question }, ...options }),
});

checkProvider('responses', {
  adapter: 'openai',
  wire: openaiResponsesWire,
  evaluate: (origin, options, input = question) =>
    evaluate({ client: clientOf(origin), params: { model, input: input as typeof question }, ...options }),
});

let server: ScriptedServer | undefined;
afterEach(() => server?.close());
async function serve(wire: Wire, replies: readonly Reply[]): Promise<OpenAI> {
  server = await serveScript(wire, replies);
  return clientOf(server.origin);
}
const call = (json: string, name = 'weather_forecast', id = 'call_1') => ({ id, name, json });
const done = { text: 'Done.' };

describe('toTools', () => {
  test('lowers every tool to what a model can be held to', () => {
    const [forecast, transfer] = toTools(toolbox);
    expect(forecast).toEqual({
      type: 'function',
      function: {
        name: 'weather_forecast',
        description: 'Returns the weather for a city.',
        strict: true,
        parameters: {
          type: 'object',
          properties: {
            city: { type: 'string' },
            days: { type: ['integer', 'null'] },
          },
          required: ['city', 'days'],
          additionalProperties: false,
        },
      },
    });
    expect(toTools(toolbox, { api: 'responses' })[1]).toEqual({ type: 'function', ...transfer?.function });
  });

  const tags = defineTool({
    name: 'tags:set',
    description: 'Sets tags.',
    input: z.object({ tags: z.record(z.string(), z.string()) }),
    run: () => null,
  });

  test('says at once which field of which tool cannot be lowered, and what to do', () => {
    expect(() => toTools(createToolbox([tags]))).toThrow(
      'tool "tags_set": the field "tags" cannot be lowered: it takes fields of any name (openai-strict). Change that field, or give `strict: false` for this tool.',
    );
  });

  test('offers a tool as it is where strict is not wanted, for all tools or by name', () => {
    const mixed = createToolbox([tags, ...toolbox.tools]);
    expect(toTools(mixed, { strict: false }).map((tool) => tool.function.strict)).toEqual([false, false, false, false, false]);
    const some = toTools(mixed, { strict: (name) => name !== 'tags_set' });
    expect(some.map((tool) => tool.function.strict)).toEqual([false, true, true, true, true]);
    expect(some[0]?.function.parameters).toMatchObject({
      properties: { tags: { type: 'object', additionalProperties: { type: 'string' } } },
    });
  });
});

const apis = [
  ['chat', openaiChatWire],
  ['responses', openaiResponsesWire],
] as const;

describe.each(apis)('answerToolCalls, %s', (api, wire) => {
  const answer = async (turn: ModelTurn): Promise<Record<string, string>> => {
    const answers = await answerToolCalls(wire.toJson(turn) as never, toolbox);
    return Object.fromEntries(
      answers.map((item: object) => {
        const { tool_call_id, content, call_id, output } = item as Record<string, string>;
        return [tool_call_id ?? call_id, content ?? output];
      }),
    );
  };

  test('gives one message per call id, in order', async () => {
    const turn = { calls: [call('{"city":"Atlantis"}', undefined, 'a'), call('{"city":"Rome","days":null}', undefined, 'b')] };
    const text = '[error: not_found] There is no city named Atlantis.\nNext: Check the name or id before trying again.';
    expect(await answerToolCalls(wire.toJson(turn) as never, toolbox)).toEqual(
      api === 'chat'
        ? [
            { role: 'tool', tool_call_id: 'a', content: text },
            { role: 'tool', tool_call_id: 'b', content: '{"city":"Rome"}' },
          ]
        : [
            { type: 'function_call_output', call_id: 'a', output: text },
            { type: 'function_call_output', call_id: 'b', output: '{"city":"Rome"}' },
          ],
    );
  });

  test('answers a call that was sent twice once, and two calls under one id each', async () => {
    const twice = { calls: [call('{"city":"Rome"}'), call('{"city":"Rome"}')] };
    expect(await answerToolCalls(wire.toJson(twice) as never, toolbox)).toHaveLength(1);
    const two = { calls: [call('{"city":"Rome"}'), call('{"city":"Oslo"}')] };
    expect(await answerToolCalls(wire.toJson(two) as never, toolbox)).toHaveLength(2);
  });

  test('gives nothing where nothing was called', async () => {
    expect(await answerToolCalls(wire.toJson(done) as never, toolbox)).toEqual([]);
  });

  test('tells the truth about answers that are neither result nor failure', async () => {
    const turn = { calls: [call('{"what":"some"}', 'order', 'a'), call('{"what":"later"}', 'order', 'b')] };
    expect(await answer(turn)).toEqual({ a: partialText, b: pendingText });
  });

  test.each([
    ['malformed', '{"amount": 5 "x": 1}', {}, /^\[error: invalid_input\] The arguments are not valid JSON at character 13/],
    ['cut off', '{"amount": 5', { isCut: true }, /^\[error: invalid_input\/arguments_truncated\] The arguments were cut off after 12/],
    ['cut off before they began', '', { isCut: true }, /^\[error: invalid_input\/arguments_truncated\]/],
    ['complete though the answer was cut', '{"amount": 5}', { isCut: true }, /^moved 5$/],
    ['absent', '', {}, /^moved 1$/],
    ['repairable, but of a tool that writes', "{'amount': 5}", {}, /^\[error: invalid_input\]/],
  ] as const)('judges arguments that are %s', async (_what, json, more, text) => {
    expect((await answer({ calls: [call(json, 'transfer')], ...more })).call_1).toMatch(text);
  });

  test('rejects what is no answer of the provider', async () => {
    for (const wrong of [{}, null, 'text', { choices: [] }, { output: 'x' }]) {
      await expect(answerToolCalls(wrong as never, toolbox)).rejects.toBeInstanceOf(PromptEvaluationError);
    }
  });
});

describe('answers of the client’s own streams', () => {
  test('chat', async () => {
    const client = await serve(openaiChatWire, [{ calls: [call('{"city":"Rome"}'), call('{"city":', undefined, 'call_2')] }]);
    const completion = await client.chat.completions
      .stream({ model, messages: question, tools: toTools(toolbox, { strict: false }) })
      .finalChatCompletion();
    expect(await answerToolCalls(completion, toolbox)).toMatchObject([
      { tool_call_id: 'call_1', content: '{"city":"Rome"}' },
      { tool_call_id: 'call_2', content: expect.stringMatching(/arguments_truncated/) },
    ]);
  });

  test('responses', async () => {
    const client = await serve(openaiResponsesWire, [{ calls: [call('{"city":"Rome"}')] }]);
    const response = await client.responses.stream({ model, input: question }).finalResponse();
    expect(await answerToolCalls(response, toolbox)).toMatchObject([{ call_id: 'call_1', output: '{"city":"Rome"}' }]);
  });
});

describe('evaluate', () => {
  const withItems = (items: readonly object[], turn: ModelTurn = {}) => {
    const response = openaiResponsesWire.toJson(turn) as { output: object[] };
    return { raw: { ...response, output: [...items, ...response.output] } };
  };

  test.each([
    ['malformed arguments', '{"city": "Rome" x}', '{"malformed_arguments":"{\\"city\\": \\"Rome\\" x}"}'],
    ['arguments that are no object', '[]', '{"malformed_arguments":"[]"}'],
    ['arguments that are missing', '', '{}'],
    ['sound arguments, as they were written', '{ "city": "Rome" }', '{ "city": "Rome" }'],
  ])('keeps in the history %s', async (_what, json, kept) => {
    for (const [api, wire] of apis) {
      const client = await serve(wire, [{ calls: [call(json)] }, done]);
      if (api === 'chat') await evaluate({ client, toolbox, params: { model, messages: question } });
      else await evaluate({ client, toolbox, params: { model, input: 'How is the weather?' } });
      expect(wire.argumentsIn(server?.requests[1] as never)).toEqual({ call_1: kept });
      await server?.close();
    }
  });

  test('sends parameters and further tools along, and asks for counts of a stream', async () => {
    const client = await serve(openaiChatWire, [done]);
    const tools = [{ type: 'function' as const, function: { name: 'mine', parameters: {} } }];
    await evaluate({ client, toolbox, stream: true, params: { model, messages: question, temperature: 0, tools } });
    expect(server?.requests[0]).toMatchObject({ temperature: 0, stream: true, stream_options: { include_usage: true } });
    const offered = server?.requests[0]?.tools as { function: { name: string } }[] | undefined;
    expect(offered?.map((tool) => tool.function.name)).toEqual(['mine', 'weather_forecast', 'transfer', 'photo', 'order']);
  });

  test('offers no tools where there are none', async () => {
    const client = await serve(openaiChatWire, [done]);
    await evaluate({ client, toolbox: createToolbox([]), params: { model, messages: question } });
    expect(server?.requests[0]).not.toHaveProperty('tools');
  });

  test('leaves calls of the application’s own tools to it, and answers the others', async () => {
    const client = await serve(openaiChatWire, [{ calls: [call('{}', 'mine', 'a'), call('{"city":"Rome"}', undefined, 'b')] }]);
    const tools = [{ type: 'function' as const, function: { name: 'mine', parameters: {} } }];
    const evaluation = await evaluate({ client, toolbox, params: { model, messages: question, tools } });
    expect(evaluation).toMatchObject({ stopped: 'host', outcomes: [{ status: 'ok' }] });
    expect(evaluation.messages.slice(2)).toMatchObject([{ role: 'tool', tool_call_id: 'b' }]);
  });

  test('answers a call without a name, though OpenAI’s own tools have none either', async () => {
    const client = await serve(openaiResponsesWire, [{ calls: [call('{}', '', 'a')] }, done]);
    const evaluation = await evaluate({ client, toolbox, params: { model, input: 'Weather?', tools: [{ type: 'web_search' }] } });
    expect(evaluation).toMatchObject({ text: 'Done.', outcomes: [{ error: { kind: 'unknown_tool' } }] });
  });

  test('leaves a call of a namespace to the application, though the toolbox has a tool of that name', async () => {
    const item = { type: 'function_call', call_id: 'n', name: 'transfer', namespace: 'crm', arguments: '{}' };
    const client = await serve(openaiResponsesWire, [withItems([item], { calls: [call('{"city":"Rome"}')] })]);
    const evaluation = await evaluate({ client, toolbox, params: { model, input: 'Weather?' } });
    expect(evaluation).toMatchObject({ stopped: 'host', outcomes: [{ status: 'ok', meta: { tool: 'weather:forecast' } }] });
    expect(evaluation.messages[1]).toEqual(item);
  });

  test('keeps names of the application’s own tools as they are', async () => {
    const name = `mine_${'x'.repeat(80)}`;
    const client = await serve({ ...openaiResponsesWire, check: () => undefined }, [{ calls: [call('{}', name)] }]);
    const tools = [{ type: 'function' as const, name, parameters: {}, strict: false }];
    const { messages } = await evaluate({ client, toolbox, params: { model, input: 'Weather?', tools } });
    expect(messages[1]).toMatchObject({ type: 'function_call', name });
  });

  test('keeps what was spoken, as OpenAI takes it back', async () => {
    const raw = openaiChatWire.toJson({}) as { choices: { message: object }[] };
    Object.assign(raw.choices[0]?.message ?? {}, { audio: { id: 'audio_1', data: 'aGk=', expires_at: 1, transcript: 'Sunny.' } });
    const client = await serve(openaiChatWire, [{ raw }]);
    const evaluation = await evaluate({ client, toolbox, params: { model, messages: question } });
    expect(evaluation.text).toBe('Sunny.');
    expect(evaluation.messages[1]).toMatchObject({ role: 'assistant', content: null, audio: { id: 'audio_1' } });
    expect(JSON.stringify(evaluation.messages)).not.toContain('aGk=');
  });

  test('makes no id longer than OpenAI takes', async () => {
    const id = `call_${'x'.repeat(35)}`;
    const client = await serve(openaiChatWire, [
      { calls: [call('{"city":"Rome"}', undefined, id), call('{"city":"Oslo"}', undefined, id)] },
      done,
    ]);
    await evaluate({ client, toolbox, params: { model, messages: question } });
    expect(Object.keys(openaiChatWire.told(server?.requests[1] as never))).toEqual([id, `${id.slice(0, 38)}_2`]);
  });

  test('leaves custom tools of the chat API alone', async () => {
    const raw = openaiChatWire.toJson({ calls: [call('{"city":"Rome"}')] }) as { choices: { message: { tool_calls: object[] } }[] };
    raw.choices[0]?.message.tool_calls.push({ id: 'c', type: 'custom', custom: { name: 'grep', input: 'x' } });
    expect(await answerToolCalls(raw as never, toolbox)).toMatchObject([{ tool_call_id: 'call_1' }]);
    const client = await serve(openaiChatWire, [{ raw }]);
    const evaluation = await evaluate({ client, toolbox, params: { model, messages: question } });
    expect(evaluation).toMatchObject({ stopped: 'host', rounds: 1 });
    expect(evaluation.messages[1]).toMatchObject({ tool_calls: [{ id: 'call_1' }, { id: 'c', type: 'custom' }] });
  });

  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } };
  const reasoning = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'e' };

  test('keeps reasoning and what OpenAI’s own tools did', async () => {
    const client = await serve(openaiResponsesWire, [withItems([reasoning, search], { calls: [call('{"city":"Rome"}')] }), done]);
    const { messages } = await evaluate({ client, toolbox, params: { model, input: 'Weather?' } });
    expect(messages).toMatchObject([
      { role: 'user', content: 'Weather?' },
      reasoning,
      search,
      { type: 'function_call', call_id: 'call_1' },
      { type: 'function_call_output', call_id: 'call_1', output: '{"city":"Rome"}' },
      { type: 'message' },
    ]);
  });

  test.each([
    ['a custom tool', { type: 'custom_tool_call', call_id: 'c', name: 'grep', input: 'x' }, 'host'],
    ['a shell of the application', { type: 'shell_call', call_id: 'c', action: { commands: ['ls'] } }, 'host'],
    ['an approval', { type: 'mcp_approval_request', id: 'm', name: 'x', server_label: 's', arguments: '{}' }, 'host'],
    ['a search of its own', search, undefined],
  ])('ends when the model waits for %s', async (_what, item, stopped) => {
    const client = await serve(openaiResponsesWire, [withItems([item], { text: 'Hm.' })]);
    expect((await evaluate({ client, toolbox, params: { model, input: 'Weather?' } })).stopped).toBe(stopped);
  });

  test('answers a call that a program made to that program', async () => {
    const caller = { type: 'program', caller_id: 'prog_1' };
    const item = { type: 'function_call', call_id: 'p', name: 'weather_forecast', arguments: '{"city":"Rome"}', caller };
    expect(await answerToolCalls(withItems([item]).raw, toolbox)).toEqual([
      { type: 'function_call_output', call_id: 'p', output: '{"city":"Rome"}', caller },
    ]);
  });

  test('shows pictures where the API takes them', async () => {
    const turn = { calls: [call('{}', 'photo')] };
    expect(await answerToolCalls(openaiResponsesWire.toJson(turn) as { output: object[] }, toolbox)).toMatchObject([
      {
        output: [
          { type: 'input_text', text: 'A cat.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
    ]);
    expect(await answerToolCalls(openaiChatWire.toJson(turn) as never, toolbox)).toMatchObject([
      { content: 'A cat.\n[image: image/png, not shown]' },
    ]);
  });

  test('sends only what is new to a conversation that OpenAI keeps', async () => {
    const client = await serve({ ...openaiResponsesWire, check: () => undefined }, [{ calls: [call('{"city":"Rome"}')] }, done]);
    const { messages } = await evaluate({ client, toolbox, params: { model, input: 'Weather?', conversation: 'conv_1' } });
    expect(server?.requests[1]?.input).toEqual([{ type: 'function_call_output', call_id: 'call_1', output: '{"city":"Rome"}' }]);
    expect(messages).toHaveLength(4);
  });

  test.each([
    ['server_error', 'upstream'],
    ['rate_limit_exceeded', 'rate_limited'],
  ])('raises when a response failed with %s', async (code, kind) => {
    const raw = {
      ...openaiResponsesWire.toJson({}),
      status: 'failed',
      error: { code, message: 'The model could not answer.' },
      output: [],
    };
    const client = await serve(openaiResponsesWire, [{ raw }]);
    await expect(evaluate({ client, toolbox, params: { model, input: 'Weather?' } })).rejects.toMatchObject({ failure: { kind } });
  });

  test('raises when a response is not finished', async () => {
    const client = await serve(openaiResponsesWire, [{ raw: { ...openaiResponsesWire.toJson({}), status: 'queued' } }]);
    const failing = evaluate({ client, toolbox, params: { model, input: 'Weather?', background: true } });
    await expect(failing).rejects.toMatchObject({ failure: { kind: 'bad_response', message: expect.stringMatching(/not finished/) } });
  });

  test('raises when a chat stream reports an error in its middle', async () => {
    const events = openaiChatWire.toEvents({ text: 'Hello there.' }).slice(0, 2);
    const body = `${events.join('')}data: ${JSON.stringify(openaiChatWire.toError(500, 'The server had an error.'))}\n\n`;
    const client = await serve(openaiChatWire, [{ body, type: 'text/event-stream' }]);
    const failing = evaluate({ client, toolbox, stream: true, params: { model, messages: question } });
    await expect(failing).rejects.toMatchObject({ failure: { kind: 'upstream' } });
  });

  test('rejects with what is wrong with a tool before it asks anything', async () => {
    const client = await serve(openaiChatWire, []);
    const odd = defineTool({
      name: 'odd',
      description: 'Odd.',
      input: z.object({ any: z.record(z.string(), z.string()) }),
      run: () => null,
    });
    await expect(evaluate({ client, toolbox: createToolbox([odd]), params: { model, messages: question } })).rejects.toThrow(
      /tool "odd": the field "any"/,
    );
    expect(server?.requests).toEqual([]);
  });

  test('gives other servers their own fields of a stream back', async () => {
    const events = [
      { role: 'assistant', reasoning_content: 'I ' },
      { reasoning_content: 'think.' },
      { tool_calls: [{ id: 'a', function: { name: 'photo', arguments: '{' } }] },
      { tool_calls: [{ function: { arguments: '}' } }] },
    ]
      .map((delta) => `data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`)
      .concat(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] })}\n\n`);
    const client = await serve(openaiChatWire, [{ body: events.join(''), type: 'text/event-stream' }, done]);
    const { messages } = await evaluate({ client, toolbox, stream: true, params: { model, messages: question } });
    expect(messages[1]).toMatchObject({
      reasoning_content: 'I think.',
      tool_calls: [{ id: 'a', function: { name: 'photo', arguments: '{}' } }],
    });
  });
});
