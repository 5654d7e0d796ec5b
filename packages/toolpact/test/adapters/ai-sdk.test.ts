import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  NoSuchToolError,
  simulateReadableStream,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fromTools, toRunOptions, toTools } from '../../src/adapters/ai-sdk/index.ts';
import { createToolbox, defineTool, type Outcome, ok, partial, pending } from '../../src/index.ts';

const picture = 'iVBORw0KGgo=';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string(), days: z.number().default(1) }),
  effects: 'none',
  examples: [{ input: { city: 'Oslo' } }],
  async run({ city, days }, { fail, signal, progress }) {
    switch (city) {
      case 'Oslo':
        throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '3' } });
      case 'Atlantis':
        return fail('denied', 'Atlantis is off limits.');
      case 'Bergen':
        return pending({ handle: 'job-7', reason: 'approval' });
      case 'Nordland':
        return partial([{ city: 'Bodø', celsius: 4 }], [{ index: 1, id: 'Narvik', error: new Error('no station') }]);
      case 'Svolvær':
        return ok({ city, celsius: 3 }, { content: [{ type: 'image', data: picture, mimeType: 'image/png' }] });
      case 'Limbo':
        return await new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      case 'Slowville':
        progress({ message: 'asking the station', done: 1, total: 2 });
        await Promise.resolve();
        return { city, celsius: 1 };
      default:
        return { city, celsius: 20 + days };
    }
  },
});
const toolbox = createToolbox([forecast], { report: () => undefined });

interface Prompt {
  readonly role: string;
  readonly content: readonly { type: string; toolCallId: string; toolName: string; input: unknown; output: unknown }[];
}

type Call = readonly [name: string, json: string];

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

