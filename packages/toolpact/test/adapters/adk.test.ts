import {
  BaseLlm,
  type Context,
  FunctionTool,
  InMemoryRunner,
  LlmAgent,
  type LlmAgentConfig,
  type LlmRequest,
  type LlmResponse,
  LogLevel,
  setLogLevel,
} from '@google/adk';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { toBeforeModelCallback, toTools } from '../../src/adapters/adk/index.ts';
import { createToolbox, defineTool, type Outcome } from '../../src/index.ts';
import { toolbox } from './weather-tool.ts';

setLogLevel(LogLevel.ERROR + 1);

type Call = readonly [name: string, args: unknown];
type Part = NonNullable<NonNullable<LlmRequest['contents'][number]['parts']>[number]>;

/** Makes the calls, then answers; it keeps what it was sent. */
class ScriptedLlm extends BaseLlm {
  readonly requests: LlmRequest[] = [];
  readonly #calls: readonly Call[];

  constructor(calls: readonly Call[]) {
    super({ model: 'scripted' });
    this.#calls = calls;
  }

  async *generateContentAsync(request: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.requests.push({ ...request, contents: structuredClone(request.contents) });
    const calls = this.#calls.map(([name, args], index) => ({ functionCall: { id: `c${index + 1}`, name, args: args as never } }));
    yield { content: { role: 'model', parts: this.requests.length === 1 ? calls : [{ text: 'done' }] } };
  }

  connect(): Promise<never> {
    return Promise.reject(new Error('not live'));
  }

  told(): unknown[] {
    const parts = this.requests[1]?.contents.flatMap(({ parts = [] }) => parts) ?? [];
    return parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse]));
  }
}

/** Runs an agent until it ends. */
function start(calls: readonly Call[], config: Partial<LlmAgentConfig>) {
  const model = new ScriptedLlm(calls);
  const agent = new LlmAgent({ name: 'weather', instruction: 'Use the tools.', ...config, model });
  const runner = new InMemoryRunner({ agent, appName: 'weather' });
  const session = runner.sessionService.createSession({ appName: 'weather', userId: 'u' });
  const send = async (parts: Part[], abortSignal?: AbortSignal): Promise<Part[]> => {
    const given: Part[] = [];
    const { id: sessionId } = await session;
    const request = { userId: 'u', sessionId, newMessage: { role: 'user', parts }, ...(abortSignal && { abortSignal }) };
    for await (const { content } of runner.runAsync(request)) given.push(...(content?.parts ?? []));
    return given;
  };
  return { model, send, run: (abortSignal?: AbortSignal) => send([{ text: '?' }], abortSignal) };
}

