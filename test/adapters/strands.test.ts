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
import type { StrandsToolContext } from '../../src/edges/adapters/strands/index.ts';
import { controlFlow, fromTools, isControlFlow, toPlugin, toTools } from '../../src/edges/adapters/strands/index.ts';
import { createToolbox, defineTool, type Outcome, ToolFailure } from '../../src/index.ts';
import { picture, toolbox } from './weather-tool.ts';
import { testWrapped } from './wrapped-cases.ts';

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

  /** What the model was sent as results, and the arguments as the history has them. */
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

  test('what steers Strands is a list', () => {
    expect(controlFlow).toEqual(['InterruptError']);
    expect(isControlFlow(Object.assign(new Error('x'), { name: 'InterruptError' }))).toBe(true);
    expect(isControlFlow(new Error('InterruptError'))).toBe(false);
  });
});

describe('tools of Strands in a toolbox', () => {
  const inputSchema = z.object({ n: z.number() });
  const own = (callback: (input: { n: number }, context: never) => unknown) =>
    tool({ name: 'own', description: 'Own.', inputSchema, callback: callback as never });

  testWrapped({
    wrap: (run, { needsApproval: _, ...options }) =>
      fromTools([own(({ n }, { cancelSignal }: { cancelSignal: AbortSignal }) => run(n, cancelSignal))], options),
    back: (box) => fromTools(toTools(box)),
    asksApproval: false,
  });

  const bytes = Uint8Array.from(atob(picture), (character) => character.charCodeAt(0));
  const image = { type: 'image', mimeType: 'image/png', data: picture };

  /** A tool that is only streamed, as those of an MCP server are. */
  class Streamed extends sdk.Tool {
    name = 'own';
    description = 'Own.';
    toolSpec = { name: 'own', description: 'Own.', inputSchema: { type: 'object' } } as const;
    readonly result: Omit<ConstructorParameters<typeof sdk.ToolResultBlock>[0], 'toolUseId'>;
    constructor(result: Streamed['result']) {
      super();
      this.result = result;
    }
    async *stream({ toolUse: { toolUseId } }: sdk.ToolContext): ReturnType<sdk.Tool['stream']> {
      yield new sdk.ToolStreamEvent({ data: 'half' });
      return new sdk.ToolResultBlock({ toolUseId, ...this.result });
    }
  }

  test.each<[string, sdk.Tool, object]>([
    [
      'a JSON Schema',
      tool({ name: 'own', description: 'Own.', inputSchema: { type: 'object', properties: {} }, callback: () => 'fine' }),
      { status: 'ok', data: 'fine' },
    ],
    [
      'pictures',
      own(() => [new sdk.TextBlock('look'), new sdk.ImageBlock({ format: 'png', source: { bytes } })]),
      { status: 'ok', data: 'look', content: [{ type: 'text', text: 'look' }, image] },
    ],
    ['a picture as data', own(() => ({ image: { format: 'png', source: { bytes } } })), { status: 'ok', content: [image] }],
    [
      'a document by its address',
      own(() => new sdk.DocumentBlock({ name: 'a', format: 'pdf', source: { location: { type: 's3', uri: 's3://b/a.pdf' } } })),
      { status: 'ok', content: [{ type: 'resource', uri: 's3://b/a.pdf', mimeType: 'application/pdf' }] },
    ],
    [
      'an interrupt',
      own((_, { interrupt }: { interrupt: (params: object) => unknown }) => interrupt({ name: 'sure?' })),
      { status: 'error', error: { kind: 'unsupported', message: expect.stringContaining('an interrupt, which only a run of Strands') } },
    ],
    [
      'a streamed list',
      new Streamed({ status: 'success', content: [new sdk.JsonBlock({ json: { $value: [1] } })] }),
      { status: 'ok', data: [1] },
    ],
    [
      'a streamed error',
      new Streamed({ status: 'error', content: [], error: Object.assign(new Error('slow down'), { status: 429 }) }),
      { status: 'error', error: { kind: 'rate_limited' } },
    ],
    [
      'a streamed error that is only a text',
      new Streamed({ status: 'error', content: [new sdk.TextBlock('404: no such account')] }),
      { status: 'error', error: { kind: 'not_found', message: '404: no such account' } },
    ],
  ])('a tool with %s', async (_, given, outcome) => {
    const box = createToolbox(fromTools([given], { effects: 'none' }), { report: () => undefined });
    expect(await box.answer({ name: 'own', args: { n: 1 } })).toMatchObject(outcome);
  });

  test.each<[string, sdk.Tool, unknown[]]>([
    [
      'yields',
      own(async function* () {
        yield 'half';
        yield { message: 'more', done: 2, total: 3 };
        return 'whole';
      }),
      [{ message: 'half' }, { message: 'more', done: 2, total: 3 }],
    ],
    ['streams', new Streamed({ status: 'success', content: [new sdk.TextBlock('whole')] }), [{ message: 'half' }]],
  ])('what a tool %s on the way is its progress', async (_, given, progress) => {
    const heard: unknown[] = [];
    const box = createToolbox(fromTools([given]), { report: () => undefined });
    const outcome = await box.answer({ name: 'own', args: { n: 1 } }, { onProgress: (step) => heard.push(step) });
    expect(outcome).toMatchObject({ status: 'ok', data: 'whole' });
    expect(heard).toEqual(progress);
  });

  test('a wrapped tool interrupts the run of Strands that calls it, and goes on', async () => {
    const given = own(
      (_, { interrupt }: { interrupt: (params: object) => unknown }) => `said ${interrupt({ name: 'ask', reason: 'sure?' })}`,
    );
    const box = createToolbox(fromTools([given]), { report: () => undefined });
    const { model, agent } = start([['own', '{"n":1}']], { tools: toTools(box, { context: (host) => ({ app: host }) }) });
    const first = await agent.invoke('?');
    expect(first).toMatchObject({ stopReason: 'interrupt', interrupts: [{ reason: 'sure?' }] });
    await agent.invoke([{ interruptResponse: { interruptId: String(first.interrupts?.[0]?.id), response: 'yes' } }]);
    expect(model.sent('toolResultBlock')).toEqual(result('success', { text: 'said yes' }));
  });

  test('what is no tool is refused at once', () => {
    expect(() => fromTools([{ name: 'own' }] as never)).toThrow('fromTools takes tools of Strands, with a `toolSpec`');
  });
});