/** A model that makes the calls, then answers; it keeps what it was sent. */
function scripted(...calls: readonly Call[]) {
  const prompts: Prompt[][] = [];
  const toolCalls = calls.map(([toolName, input], index) => ({ type: 'tool-call', toolCallId: `c${index + 1}`, toolName, input }));
  const turn = ({ prompt }: { prompt: Prompt[] }): { content: { type: string; text?: string }[]; finishReason: { unified: string } } => {
    prompts.push(structuredClone(prompt));
    return prompts.length === 1
      ? { content: toolCalls, finishReason: { unified: 'tool-calls' } }
      : { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' } };
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (options: { prompt: Prompt[] }) => ({ ...turn(options), usage, warnings: [] }),
    doStream: async (options: { prompt: Prompt[] }) => {
      const { content, finishReason } = turn(options);
      const chunks = content.flatMap((part) =>
        part.type === 'text'
          ? [
              { type: 'text-start', id: 't' },
              { type: 'text-delta', id: 't', delta: 'done' },
              { type: 'text-end', id: 't' },
            ]
          : [part],
      );
      return {
        stream: simulateReadableStream({
          chunks: [...chunks, { type: 'finish', finishReason, usage }],
          chunkDelayInMs: null,
          initialDelayInMs: null,
        }),
      };
    },
  } as never);
  const parts = (type: string) =>
    prompts[1]?.flatMap(({ role, content }) => (role === 'user' ? [] : content)).filter((part) => part.type === type);
  return { model, told: () => parts('tool-result')?.map(({ output }) => output), history: () => parts('tool-call') };
}

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', { type: 'text', value: '{"city":"Paris","celsius":21}' }],
    ['a failure', 'Oslo', { type: 'error-text', value: expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/) }],
    ['a refusal', 'Atlantis', { type: 'execution-denied', reason: expect.stringMatching(/^\[error: denied\] Atlantis is off limits/) }],
    ['a pending call', 'Bergen', { type: 'text', value: '[pending: approval] Waiting for approval. Tell the user. (handle: job-7)' }],
    [
      'a partial result',
      'Nordland',
      { type: 'text', value: expect.stringMatching(/^\[partial\] 1 of 2 failed.*Bodø.*Narvik: failed: .*no station/s) },
    ],
    [
      'a picture',
      'Svolvær',
      {
        type: 'content',
        value: [
          { type: 'text', text: '{"city":"Svolvær","celsius":3}' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: picture } },
        ],
      },
    ],
  ])('%s arrives in its native form', async (_, city, output) => {
    const { model, told } = scripted(['weather_forecast', JSON.stringify({ city })]);
    const result = await generateText({ model, prompt: '?', stopWhen: stepCountIs(3), tools: toTools(toolbox) });
    expect(result.text).toBe('done');
    expect(told()).toEqual([output]);
  });

  test.each<[string, Call, string, string, object]>([
    ['bad arguments', ['weather_forecast', '{"city":5}'], 'error-text', '[error: invalid_input] .*city expected a string', { city: 5 }],
    [
      'no JSON',
      ['weather_forecast', '{"city": "Paris" "days": 2}'],
      'error-text',
      '[error: invalid_input] .*not valid JSON at character 17',
      { unreadable_arguments: '{"city": "Paris" "days": 2}' },
    ],
    ['null', ['weather_forecast', 'null'], 'error-text', '[error: invalid_input] .*null was sent', { unreadable_arguments: 'null' }],
    [
      'a list',
      ['weather_forecast', '[{"city":"Paris"}]'],
      'error-text',
      '[error: invalid_input] .*an array was sent',
      { unreadable_arguments: '[{"city":"Paris"}]' },
    ],
    [
      'an unknown name',
      ['weather_history', '{"city":"Paris"}'],
      'error-text',
      '[error: unknown_tool] .*\nNext: Did you mean "weather_forecast"',
      { city: 'Paris' },
    ],
    [
      'a known name, spelled differently',
      ['Weather.Forecast', '{"city":"Paris"}'],
      'text',
      '{"city":"Paris","celsius":21}',
      { city: 'Paris' },
    ],
    ['the action alone', ['forecast', '{"city":"Paris"}'], 'text', '{"city":"Paris","celsius":21}', { city: 'Paris' }],
    [
      'a prototype',
      ['weather_forecast', '{"city":"Paris","__proto__":{"days":9}}'],
      'text',
      '{"city":"Paris","celsius":21}',
      { city: 'Paris' },
    ],
  ])('%s is answered by the toolbox, and the history stays one that providers take', async (_, call, type, words, input) => {
    const { model, told, history } = scripted(call);
    const result = await generateText({ model, prompt: '?', ...toRunOptions(toolbox, { maxSteps: 3 }) });
    expect(result.text).toBe('done');
    expect(told()).toEqual([{ type, value: expect.stringMatching(new RegExp(`^${words.replace(/[[\]{}]/g, '\\$&')}`)) }]);
    expect(history()?.map((part) => part.input)).toEqual([input]);
  });

  test('arguments that need repair are repaired, and the tool runs', async () => {
    const { model, told } = scripted(['weather_forecast', "{'city': 'Paris', 'days': 2,}"]);
    await generateText({ model, prompt: '?', ...toRunOptions(toolbox, { maxSteps: 3 }) });
    expect(told()).toEqual([{ type: 'text', value: '{"city":"Paris","celsius":22}' }]);
  });

  test('a call among others fails alone', async () => {
    const { model, told } = scripted(['weather_forecast', '{"city":"Oslo"}'], ['nope', '{}'], ['weather_forecast', '{"city":"Paris"}']);
    await generateText({ model, prompt: '?', ...toRunOptions(toolbox, { maxSteps: 3 }) });
    expect(told()).toMatchObject([
      { type: 'error-text' },
      { type: 'error-text' },
      { type: 'text', value: '{"city":"Paris","celsius":21}' },
    ]);
  });

  test('a streaming run tells the same', async () => {
    const { model, told } = scripted(['weather_forecast', '{"city":"Oslo"}'], ['weather_forecast', '{"city":'], ['nope', '{}']);
    const result = streamText({ model, prompt: '?', ...toRunOptions(toolbox, { maxSteps: 3 }) });
    expect(await result.text).toBe('done');
    expect(told()).toMatchObject([
      { type: 'error-text', value: expect.stringContaining('[error: rate_limited]') },
      { type: 'error-text', value: expect.stringContaining('[error: invalid_input/arguments_truncated]') },
      { type: 'error-text', value: expect.stringContaining('[error: unknown_tool]') },
    ]);
  });
});

