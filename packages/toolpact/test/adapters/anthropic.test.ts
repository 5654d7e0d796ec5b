import Anthropic from '@anthropic-ai/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { answerToolCalls, collectStream, evaluate, PromptEvaluationError, toTools } from '../../src/adapters/anthropic/index.ts';
import { createToolbox, defineTool } from '../../src/index.ts';
import { anthropicWire } from './providers/anthropic-wire.ts';
import { checkProvider } from './providers/provider-suite.ts';
import { type Reply, type ScriptedServer, serveScript } from './providers/scripted-server.ts';
import { partialText, pendingText, weatherToolbox as toolbox } from './providers/weather-toolbox.ts';
import { event, type ModelTurn } from './providers/wire.ts';

const question = [{ role: 'user' as const, content: 'How is the weather?' }];
const params = { model: 'claude-5', max_tokens: 1000, messages: question };
const clientOf = (origin: string) => new Anthropic({ apiKey: 'test', baseURL: origin, maxRetries: 0 });

checkProvider('messages', {
  adapter: 'anthropic',
  wire: anthropicWire,
  evaluate: (origin, options, messages = question) =>
    evaluate({ client: clientOf(origin), params: { ...params, messages: messages as typeof question }, ...options }),
});

let server: ScriptedServer | undefined;
afterEach(() => server?.close());
async function serve(replies: readonly Reply[]): Promise<Anthropic> {
  server = await serveScript(anthropicWire, replies);
  return clientOf(server.origin);
}
const call = (json: string, name = 'weather_forecast', id = 'call_1') => ({ id, name, json });
const done = { text: 'Done.' };
const messageOf = (turn: ModelTurn) => anthropicWire.toJson(turn) as Anthropic.Message;

describe('toTools', () => {
  test('gives tools with their schemas and examples', () => {
    expect(toTools(toolbox)[0]).toEqual({
      name: 'weather_forecast',
      description: 'Returns the weather for a city.',
      input_schema: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] },
      input_examples: [{ city: 'Kyoto' }],
    });
    expect(toTools(toolbox)[1]).not.toHaveProperty('input_examples');
  });

  test.each(['filter[name]', '$top', 'x'.repeat(65), ''])('says at once that Anthropic does not take the field %j', (field) => {
    const odd = defineTool({ name: 'odd', description: 'Odd.', input: z.object({ [field]: z.string() }), run: () => null });
    expect(() => toTools(createToolbox([odd]))).toThrow(`tool "odd": the field "${field}" cannot be lowered: names of fields are`);
    const inner = defineTool({
      name: 'inner',
      description: 'Odd inside.',
      input: z.object({ deep: z.object({ [field]: z.string() }) }),
      run: () => null,
    });
    expect(toTools(createToolbox([inner]))).toHaveLength(1);
  });

  test('says at once which tool Anthropic does not take', () => {
    const either = defineTool({
      name: 'either',
      description: 'Takes one or the other.',
      input: z.object({}),
      jsonSchema: { input: { type: 'object', anyOf: [{ type: 'object' }] } },
      run: () => null,
    });
    expect(() => toTools(createToolbox([either]))).toThrow(
      'tool "either": the schema cannot be lowered: the root must not be a union (anthropic).',
    );
  });
});

