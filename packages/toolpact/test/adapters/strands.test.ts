import * as sdk from '@strands-agents/sdk';
import {
  AfterToolCallEvent,
  Agent,
  type AgentConfig,
  type Message,
  Model,
  type ModelStreamEvent,
  ToolStreamUpdateEvent,
  tool,
} from '@strands-agents/sdk';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { toPlugin, toTools } from '../../src/adapters/strands/index.ts';
import type { StrandsToolContext } from '../../src/adapters/strands/tool.ts';
import { isControlFlow } from '../../src/adapters/strands/tool.ts';
import { createToolbox, defineTool, type Outcome, ToolFailure } from '../../src/index.ts';
import { picture, toolbox } from './weather-tool.ts';

type Call = readonly [name: string, json: string];

/** Streams the calls, their arguments in pieces of text, then answers; it keeps what it was sent. */
class ScriptedModel extends Model {
  readonly requests: Message[][] = [];
  readonly #calls: readonly Call[];

  constructor(calls: readonly Call[]) {
    super();
    this.#calls = calls;
  }

  updateConfig(): void {}

  getConfig(): { modelId: string } {
    return { modelId: 'scripted' };
  }

  async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    this.requests.push([...messages]);
    const calls = this.requests.length === 1 ? this.#calls : [];
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    for (const [index, [name, json]] of calls.entries()) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: `c${index + 1}` } };
      for (const input of [json.slice(0, 3), json.slice(3)]) {
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input } };
      }
      yield { type: 'modelContentBlockStopEvent' };
    }
    if (calls.length === 0) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'done' } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    yield { type: 'modelMessageStopEvent', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' };
  }

  /** Returns the results that the model was sent, and the arguments as the history has them. */
  sent(type: 'toolResultBlock' | 'toolUseBlock'): unknown[] {
    const blocks = this.requests[1]?.flatMap(({ content }) => content) ?? [];
    return blocks.filter((block) => block.type === type).map((block) => JSON.parse(JSON.stringify(block)));
  }
}

function start(calls: readonly Call[], config: Partial<AgentConfig>) {
  const model = new ScriptedModel(calls);
  return { model, agent: new Agent({ printer: false, ...config, model }) };
}

const result = (status: string, ...content: object[]) => [{ toolResult: { toolUseId: 'c1', status, content } }];

describe('what the model reads', () => {
  test.each([
    ['a result', 'Paris', result('success', { text: '{"city":"Paris","celsius":21}' })],
    ['a failure', 'Oslo', result('error', { text: expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 3 s/) })],
    ['a refusal', 'Atlantis', result('error', { text: expect.stringMatching(/^\[error: denied\] Atlantis is off limits/) })],
    ['a pending call', 'Bergen', result('success', { text: '[pending: approval] Waiting for approval. Tell the user. (handle: job-7)' })],
    [
      'a partial result',
      'Nordland',
      result('success', { text: expect.stringMatching(/^\[partial\] 1 of 2 failed.*Bodø.*Narvik: failed: .*no station/s) }),
    ],
    [
      'a picture',
      'Svolvær',
      result(
        'success',
        { text: '{"city":"Svolvær","celsius":3}\n[resource: https://example.com/a.pdf]' },
        { image: { format: 'png', source: { bytes: picture } } },
      ),
    ],
  ])('%s arrives in its native form', async (_, city, blocks) => {
    const { model, agent } = start([['weather_forecast', JSON.stringify({ city })]], { tools: toTools(toolbox) });
    expect(String(await agent.invoke('?'))).toBe('done');
    expect(model.sent('toolResultBlock')).toEqual(blocks);
  });

  test.each<[fault: string, call: Call, kind: string, text: RegExp, input: unknown]>([
    ['bad arguments', ['weather_forecast', '{"city":5}'], 'invalid_input', /city expected a string/, { city: 5 }],
    [
      'no JSON',
      ['weather_forecast', '{"city": "Paris" "days": 2}'],
      'invalid_input',
      /not valid JSON at character 17/,
      { unreadable_arguments: '{"city": "Paris" "days": 2}' },
    ],
    ['null', ['weather_forecast', 'null'], 'invalid_input', /null was sent/, { unreadable_arguments: 'null' }],
    ['a list', ['weather_forecast', '["Paris"]'], 'invalid_input', /an array was sent/, { unreadable_arguments: '["Paris"]' }],
    ['an unknown name', ['refund', '{"sum":1}'], 'unknown_tool', /There is no tool named "refund"/, { sum: 1 }],
    [
      'an unknown name with no JSON',
      ['refund', '{"sum'],
      'unknown_tool',
      /There is no tool named "refund"/,
      { unreadable_arguments: '{"sum' },
    ],
  ])('%s is reported and classified', async (_, call, kind, text, input) => {
    const outcomes: Outcome[] = [];
    const options = {};
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { model, agent } = start([call], { tools: toTools(toolbox, options), plugins: [toPlugin(toolbox, options)] });
    expect(String(await agent.invoke('?'))).toBe('done');
    expect(model.sent('toolResultBlock')).toEqual(result('error', { text: expect.stringMatching(text) }));
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'c1' } }]);
    expect(model.sent('toolUseBlock')).toMatchObject([{ toolUse: { name: call[0], input } }]);
  });

  test('a name in another spelling finds its tool, also where the module is handed over', async () => {
    const { model, agent } = start([['Weather-Forecast', '{"city":"Paris"}']], {
      tools: toTools(toolbox),
      plugins: [toPlugin(toolbox, { sdk })],
    });
    await agent.invoke('?');
    expect(model.sent('toolResultBlock')).toEqual(result('success', { text: '{"city":"Paris","celsius":21}' }));
  });

  test('a name that all objects come from is reported, and nothing is written into them', async () => {
    const { model, agent } = start([['__proto__', '{}']], { tools: toTools(toolbox), plugins: [toPlugin(toolbox)] });
    await agent.invoke('?');
    expect(model.sent('toolResultBlock')).toEqual(result('error', { text: expect.stringContaining('no tool named "__proto___"') }));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test('tools of two toolboxes serve one agent', async () => {
    const clock = createToolbox([defineTool({ name: 'clock', description: 'Tells the time.', effects: 'none', run: () => 'noon' })]);
    const { model, agent } = start(
      [
        ['weather_forecast', '{"city":"Paris"}'],
        ['clock', '{}'],
      ],
      { tools: [...toTools(toolbox), ...toTools(clock)], plugins: [toPlugin(toolbox), toPlugin(clock, { name: 'clock' })] },
    );
    await agent.invoke('?');
    expect(model.sent('toolResultBlock')).toMatchObject([
      { toolResult: { toolUseId: 'c1', status: 'success' } },
      { toolResult: { toolUseId: 'c2', status: 'success', content: [{ text: 'noon' }] } },
    ]);
  });

  test('siblings of a lost call keep their results, and tools of others are left alone', async () => {
    const own = tool({ name: 'own', description: 'Own.', inputSchema: z.object({ n: z.number() }), callback: ({ n }) => n * 2 });
    const calls: Call[] = [
      ['refund', '{}'],
      ['weather_forecast', '{"city":"Paris"}'],
      ['own', '{"n":2}'],
      ['own', 'null'],
    ];
    const { model, agent } = start(calls, { tools: [own, ...toTools(toolbox)], plugins: [toPlugin(toolbox, { sdk })] });
    await agent.invoke('?');
    expect(model.sent('toolResultBlock')).toMatchObject([
      { toolResult: { toolUseId: 'c1', status: 'error', content: [{ text: expect.stringContaining('[error: unknown_tool]') }] } },
      { toolResult: { toolUseId: 'c2', status: 'success' } },
      { toolResult: { toolUseId: 'c3', status: 'success', content: [{ text: '4' }] } },
      { toolResult: { toolUseId: 'c4', status: 'error' } },
    ]);
    expect(model.sent('toolUseBlock')).toMatchObject([{}, {}, {}, { toolUse: { input: null } }]);
  });
});

