import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { MastraLanguageModelV2Mock, simulateReadableStream } from '@mastra/core/test-utils/llm-mock';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toInputProcessor, toTools } from '../../src/adapters/mastra/index.ts';
import type { Outcome } from '../../src/index.ts';
import { picture, toolbox } from './weather-tool.ts';

type Call = readonly [name: string, json: string, id?: string];
interface Part {
  readonly type: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly output: unknown;
}

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

/** A model that makes the calls, then answers; it keeps what it was sent. */
function scripted(...calls: readonly Call[]) {
  const prompts: { readonly content: string | readonly Part[] }[][] = [];
  const turn = (prompt: unknown) => {
    prompts.push(prompt as never);
    const toolCalls = calls.map(([toolName, input, id], index) => ({
      type: 'tool-call',
      toolCallId: id ?? `c${index + 1}`,
      toolName,
      input,
    }));
    return prompts.length === 1
      ? { content: toolCalls, finishReason: 'tool-calls' }
      : { content: [{ type: 'text', text: 'done' }], finishReason: 'stop' };
  };
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }: { prompt: unknown }) => ({ ...turn(prompt), usage, warnings: [] }),
    doStream: async ({ prompt }: { prompt: unknown }) => {
      const { content, finishReason } = turn(prompt);
      const chunks = content.flatMap((part) => ('input' in part ? streamed(part as never) : streamedText));
      return { stream: simulateReadableStream({ chunks: [...chunks, { type: 'finish', finishReason, usage }] }) };
    },
  } as never);
  const parts = (type: string) =>
    (prompts[1] ?? []).flatMap(({ content }) => (typeof content === 'string' ? [] : content)).filter((part) => part.type === type);
  return { model: model as never, told: () => parts('tool-result').map(({ output }) => output), history: () => parts('tool-call') };
}

const streamedText = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'done' },
  { type: 'text-end', id: 't' },
];

/** The way providers stream a call: piece by piece, and at last as a whole. */
function streamed(call: { toolCallId: string; toolName: string; input: string }): object[] {
  const { toolCallId: id, toolName, input } = call;
  const [head, tail] = [input.slice(0, 3), input.slice(3)];
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: head },
    { type: 'tool-input-delta', id, delta: tail },
    { type: 'tool-input-end', id },
    call,
  ];
}

const named = { id: 'weather', name: 'weather', instructions: 'Use the tools.' } as const;

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', { type: 'text', value: '{"city":"Paris","celsius":21}' }],
    ['a failure', 'Oslo', { type: 'error-text', value: expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/) }],
    ['a refusal', 'Atlantis', { type: 'error-text', value: expect.stringMatching(/^\[error: denied\] Atlantis is off limits/) }],
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
          { type: 'media', data: picture, mediaType: 'image/png' },
          { type: 'text', text: '[resource: https://example.com/a.pdf]' },
        ],
      },
    ],
  ])('%s arrives in its native form', async (_, city, output) => {
    const { model, told } = scripted(['weather_forecast', JSON.stringify({ city })]);
    const agent = new Agent({ ...named, model, tools: toTools(toolbox) });
    const result = await agent.generate('?', { maxSteps: 3 });
    expect(result.text).toBe('done');
    expect(told()).toEqual([output]);
  });

  test.each<[fault: string, call: Call, kind: string, text: RegExp, history: object]>([
    ['bad arguments', ['weather_forecast', '{"city":5}'], 'invalid_input', /city expected a string/, { input: { city: 5 } }],
    [
      'no JSON',
      ['weather_forecast', '{"city": "Paris" "days": 2}'],
      'invalid_input',
      /not valid JSON at character 17/,
      { input: { unreadable_arguments: '{"city": "Paris" "days": 2}' } },
    ],
    ['null', ['weather_forecast', 'null'], 'invalid_input', /null was sent/, { input: { unreadable_arguments: 'null' } }],
    ['a list', ['weather_forecast', '["Paris"]'], 'invalid_input', /an array was sent/, { input: { unreadable_arguments: '["Paris"]' } }],
    ['an unknown name', ['forecasts', '{"city":"Paris"}'], 'unknown_tool', /"forecasts" not found/, { toolName: 'forecasts' }],
    ['a name that every object has', ['toString', '{}'], 'unknown_tool', /"toString_" not found/, { toolName: 'toString_' }],
    ['the name of what all objects come from', ['__proto__', '{}'], 'unknown_tool', /"__proto___" not found/, { toolName: '__proto___' }],
  ])('%s is reported and classified, generated and streamed', async (_, call, kind, text, history) => {
    for (const way of ['generate', 'stream'] as const) {
      const outcomes: Outcome[] = [];
      const options = {};
      toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
      const { model, told, history: sent } = scripted(call);
      const agent = new Agent({ ...named, model, tools: toTools(toolbox, options), inputProcessors: [toInputProcessor(toolbox, options)] });
      const result = await agent[way]('?', { maxSteps: 3 });
      expect(await result.text).toBe('done');
      expect(told()).toEqual([{ type: 'error-text', value: expect.stringMatching(text) }]);
      expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'c1' } }]);
      expect(sent()).toMatchObject([history]);
    }
  });

  test.each(['generate', 'stream'] as const)('two calls under one id are told apart (%s)', async (way) => {
    const { model, told, history } = scripted(
      ['weather_forecast', '{"city":"Paris"}', 'call_0'],
      ['weather_forecast', '{"city":"Oslo"}', 'call_0'],
    );
    const agent = new Agent({ ...named, model, tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] });
    expect(await (await agent[way]('?', { maxSteps: 3 })).text).toBe('done');
    expect(history()).toMatchObject([
      { toolCallId: 'call_0', input: { city: 'Paris' } },
      { toolCallId: 'call_0_2', input: { city: 'Oslo' } },
    ]);
    expect(told()).toMatchObject([{ value: '{"city":"Paris","celsius":21}' }, { value: expect.stringContaining('rate_limited') }]);
  });

  test.each(['Weather_Forecast', 'weather:forecast', 'forecast'])('the name %s finds its tool', async (name) => {
    const { model, told, history } = scripted([name, '{"city":"Paris"}']);
    const agent = new Agent({ ...named, model, tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] });
    await agent.generate('?', { maxSteps: 3 });
    expect(told()).toEqual([{ type: 'text', value: '{"city":"Paris","celsius":21}' }]);
    expect(history()).toMatchObject([{ toolName: 'weather_forecast' }]);
  });

  test('siblings of a lost call keep their results, and tools of others are left alone', async () => {
    const own = createTool({ id: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }), execute: async ({ n }) => n * 2 });
    const { model, told, history } = scripted(
      ['refund', '{}'],
      ['weather_forecast', '{"city":"Paris"}'],
      ['own', '{"n":2}'],
      ['own', '{"n":'],
    );
    const tools = { ...toTools(toolbox), own };
    const agent = new Agent({ ...named, model, tools, inputProcessors: [toInputProcessor(toolbox)] });
    await agent.generate('?', { maxSteps: 3 });
    expect(told()).toEqual([
      { type: 'error-text', value: expect.stringContaining('"refund" not found') },
      { type: 'text', value: '{"city":"Paris","celsius":21}' },
      { type: 'json', value: 4 },
      { type: 'json', value: expect.objectContaining({ error: true }) },
    ]);
    expect(history()[3]?.input).toEqual({});
  });
});

