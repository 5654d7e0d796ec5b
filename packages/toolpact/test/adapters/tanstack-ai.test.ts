import { chat, type ModelMessage, type StreamChunk, toolDefinition } from '@tanstack/ai';
import { BaseTextAdapter } from '@tanstack/ai/adapters';
import { value } from '@toolpact/origins/value';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toRunOptions, toTools } from '../../src/adapters/tanstack-ai/index.ts';
import { createToolbox, defineTool, type Outcome, ToolFailure } from '../../src/index.ts';
import { picture, toolbox } from './weather-tool.ts';

type Call = readonly [name: string, json: string, id?: string, more?: object];

/** Streams the calls, their arguments in pieces of text, then answers; it keeps what it was sent. */
class ScriptedAdapter extends BaseTextAdapter<string, object, readonly ['text'], never> {
  readonly name = 'scripted';
  readonly requests: ModelMessage[][] = [];
  readonly #turns: readonly (readonly Call[])[];

  constructor(...turns: readonly (readonly Call[])[]) {
    super({}, 'scripted');
    this.#turns = turns;
  }

  async *chatStream({ messages }: { readonly messages: ModelMessage[] }): AsyncGenerator<never> {
    const calls = this.#turns[this.requests.length] ?? [];
    this.requests.push(structuredClone(messages));
    const starts = calls.map(([toolCallName, , toolCallId = 'c1', more]) => ({
      type: 'TOOL_CALL_START',
      toolCallId,
      toolCallName,
      ...more,
    }));
    for (const [index, start] of starts.entries()) {
      const { toolCallId } = start;
      const [, json] = calls[index] as Call;
      yield { ...start, index } as never;
      for (const delta of [json.slice(0, 3), json.slice(3)]) yield { type: 'TOOL_CALL_ARGS', toolCallId, delta } as never;
    }
    for (const [index, { toolCallId }] of starts.entries()) {
      const [, json] = calls[index] as Call;
      yield { type: 'TOOL_CALL_END', toolCallId, input: readAsAdaptersDo(json) } as never;
    }
    if (calls.length === 0) yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done' } as never;
    yield { type: 'RUN_FINISHED', finishReason: calls.length > 0 ? 'tool_calls' : 'stop' } as never;
  }

  structuredOutput(): Promise<never> {
    return Promise.reject(new Error('nobody asks for it'));
  }

  /** The results that the model was sent in its second turn. */
  get told(): unknown[] {
    return (this.requests[1] ?? []).flatMap(({ role, content, toolCallId }) => (role === 'tool' ? [[toolCallId, content]] : []));
  }

  /** The calls as the history of its second turn has them. */
  get history(): unknown[] {
    const calls = (this.requests[1] ?? []).flatMap(({ toolCalls }) => toolCalls ?? []);
    return calls.map(({ id, function: { name, arguments: args } }) => [id, name, args]);
  }
}

/** Parses JSON; an unreadable text becomes an empty object. */
function readAsAdaptersDo(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

async function run(options: object): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = [];
  const messages = [{ role: 'user' as const, content: '?' }];
  for await (const chunk of chat({ messages, ...options } as never) as AsyncIterable<StreamChunk>) chunks.push(chunk);
  expect(chunks.map(({ type }) => String(type))).not.toContain('RUN_ERROR');
  return chunks;
}

const textOf = (chunks: readonly StreamChunk[]): string =>
  chunks.flatMap((chunk) => (chunk.type === 'TEXT_MESSAGE_CONTENT' ? [chunk.delta] : [])).join('');