describe('what the application sees', () => {
  test('every outcome in full, with its call id, and the tools that were refused before they ran', async () => {
    const seen: Outcome[] = [];
    const { model } = scripted(['weather_forecast', '{"city":"Oslo"}'], ['nope', '{}']);
    toolbox.subscribe((event) => event.type === 'call-end' && seen.push(event.outcome));
    const options = toRunOptions(toolbox, { context: () => ({ tenantId: 'acme' }), maxSteps: 3 });
    const result = await generateText({ model, prompt: '?', ...options });
    const [known] = result.steps[0]?.toolResults ?? [];
    expect(known?.output).toMatchObject({
      status: 'error',
      error: { kind: 'rate_limited', retryAfterMs: 3000 },
      meta: { callId: 'c1', tenantId: 'acme' },
    });
    expect(seen).toMatchObject([
      { error: { kind: 'unknown_tool' }, meta: { callId: 'c2' } },
      { error: { kind: 'rate_limited' }, meta: { callId: 'c1' } },
    ]);
    const unknown = result.steps[0]?.toolCalls.find((call) => call.invalid);
    expect(NoSuchToolError.isInstance(unknown?.error)).toBe(true);
    expect(unknown?.error).toMatchObject({ outcome: { error: { kind: 'unknown_tool' } } });
  });

  test('a call that the application stops is freed at once', async () => {
    const controller = new AbortController();
    const seen: Outcome[] = [];
    const { model } = scripted(['weather_forecast', '{"city":"Limbo"}']);
    toolbox.subscribe((event) => event.type === 'call-end' && seen.push(event.outcome));
    const run = generateText({
      model,
      prompt: '?',
      stopWhen: stepCountIs(3),
      tools: toTools(toolbox),
      abortSignal: controller.signal,
      onToolExecutionStart: () => queueMicrotask(() => controller.abort()),
    });
    await run.catch(() => undefined);
    expect(seen).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('progress shows as preliminary results', async () => {
    const { model, told } = scripted(['weather_forecast', '{"city":"Slowville"}']);
    const result = streamText({ model, prompt: '?', stopWhen: stepCountIs(3), tools: toTools(toolbox, { showProgress: true }) });
    const shown: unknown[] = [];
    for await (const part of result.stream) if (part.type === 'tool-result' && part.preliminary === true) shown.push(part.output);
    expect(shown).toMatchObject([
      { status: 'pending', message: 'asking the station 1 of 2' },
      { status: 'ok', data: { celsius: 1 } },
    ]);
    expect(told()).toEqual([{ type: 'text', value: '{"city":"Slowville","celsius":1}' }]);
  });

  test('tools of another author beside ours keep their own errors', async () => {
    const { model, told } = scripted(['other', '{"n":"x"}']);
    const { tools, repairToolCall } = toRunOptions(toolbox);
    const other = tool({ inputSchema: z.object({ n: z.number() }), execute: () => 1 });
    await generateText({ model, prompt: '?', stopWhen: stepCountIs(3), tools: { ...tools, other }, repairToolCall });
    expect(told()).toMatchObject([{ type: 'error-text', value: expect.stringMatching(/Invalid input for tool other/) }]);
  });
});

test.each([
  ['data', { celsius: 21 }, '{"celsius":21}'],
  ['text', 'sunny', 'sunny'],
  ['nothing', null, 'null'],
  ['data that looks like an outcome', { status: 'error', message: 'gone' }, '{"status":"error","message":"gone"}'],
])('a stored conversation may hold %s from before the tool was Toolpact’s', async (_, output, value) => {
  const part = { type: 'tool-weather_forecast', toolCallId: 'c1', state: 'output-available', input: { city: 'Paris' }, output };
  const messages = await convertToModelMessages([{ role: 'assistant', parts: [part] }] as never, { tools: toTools(toolbox) as never });
  expect(messages[1]).toMatchObject({ role: 'tool', content: [{ output: { type: 'text', value } }] });
});

test('the toolbox hears that its tools were offered', () => {
  const events: unknown[] = [];
  const watched = createToolbox([forecast], { events: { emit: (event) => events.push(event) } });
  expect(Object.keys(toTools(watched))).toEqual(['weather_forecast']);
  expect(events).toMatchObject([{ type: 'tools-offered', adapter: 'ai-sdk', tools: [{ name: 'weather_forecast' }] }]);
});

describe('fromTools', () => {
  const input = z.object({ n: z.number() });
  const wrapped = createToolbox(
    fromTools(
      {
        double: tool({
          description: 'Doubles.',
          inputSchema: input,
          outputSchema: z.object({ twice: z.number() }),
          execute: ({ n }) => ({ twice: n * 2 }),
        }),
        liar: tool({ inputSchema: input, outputSchema: z.object({ twice: z.number() }), execute: () => ({ twice: 'no' }) as never }),
        broken: tool({
          inputSchema: input,
          execute: (): string => {
            throw Object.assign(new Error('gone'), { status: 404 });
          },
        }),
        raw: tool({
          inputSchema: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } }),
          execute: ({ n }) => n,
        }),
        strict: tool({
          inputSchema: jsonSchema<{ n: number }>(
            { type: 'object', properties: { n: { type: 'number' } } },
            { validate: (value) => ({ success: false, error: new Error(`not ${JSON.stringify(value)}`) }) },
          ),
          execute: ({ n }) => n,
        }),
        told: tool({
          inputSchema: input,
          execute: ({ n }) => n,
          toModelOutput: ({ output }) => ({ type: 'text', value: `It is ${output}.` }),
        }),
        seen: tool({
          inputSchema: input,
          execute: () => 1,
          toModelOutput: () => ({
            type: 'content',
            value: [
              { type: 'text', text: 'look' },
              { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2]) } },
            ],
          }),
        }),
        sorry: tool({
          inputSchema: input,
          execute: () => 0,
          toModelOutput: () => ({ type: 'error-text', value: '429 too many requests' }),
        }),
        denied: tool({ inputSchema: input, execute: () => 0, toModelOutput: () => ({ type: 'execution-denied', reason: 'not today' }) }),
        steps: tool({
          inputSchema: input,
          async *execute() {
            yield 'half';
            yield 'whole';
          },
        }),
        odd: tool({
          inputSchema: input,
          async *execute() {
            yield { big: 1n };
            yield 'whole';
          },
        }),
      },
      { effects: { double: 'none' } },
    ),
    { report: () => undefined },
  );

  test.each([
    ['double', { n: 4 }, { status: 'ok', data: { twice: 8 } }],
    ['double', { n: 'x' }, { status: 'error', error: { kind: 'invalid_input' } }],
    ['liar', { n: 4 }, { status: 'error', error: { kind: 'invalid_output' } }],
    ['broken', { n: 4 }, { status: 'error', error: { kind: 'not_found' } }],
    ['raw', { n: 4 }, { status: 'ok', data: 4 }],
    ['strict', { n: 4 }, { status: 'error', error: { kind: 'invalid_input' } }],
    ['told', { n: 4 }, { status: 'ok', data: 4, content: [{ type: 'text', text: 'It is 4.' }] }],
    [
      'seen',
      { n: 4 },
      {
        status: 'ok',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', mimeType: 'image/png', data: 'AQI=' },
        ],
      },
    ],
    ['sorry', { n: 4 }, { status: 'error', error: { kind: 'rate_limited' } }],
    ['denied', { n: 4 }, { status: 'error', error: { kind: 'denied', message: expect.stringContaining('not today') } }],
    ['steps', { n: 4 }, { status: 'ok', data: 'whole' }],
    ['odd', { n: 4 }, { status: 'ok', data: 'whole' }],
  ])('%s of %j ends as it should', async (name, args, outcome) => {
    expect(await wrapped.answer({ name, args, callId: 'c9' })).toMatchObject({ ...outcome, meta: { callId: 'c9' } });
  });

  test('what a tool yields on the way is its progress', async () => {
    const heard: unknown[] = [];
    await wrapped.answer({ name: 'steps', args: { n: 1 } }, { onProgress: ({ message }) => heard.push(message) });
    expect(heard).toEqual(['half']);
  });

  test('effects are what the caller says they are', () => {
    expect(wrapped.list().map(({ name, effects }) => `${name} ${effects}`)).toContain('double none');
    expect(wrapped.list().map(({ name, effects }) => `${name} ${effects}`)).toContain('raw writes');
  });

  test.each([
    ['without `execute`', { far: { inputSchema: input } }, /"far" has no `execute`/],
    [
      'whose schema is not there yet',
      { late: tool({ inputSchema: jsonSchema(Promise.resolve({})), execute: () => 1 }) },
      /"late" is not there yet/,
    ],
    ['with a schema that is none', { odd: { inputSchema: null, execute: () => 1 } }, /"odd" has a schema that the AI SDK would not take/],
  ])('a tool %s is refused at once', (_, tools, message) => expect(() => fromTools(tools)).toThrow(message));
});