test.each([
  ['data', { celsius: 21 }, '{"celsius":21}'],
  ['text', 'sunny', 'sunny'],
  ['nothing', undefined, 'null'],
  ['data that looks like an outcome', { status: 'ok' }, '{"status":"ok"}'],
])('a memory may hold %s from before the tool was Toolpact’s', (_, result, value) => {
  expect(toTools(toolbox).weather_forecast.toModelOutput(result as never)).toEqual({ type: 'text', value });
});

describe('what the application gets', () => {
  test('every tool result of a step is the whole outcome', async () => {
    const { model } = scripted(['weather_forecast', '{"city":"Oslo"}']);
    const result = await new Agent({ ...named, model, tools: toTools(toolbox) }).generate('?', { maxSteps: 3 });
    expect(result.steps[0]?.toolResults[0]?.payload.result).toMatchObject({
      status: 'error',
      error: { kind: 'rate_limited', retryAfterMs: 3000 },
    });
  });

  test('progress is streamed', async () => {
    const { model } = scripted(['weather_forecast', '{"city":"Slowville"}']);
    const stream = await new Agent({ ...named, model, tools: toTools(toolbox) }).stream('?', { maxSteps: 3 });
    const outputs: unknown[] = [];
    for await (const chunk of stream.fullStream) if (chunk.type === 'tool-output') outputs.push(chunk.payload.output);
    expect(outputs).toEqual([{ type: 'progress', message: 'asking the station', done: 1, total: 2 }]);
  });

  test('the caller who stops the run frees the call', async () => {
    const outcomes: Outcome[] = [];
    const { model } = scripted(['weather_forecast', '{"city":"Limbo"}']);
    const controller = new AbortController();
    const context = { onProgress: () => controller.abort() };
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const agent = new Agent({ ...named, model, tools: toTools(toolbox, { context }) });
    await agent.generate('?', { maxSteps: 3, abortSignal: controller.signal });
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('a handler suspends the run through its host and goes on when it is resumed', async () => {
    const { model, told } = scripted(['weather_forecast', '{"city":"Delphi"}']);
    const context = (host: unknown) => {
      const { agent } = host as { agent: { suspend: (payload: object) => Promise<void>; resumeData?: { answer: string } } };
      const ask = (question: string) => agent.resumeData?.answer ?? agent.suspend({ question });
      return { app: { ask } as never };
    };
    const agent = new Agent({ ...named, model, tools: toTools(toolbox, { context }) });
    const mastra = new Mastra({ agents: { weather: agent }, storage: new InMemoryStore(), logger: false });
    const first = await mastra.getAgent('weather').generate('?', { maxSteps: 3 });
    expect(first).toMatchObject({ finishReason: 'suspended', suspendPayload: { suspendPayload: { question: 'which oracle?' } } });
    const second = await mastra
      .getAgent('weather')
      .resumeGenerate({ answer: 'the Pythia' }, { runId: String(first.runId), toolCallId: 'c1' });
    expect(second.text).toBe('done');
    expect(told()).toEqual([{ type: 'text', value: '{"city":"Delphi","answer":"the Pythia"}' }]);
  });
});