describe('what the application gets', () => {
  test('a hook finds the failure as an error with its kind', async () => {
    const { agent } = start([['weather_forecast', '{"city":"Oslo"}']], { tools: toTools(toolbox) });
    const errors: unknown[] = [];
    agent.addHook(AfterToolCallEvent, ({ error }) => void errors.push(error));
    await agent.invoke('?');
    expect(errors).toEqual([expect.any(ToolFailure)]);
    expect(errors).toMatchObject([{ kind: 'rate_limited' }]);
  });

  test('progress is streamed', async () => {
    const { agent } = start([['weather_forecast', '{"city":"Slowville"}']], { tools: toTools(toolbox) });
    const updates: unknown[] = [];
    for await (const event of agent.stream('?')) if (event instanceof ToolStreamUpdateEvent) updates.push(event.event.data);
    expect(updates).toEqual([{ message: 'asking the station', done: 1, total: 2 }]);
  });

  test('the caller who stops the run frees the call', async () => {
    const outcomes: Outcome[] = [];
    const controller = new AbortController();
    const options = { context: { onProgress: () => controller.abort() } };
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { agent } = start([['weather_forecast', '{"city":"Limbo"}']], { tools: toTools(toolbox, options) });
    const { stopReason } = await agent.invoke('?', { cancelSignal: controller.signal });
    expect(stopReason).toBe('cancelled');
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test.each(['weather_forecast', 'Weather.Forecast'])(
    'a handler (%s) interrupts the agent through its host and goes on when a person answers',
    async (name) => {
      const outcomes: Outcome[] = [];
      const context = (host: unknown) => {
        const { interrupt } = host as StrandsToolContext;
        return {
          app: { ask: (question: string) => interrupt?.({ name: 'ask', reason: { question, of: { city: 'Delphi' } } } as never) } as never,
        };
      };
      const options = { context };
      const report = vi.fn();
      const reported = createToolbox(toolbox.tools, { report });
      reported.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
      const { model, agent } = start([[name, '{"city":"Delphi"}']], {
        tools: toTools(reported, options),
        plugins: [toPlugin(reported, options)],
      });
      const first = await agent.invoke('?');
      expect(first).toMatchObject({ stopReason: 'interrupt', interrupts: [{ reason: { question: 'which oracle?' } }] });
      expect(outcomes).toMatchObject([{ status: 'pending', pending: { reason: 'host' }, meta: { callId: 'c1' } }]);
      expect(report).not.toHaveBeenCalled();
      const interruptId = String(first.interrupts?.[0]?.id);
      const second = await agent.invoke([{ interruptResponse: { interruptId, response: 'the Pythia' } }]);
      expect(String(second)).toBe('done');
      expect(model.sent('toolResultBlock')).toEqual(result('success', { text: '{"city":"Delphi","answer":"the Pythia"}' }));
    },
  );

  test('an interrupt steers Strands, and no other error does', () => {
    expect(isControlFlow(Object.assign(new Error('x'), { name: 'InterruptError' }))).toBe(true);
    expect(isControlFlow(new Error('InterruptError'))).toBe(false);
  });
});