const flagsOf = (chunks: readonly StreamChunk[]): unknown[] =>
  chunks.flatMap((chunk) => {
    if (chunk.type !== 'TOOL_CALL_RESULT') return [];
    const { tanstack } = (chunk.metadata ?? {}) as { tanstack?: { state?: string } };
    return [[chunk.toolCallId, tanstack?.state]];
  });

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', '{"city":"Paris","celsius":21}', undefined],
    ['a failure', 'Oslo', expect.stringMatching(/^{"error":"\[error: rate_limited\] .*\\nNext: Wait 3 s/), 'output-error'],
    ['a refusal', 'Atlantis', expect.stringMatching(/^{"error":"\[error: denied\] Atlantis is off limits/), 'output-error'],
    ['a pending call', 'Bergen', '[pending: approval] Waiting for approval. Tell the user. (handle: job-7)', undefined],
    ['a partial result', 'Nordland', expect.stringMatching(/^\[partial\] 1 of 2 failed.*Bodø.*Narvik: failed: .*no station/s), undefined],
    [
      'a picture',
      'Svolvær',
      [
        { type: 'text', content: '{"city":"Svolvær","celsius":3}' },
        { type: 'image', source: { type: 'data', value: picture, mimeType: 'image/png' } },
        { type: 'text', content: '[resource: https://example.com/a.pdf]' },
      ],
      undefined,
    ],
  ])('%s arrives in its native form, with its flag', async (_, city, content, state) => {
    const adapter = new ScriptedAdapter([['weather_forecast', JSON.stringify({ city })]]);
    const chunks = await run({ adapter, tools: toTools(toolbox) });
    expect(textOf(chunks)).toBe('done');
    expect(adapter.told).toEqual([['c1', content]]);
    expect(flagsOf(chunks)).toEqual([['c1', state]]);
  });

  test.each<[fault: string, call: Call, kind: string, text: RegExp, args: string]>([
    ['bad arguments', ['weather_forecast', '{"city":5}'], 'invalid_input', /city expected a string/, '{"city":5}'],
    [
      'no JSON',
      ['weather_forecast', '{"city": "Paris" "days": 2}'],
      'invalid_input',
      /not valid JSON at character 17/,
      '{"unreadable_arguments":"{\\"city\\": \\"Paris\\" \\"days\\": 2}"}',
    ],
    ['null', ['weather_forecast', 'null'], 'invalid_input', /null was sent/, '{"unreadable_arguments":"null"}'],
    ['a list', ['weather_forecast', '["Paris"]'], 'invalid_input', /an array was sent/, '{"unreadable_arguments":"[\\"Paris\\"]"}'],
    ['an unknown name', ['refund', '{"sum":1}'], 'unknown_tool', /There is no tool named "refund"/, '{"sum":1}'],
    [
      'an unknown name with no JSON',
      ['refund', '{"sum'],
      'unknown_tool',
      /There is no tool named "refund"/,
      '{"unreadable_arguments":"{\\"sum"}',
    ],
  ])('%s is reported and classified', async (_, call, kind, text, args) => {
    const outcomes: Outcome[] = [];
    const end = toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const adapter = new ScriptedAdapter([call]);
    const chunks = await run(toRunOptions(toolbox, adapter));
    end();
    expect(textOf(chunks)).toBe('done');
    expect(adapter.told).toEqual([['c1', expect.stringMatching(text)]]);
    expect(flagsOf(chunks)).toContainEqual(['c1', 'output-error']);
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'c1' } }]);
    expect(adapter.history).toEqual([['c1', call[0], args]]);
  });

  test('a name in another spelling finds its tool', async () => {
    const adapter = new ScriptedAdapter([['Weather-Forecast', '{"city":"Paris"}']]);
    await run(toRunOptions(toolbox, adapter));
    expect(adapter.told).toEqual([['c1', '{"city":"Paris","celsius":21}']]);
    expect(adapter.history).toEqual([['c1', 'weather_forecast', '{"city":"Paris"}']]);
  });

  test('two calls with one id are told apart, in one turn and over turns, and a repetition is made once', async () => {
    const [paris, rome] = ['{"city":"Paris"}', '{"city":"Rome"}'];
    const first: Call[] = [
      ['weather_forecast', paris],
      ['weather_forecast', rome],
      ['weather_forecast', paris],
    ];
    const adapter = new ScriptedAdapter(first, [['weather_forecast', rome]]);
    await run(toRunOptions(toolbox, adapter));
    expect(adapter.told).toMatchObject([
      ['c1', expect.stringContaining('Paris')],
      ['c1_2', expect.stringContaining('Rome')],
    ]);
    const last = adapter.requests[2]?.flatMap(({ role, toolCallId }) => (role === 'tool' ? [toolCallId] : []));
    expect(last).toEqual(['c1', 'c1_2', 'c1_3']);
  });

  test('a text of digits keeps all of them', async () => {
    const digits = defineTool({ name: 'digits', description: 'Counts.', effects: 'none', run: () => '12345678901234567890' });
    const adapter = new ScriptedAdapter([['digits', '{}']]);
    await run({ adapter, tools: toTools(createToolbox([digits])) });
    expect(adapter.told).toEqual([['c1', '12345678901234567890']]);
  });

  test('a failure in the envelope of a dialect is flagged too', async () => {
    const adapter = new ScriptedAdapter([['weather_forecast', '{"city":"Atlantis"}']]);
    const chunks = await run(toRunOptions(toolbox, adapter, { dialect: value }));
    expect(JSON.parse(String((adapter.told[0] as unknown[])[1]))).toMatchObject({ success: false, message: /off limits/ });
    expect(flagsOf(chunks)).toEqual([['c1', 'output-error']]);
  });
});