test('says at once which tool Gemini does not take', () => {
  const both = defineTool({
    name: 'both',
    description: 'Takes both.',
    input: z.object({ pair: z.unknown() }),
    jsonSchema: { input: { type: 'object', properties: { pair: { allOf: [{ type: 'object' }, { type: 'string' }] } } } },
    run: () => null,
  });
  expect(() => toTools(createToolbox([both]))).toThrow(
    'tool "both": the field "pair" cannot be lowered: its allOf parts contradict each other: the type is "object" in one and "string" in another (gemini).',
  );
});

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', { output: { city: 'Paris', celsius: 21 } }],
    ['a failure', 'Oslo', { error: expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/) }],
    ['a refusal', 'Atlantis', { error: expect.stringMatching(/^\[error: denied\] Atlantis is off limits/) }],
    ['a pending call', 'Bergen', { output: '[pending: approval] Waiting for approval. Tell the user. (handle: job-7)' }],
    ['a partial result', 'Nordland', { output: expect.stringMatching(/^\[partial\] 1 of 2 failed.*Bodø.*Narvik: failed: .*no station/s) }],
    [
      'that there is a picture',
      'Svolvær',
      { output: '{"city":"Svolvær","celsius":3}\n[image: image/png, not shown]\n[resource: https://example.com/a.pdf]' },
    ],
  ])('%s arrives', async (_, city, response) => {
    const { model, run } = start([['weather_forecast', { city }]], { tools: toTools(toolbox) });
    expect(await run()).toContainEqual({ text: 'done' });
    expect(model.told()).toEqual([{ id: 'c1', name: 'weather_forecast', response }]);
  });

  test.each<[fault: string, call: Call, kind: string, text: RegExp]>([
    ['bad arguments', ['weather_forecast', { city: 5 }], 'invalid_input', /city expected a string/],
    ['text in place of arguments', ['weather_forecast', '{"city": "Paris" "days": 2}'], 'invalid_input', /not valid JSON at character 17/],
    ['a list', ['weather_forecast', ['Paris']], 'invalid_input', /an array was sent/],
    [
      'an unknown name',
      ['forecasts_of', {}],
      'unknown_tool',
      /There is no tool named "forecasts_of"\.\nNext: Did you mean "weather_forecast"/,
    ],
    ['a name that objects have anyway', ['constructor', {}], 'unknown_tool', /There is no tool named "constructor"/],
  ])('%s is reported and classified', async (_, call, kind, text) => {
    const outcomes: Outcome[] = [];
    const options = {};
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { model, run } = start([call], {
      tools: toTools(toolbox, options),
      beforeModelCallback: toBeforeModelCallback(toolbox, options),
    });
    expect(await run()).toContainEqual({ text: 'done' });
    expect(model.told()).toEqual([{ id: 'c1', name: call[0], response: { error: expect.stringMatching(text) } }]);
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'c1' } }]);
    expect(model.requests).toHaveLength(2);
  });

  test('a name in another spelling finds its tool', async () => {
    const { model, run } = start([['Weather.Forecast', { city: 'Paris' }]], {
      tools: toTools(toolbox),
      beforeModelCallback: toBeforeModelCallback(toolbox),
    });
    await run();
    expect(model.told()).toMatchObject([{ name: 'Weather.Forecast', response: { output: { city: 'Paris', celsius: 21 } } }]);
  });

  test('siblings of a lost call keep their results, and tools of others are left alone', async () => {
    const own = new FunctionTool({ name: 'own', description: 'Own.', execute: () => 'mine' });
    const calls: Call[] = [
      ['refund', {}],
      ['weather_forecast', { city: 'Paris' }],
      ['own', {}],
    ];
    const { model, run } = start(calls, {
      tools: [own, ...toTools<FunctionTool>(toolbox)],
      beforeModelCallback: toBeforeModelCallback(toolbox),
    });
    await run();
    expect(model.told()).toMatchObject([
      { name: 'refund', response: { error: expect.stringContaining('[error: unknown_tool]') } },
      { name: 'weather_forecast', response: { output: { celsius: 21 } } },
      { name: 'own', response: { result: 'mine' } },
    ]);
  });

  test('the model is offered its tools with their JSON Schemas, and nothing else', async () => {
    const { model, run } = start([['refund', {}]], { tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) });
    await run();
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
    expect(model.requests[1]?.config?.tools).toMatchObject([
      { functionDeclarations: [{ name: 'weather_forecast', parametersJsonSchema: schema }] },
    ]);
    expect(Object.keys(model.requests[1]?.toolsDict ?? {})).toEqual(['weather_forecast']);
  });
});

describe('what the application gets', () => {
  test('the caller who stops the run frees the call', async () => {
    const outcomes: Outcome[] = [];
    const controller = new AbortController();
    const context = { onProgress: () => controller.abort() };
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const tools = toTools<FunctionTool>(toolbox, { context });
    await start([['weather_forecast', { city: 'Limbo' }]], { tools }).run(controller.signal);
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('two tools of one name are a mistake', async () => {
    const tools = [...toTools<FunctionTool>(toolbox), ...toTools<FunctionTool>(toolbox)];
    await expect(start([], { tools }).run()).rejects.toThrow('two tools are named "weather_forecast"');
  });

  test('a handler asks for a confirmation through its host and goes on when it is given', async () => {
    const context = (host: unknown) => {
      const tool = host as Context;
      const ask = (hint: string) =>
        tool.toolConfirmation === undefined ? tool.requestConfirmation({ hint }) : `confirmed: ${tool.toolConfirmation.confirmed}`;
      return { app: { ask } as never };
    };
    const { model, run, send } = start([['weather_forecast', { city: 'Delphi' }]], {
      tools: toTools(toolbox, { context }),
      beforeModelCallback: toBeforeModelCallback(toolbox, { context }),
    });
    const asked = (await run()).find(({ functionCall }) => functionCall?.name === 'adk_request_confirmation')?.functionCall;
    expect(asked?.args).toMatchObject({ toolConfirmation: { hint: 'which oracle?' } });
    expect(model.requests).toHaveLength(1);
    const answer = { id: String(asked?.id), name: 'adk_request_confirmation', response: { confirmed: true } };
    expect(await send([{ functionResponse: answer }])).toContainEqual({ text: 'done' });
    expect(model.told()).toMatchObject([{ response: { output: { city: 'Delphi', answer: 'confirmed: true' } } }]);
  });
});