describe('answerToolCalls', () => {
  test('gives one user message with a result per call id, in order, failures flagged', async () => {
    const calls = [call('{"city":"Atlantis"}', undefined, 'a'), call('{"city":"Rome"}', undefined, 'b')];
    expect(await answerToolCalls(messageOf({ calls }), toolbox)).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'a',
            content: '[error: not_found] There is no city named Atlantis.\nNext: Check the name or id before trying again.',
            is_error: true,
          },
          { type: 'tool_result', tool_use_id: 'b', content: '{"city":"Rome"}' },
        ],
      },
    ]);
  });

  test('gives nothing where nothing was called', async () => {
    expect(await answerToolCalls(messageOf(done), toolbox)).toEqual([]);
  });

  test('tells the truth about answers that are neither result nor failure, and shows pictures', async () => {
    const calls = [call('{"what":"some"}', 'order', 'a'), call('{"what":"later"}', 'order', 'b'), call('{}', 'photo', 'c')];
    const [message] = await answerToolCalls(messageOf({ calls }), toolbox);
    expect(message?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: partialText },
      { type: 'tool_result', tool_use_id: 'b', content: pendingText },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: [
          { type: 'text', text: 'A cat.' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
        ],
      },
    ]);
  });

  test('rejects what is no message', async () => {
    for (const wrong of [{}, null, 'text', { content: 'text' }]) {
      await expect(answerToolCalls(wrong as never, toolbox)).rejects.toBeInstanceOf(PromptEvaluationError);
    }
  });

  test('leaves alone what is not a call of a function', async () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      { type: 'tool_use', id: 'c', name: 'click', toolset_name: 'browser', input: {} },
    ];
    expect(await answerToolCalls({ content, stop_reason: 'tool_use' }, toolbox)).toEqual([]);
  });
});

describe('a message that ran into the limit of tokens', () => {
  const cut = /^\[error: invalid_input\/arguments_truncated\] The arguments were cut off/;
  const text = async (message: Parameters<typeof answerToolCalls>[0]) => (await answerToolCalls(message, toolbox))[0]?.content[0]?.content;

  test('runs no call that may be cut, though the provider closed its input', async () => {
    expect(await text(messageOf({ calls: [call('{"amount":5}', 'transfer')], isCut: true }))).toMatch(cut);
    expect(await text(messageOf({ calls: [call('{}', 'transfer')], isCut: true }))).toMatch(cut);
  });

  test.each(['model_context_window_exceeded', 'refusal'])('or was stopped otherwise (%s) runs no such call either', async (stop_reason) => {
    expect(await text({ ...messageOf({ calls: [call('{"amount":5}', 'transfer')] }), stop_reason })).toMatch(cut);
  });

  test('runs a call that is followed by something', async () => {
    const { content, ...message } = messageOf({ calls: [call('{"amount":5}', 'transfer')], isCut: true });
    expect(await text({ ...message, content: [...content, { type: 'text', text: 'And' }] })).toBe('moved 5');
  });

  test.each([
    ['{"amount":5', cut],
    ['{"amount":5}', /^moved 5$/],
    ['', cut],
  ])('knows from a stream whether %j is whole', async (json, told) => {
    const turn = { calls: [call(json, 'transfer')], isCut: true as const };
    const client = await serve([turn, turn]);
    expect(await text(await collectStream(await client.messages.create({ ...params, stream: true })))).toMatch(told);
    expect(await text(await client.messages.stream(params).finalMessage())).toMatch(told);
  });
});