describe('other calls are left alone', () => {
  test('those of tools that are not of the toolbox, also where their arguments are no JSON', async () => {
    const own = toolDefinition({ name: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }) }).server(({ n }) => n * 2);
    const adapter = new ScriptedAdapter([
      ['refund', '{}', 'c1'],
      ['own', '{"n":2}', 'c2'],
      ['weather_forecast', '{"city":"Paris"}', 'c3'],
      ['own', '{"n', 'c4'],
    ]);
    const options = toRunOptions(toolbox, adapter);
    await run({ ...options, tools: [own, ...options.tools] });
    expect(Object.fromEntries(adapter.told as [string, string][])).toEqual({
      c1: expect.stringContaining('[error: unknown_tool]'),
      c2: '4',
      c3: expect.stringContaining('Paris'),
      c4: expect.stringContaining('Input validation failed for tool own'),
    });
  });

  test('those that the provider has made', async () => {
    const outcomes: Outcome[] = [];
    const end = toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const adapter = new ScriptedAdapter([['web_search', '{"q":1}', 'c1', { metadata: { providerExecuted: true } }]]);
    const chunks = await run(toRunOptions(toolbox, adapter));
    end();
    expect(chunks).toContainEqual(expect.objectContaining({ type: 'TOOL_CALL_START', toolCallName: 'web_search' }));
    expect(outcomes).toEqual([]);
  });
});

describe('what the application gets', () => {
  test('a middleware finds the failure as an error with its kind', async () => {
    const errors: unknown[] = [];
    const adapter = new ScriptedAdapter([['weather_forecast', '{"city":"Oslo"}']]);
    const middleware = [{ onAfterToolCall: (_: unknown, { error }: { error?: unknown }) => void errors.push(error) }];
    await run({ adapter, tools: toTools(toolbox), middleware });
    expect(errors).toEqual([expect.any(ToolFailure)]);
    expect(errors).toMatchObject([{ kind: 'rate_limited' }]);
  });

  test('progress is streamed', async () => {
    const adapter = new ScriptedAdapter([['weather_forecast', '{"city":"Slowville"}']]);
    const chunks = await run({ adapter, tools: toTools(toolbox) });
    const progress = chunks.flatMap((chunk) => (chunk.type === 'CUSTOM' && chunk.name === 'progress' ? [chunk.value] : []));
    expect(progress).toEqual([{ message: 'asking the station', done: 1, total: 2, toolCallId: 'c1' }]);
  });

  test('the caller who stops the run frees the call', async () => {
    const outcomes: Outcome[] = [];
    const abortController = new AbortController();
    const end = toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const options = { context: { onProgress: () => abortController.abort() } };
    const adapter = new ScriptedAdapter([['weather_forecast', '{"city":"Limbo"}']]);
    const messages = [{ role: 'user' as const, content: '?' }];
    for await (const _ of chat({ adapter, messages, tools: toTools(toolbox, options), abortController }));
    end();
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('a context of its own for each call, made from what TanStack AI hands to its tools', async () => {
    const users: unknown[] = [];
    const who = defineTool({ name: 'who', description: 'Who?', effects: 'none', run: (_, { userId }) => void users.push(userId) });
    const context = (host: unknown) => ({ userId: (host as { context: { user: string } }).context.user });
    const adapter = new ScriptedAdapter([['who', '{}']]);
    await run({ ...toRunOptions(createToolbox([who]), adapter, { context }), context: { user: 'ann' } });
    expect(users).toEqual(['ann']);
  });
});