describe('evaluate', () => {
  test.each([
    ['malformed input', '{"city": "Rome" x}', { malformed_arguments: '{"city": "Rome" x}' }, /not valid JSON at character 16/],
    ['input that is no object', '[]', { malformed_arguments: '[]' }, /an array was sent/],
    ['input that was cut off', '{"city": "Ro', { malformed_arguments: '{"city": "Ro' }, /arguments_truncated/],
    ['sound input', '{"city":"Rome"}', { city: 'Rome' }, /Rome/],
  ])('keeps a history that Anthropic takes after %s', async (_what, json, kept, told) => {
    const client = await serve([{ calls: [call(json)] }, done]);
    expect(await evaluate({ client, toolbox, stream: true, params })).toMatchObject({ text: 'Done.', rounds: 2 });
    expect(anthropicWire.argumentsIn(server?.requests[1] as never)).toEqual({ call_1: json === '[]' ? { malformed_arguments: [] } : kept });
    expect(anthropicWire.told(server?.requests[1] as never).call_1?.text).toMatch(told);
  });

  test('goes on where Anthropic paused its own tools', async () => {
    const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' }, caller: { type: 'direct' } };
    const client = await serve([{ raw: { ...messageOf({}), content: [search], stop_reason: 'pause_turn' } }, done]);
    const evaluation = await evaluate({ client, toolbox, params });
    expect(evaluation).toMatchObject({ text: 'Done.', rounds: 2, outcomes: [] });
    expect(evaluation.messages).toMatchObject([question[0], { role: 'assistant', content: [search] }, { role: 'assistant' }]);
  });

  test.each([
    ['a toolset', { type: 'tool_use', id: 'c', name: 'click', toolset_name: 'browser', input: {} }],
    ['a tool that was given beside the toolbox', { type: 'tool_use', id: 'c', name: 'bash', input: { command: 'ls' } }],
  ])('ends when the model calls %s', async (_what, block) => {
    const message = messageOf({ calls: [call('{"city":"Rome"}')] });
    const client = await serve([{ raw: { ...message, content: [block, ...message.content] } }]);
    const tools = [{ type: 'bash_20250124' as const, name: 'bash' as const }];
    const evaluation = await evaluate({ client, toolbox, params: { ...params, tools } });
    expect(evaluation).toMatchObject({ stopped: 'host', outcomes: [{ status: 'ok' }] });
    expect((server?.requests[0]?.tools as { name: string }[] | undefined)?.map(({ name }) => name)).toEqual([
      ...['bash', 'weather_forecast', 'transfer', 'photo', 'order'],
    ]);
  });

  test('keeps thinking and its signature from a stream', async () => {
    const [start, ...rest] = anthropicWire.toEvents({ calls: [call('{"city":"Rome"}')] });
    const typed = (type: string, data: object) => event({ type, index: 9, ...data }, type);
    const thinking = [
      typed('content_block_start', { content_block: { type: 'thinking', thinking: '', signature: '' } }),
      typed('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'Hm' } }),
      typed('content_block_delta', { delta: { type: 'thinking_delta', thinking: 'm.' } }),
      typed('content_block_delta', { delta: { type: 'signature_delta', signature: 'sig' } }),
      typed('content_block_stop', {}),
    ];
    const client = await serve([{ body: [start, ...thinking, ...rest].join(''), type: 'text/event-stream' }, done]);
    const { messages } = await evaluate({ client, toolbox, stream: true, params });
    expect(messages[1]).toMatchObject({ content: [{ type: 'thinking', thinking: 'Hmm.', signature: 'sig' }, { type: 'tool_use' }] });
  });

  test('keeps what a stream says of a compaction', async () => {
    const [start, ...rest] = anthropicWire.toEvents({ text: 'Done.' });
    const typed = (type: string, data: object) => event({ type, index: 9, ...data }, type);
    const compaction = [
      typed('content_block_start', { content_block: { type: 'compaction', content: null } }),
      typed('content_block_delta', { delta: { type: 'compaction_delta', content: 'So far: rain.', encrypted_content: 'e' } }),
      typed('content_block_stop', {}),
    ];
    const client = await serve([{ body: [start, ...compaction, ...rest].join(''), type: 'text/event-stream' }]);
    const { messages } = await evaluate({ client: client.beta, toolbox, stream: true, params });
    expect(messages[1]).toMatchObject({
      content: [{ type: 'compaction', content: 'So far: rain.', encrypted_content: 'e' }, { type: 'text' }],
    });
  });

  test('raises when a stream reports an error in its middle', async () => {
    const events = anthropicWire.toEvents({ text: 'Hello there.' }).slice(0, 4);
    const error = event({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'error');
    const client = await serve([{ body: [...events, error].join(''), type: 'text/event-stream' }]);
    await expect(evaluate({ client, toolbox, stream: true, params })).rejects.toMatchObject({ failure: { retryable: true } });
  });

  test('runs over the beta client too', async () => {
    const client = await serve([{ calls: [call('{"city":"Rome"}')] }, done]);
    expect(await evaluate({ client: client.beta, toolbox, params })).toMatchObject({ text: 'Done.', rounds: 2 });
  });
});
