import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type RunToolCallOutputItem,
  ToolInputGuardrailTripwireTriggered,
  tool,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ScriptedCall } from '../../../../proofs/battery/host.ts';
import { ScriptedModel } from '../../../../proofs/battery/hosts/openai-agents.ts';
import { isControlFlow } from '../../src/adapters/openai-agents/control-flow.ts';
import { toRunOptions, toTools } from '../../src/adapters/openai-agents/index.ts';
import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from '../../src/index.ts';

const pixel = 'iVBORw0KGgo=';
const tripwire = () =>
  new ToolInputGuardrailTripwireTriggered('Not in this house.', {
    guardrail: { type: 'tool_input', name: 'house' },
    output: { behavior: { type: 'throwException' }, outputInfo: { deep: { er: { still: { more: 1 } } } } },
  } as never);

const desk = defineTool({
  name: 'front:desk',
  description: 'Does what it is asked.',
  input: z.object({ what: z.string(), note: z.string().optional() }),
  effects: 'none',
  async run({ what, note }, { signal }) {
    switch (what) {
      case 'limit':
        throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '8' } });
      case 'deny':
        return fail('denied', 'Nobody may do this.');
      case 'wait':
        return pending({ handle: 'h-1', reason: 'approval' });
      case 'half':
        return partial(['a'], [{ index: 1, error: fail('not_found', 'There is no b.') }]);
      case 'see':
        return ok({ seen: 1 }, { content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] });
      case 'trip':
        throw tripwire();
      case 'hang':
        return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      default:
        return { did: what, hasNote: note !== undefined };
    }
  },
});
const open = defineTool({
  name: 'open',
  description: 'Takes fields of any name.',
  input: z.object({ fields: z.record(z.string(), z.string()) }),
  effects: 'none',
  run: ({ fields }) => Object.keys(fields).length,
});
const toolbox = createToolbox([desk, open], { report: () => undefined });
const call = (args: unknown, id = 'call-1', name = 'front_desk'): ScriptedCall => ({ id, name, args, json: JSON.stringify(args) });

interface Run {
  readonly answer: string | undefined;
  readonly told: readonly AgentInputItem[];
  readonly items: readonly RunToolCallOutputItem[];
  readonly outcomes: readonly Outcome[];
}

async function run(calls: readonly ScriptedCall[], extra: object = {}): Promise<Run> {
  const outcomes: Outcome[] = [];
  const options = {};
  const stop = toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
  const model = new ScriptedModel(calls);
  const agent = new Agent({ name: 'clerk', model, tools: toTools(toolbox, options) });
  const result = await new Runner({ tracingDisabled: true }).run(agent, 'go', { ...toRunOptions(toolbox, options), ...extra });
  stop();
  const items = result.newItems.filter((item): item is RunToolCallOutputItem => item.type === 'tool_call_output_item');
  return { answer: result.finalOutput, told: toldTo(model), items, outcomes };
}

/** A toolbox with one tool that counts its calls, which carry the tenant of the run. */
function countCalls(effects: 'none' | 'writes') {
  const made: (string | undefined)[] = [];
  const bell = defineTool({
    name: 'front:bell',
    description: 'Rings.',
    effects,
    run: (_, { tenantId }) => `${tenantId} ${made.push(tenantId)}`,
  });
  const options = { context: (host: unknown) => ({ tenantId: (host as { context: { tenant: string } }).context.tenant }) };
  return { made, options, counting: createToolbox([bell], { report: () => undefined }) };
}

/** A model that makes calls in two turns. */
class TwoTurnModel extends ScriptedModel {
  readonly later: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[], later: readonly ScriptedCall[]) {
    super(calls);
    this.later = later;
  }

  override async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const response = await super.getResponse(request);
    if (this.prompts.length !== 2) return response;
    return new ScriptedModel(this.later).getResponse({ ...request, input: '' });
  }
}

function toldTo(model: ScriptedModel): AgentInputItem[] {
  return (model.prompts[1] ?? []).filter(({ type }) => type === 'function_call_result');
}

const text = (value: unknown) => ({ type: 'text', text: value });

describe('a run', () => {
  test.each([
    ['eat', text('{"did":"eat","hasNote":false}'), { status: 'ok' }],
    [
      'limit',
      text(expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 8 s/)),
      { status: 'error', error: { kind: 'rate_limited', retryAfterMs: 8000 } },
    ],
    ['deny', text(expect.stringMatching(/^\[error: denied\] Nobody may do this/)), { error: { kind: 'denied' } }],
    ['wait', text('[pending: approval] Waiting for approval. Tell the user. (handle: h-1)'), { status: 'pending' }],
    [
      'half',
      text('[partial] 1 of 2 failed.\n["a"]\n- item 1: not_found: There is no b. (Check the name or id before trying again.)'),
      { status: 'partial' },
    ],
    [
      'see',
      [
        { type: 'input_text', text: '{"seen":1}' },
        { type: 'input_image', image: `data:image/png;base64,${pixel}` },
      ],
      { status: 'ok', data: { seen: 1 } },
    ],
  ])('tells of %s, and its item carries the outcome', async (what, output, outcome) => {
    const { answer, told, items, outcomes } = await run([call({ what })]);
    expect(answer).toBe('all done');
    expect(told).toMatchObject([{ callId: 'call-1', name: 'front_desk', output }]);
    expect(outcomes).toMatchObject([{ ...outcome, meta: { callId: 'call-1' } }]);
    expect(items.map(({ customData }) => customData)).toMatchObject([{ toolpact: outcome }]);
  });

  test.each([
    ['bad arguments', call({ what: 5 }), 'invalid_input', /what expected a string, received number/],
    ['null', call(null), 'invalid_input', /null was sent/],
    ['a list', call([{ what: 'eat' }]), 'invalid_input', /an array was sent/],
    ['arguments that are no JSON', { ...call(''), json: '{"what" "eat"}' }, 'invalid_input', /not valid JSON at character 8/],
    ['an unknown name', call({}, 'call-1', 'front_dosk'), 'unknown_tool', /no tool named "front_dosk"\.\nNext: Did you mean "front_desk"/],
  ] as const)('answers %s with the true cause', async (_, asked, kind, words) => {
    const { answer, told, outcomes } = await run([asked]);
    expect(answer).toBe('all done');
    expect(told).toMatchObject([{ callId: 'call-1', output: text(expect.stringMatching(words)) }]);
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind }, meta: { callId: 'call-1' } }]);
  });

  test.each(['FrontDesk', 'desk'])('makes a call of %s, which means a tool in another spelling, once', async (name) => {
    const { answer, told, outcomes } = await run([call({ what: 'eat', note: null }, 'call-1', name)]);
    expect(answer).toBe('all done');
    expect(told).toMatchObject([{ callId: 'call-1', output: text('{"did":"eat","hasNote":false}') }]);
    expect(outcomes).toMatchObject([{ status: 'ok', meta: { tool: 'front:desk', callId: 'call-1' } }]);
  });

  test('keeps the results of siblings, one answer per call', async () => {
    const { told } = await run([
      call({ what: 'limit' }, 'a'),
      { ...call('', 'b'), json: '{"what"' },
      call({}, 'c', 'nope'),
      call({ what: 'eat' }, 'd'),
    ]);
    const answers = Object.fromEntries(told.map((item) => [(item as { callId: string }).callId, JSON.stringify(item)]));
    expect(answers).toEqual({
      a: expect.stringContaining('[error: rate_limited]'),
      b: expect.stringContaining('[error: invalid_input/arguments_truncated]'),
      c: expect.stringContaining('[error: unknown_tool]'),
      d: expect.stringContaining('eat'),
    });
  });

  test('that streams is answered the same way', async () => {
    const model = new ScriptedModel([{ ...call(''), json: '{"what" "eat"}' }]);
    const agent = new Agent({ name: 'clerk', model, tools: toTools(toolbox) });
    const result = await new Runner({ tracingDisabled: true }).run(agent, 'go', { ...toRunOptions(toolbox), stream: true });
    await result.completed;
    expect(result.finalOutput).toBe('all done');
    expect(toldTo(model)).toMatchObject([{ output: text(expect.stringContaining('not valid JSON')) }]);
  });

  test('makes the context of a call with no JSON out of the run’s own, too', async () => {
    const outcomes: Outcome[] = [];
    const options = {
      context: (host: unknown) => ({ tenantId: (host as { context: { tenant: string } }).context.tenant }),
    };
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const agent = new Agent({
      name: 'clerk',
      model: new ScriptedModel([{ ...call(''), json: '{"what" "eat"}' }]),
      tools: toTools(toolbox, options),
    });
    await new Runner({ tracingDisabled: true }).run(agent, 'go', { ...toRunOptions(toolbox, options), context: { tenant: 'acme' } });
    expect(outcomes).toMatchObject([{ error: { kind: 'invalid_input' } }]);
  });

  test('tells each run of its own call, though the ids are the same', async () => {
    const options = toRunOptions(toolbox);
    const told = async (json: string) => {
      const model = new ScriptedModel([{ ...call(''), json }]);
      await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'clerk', model, tools: toTools(toolbox) }), 'go', options);
      return toldTo(model);
    };
    expect(await told('{"what" "eat"}')).toMatchObject([{ output: text(expect.stringContaining('at character 8')) }]);
    expect(await told('{"what": "eat" x}')).toMatchObject([{ output: text(expect.stringContaining('at character 15')) }]);
  });

  test('shares its options with runs that make the very same call for other tenants, and makes it once in all its turns', async () => {
    const { options, made, counting } = countCalls('none');
    const shared = toRunOptions(counting, options);
    const told = async (tenant: string) => {
      const model = new TwoTurnModel([call({}, 'call-1', 'FrontBell')], [call({}, 'call-2', 'front_bell')]);
      const agent = new Agent({ name: 'clerk', model, tools: toTools(counting, options) });
      await new Runner({ tracingDisabled: true, ...shared }).run(agent, 'go', { context: { tenant } });
      return (model.prompts[2] ?? []).filter(({ type }) => type === 'function_call_result');
    };
    expect(await told('acme')).toMatchObject([{ output: text('acme 1') }, { output: text('acme 2') }]);
    expect(await told('globex')).toMatchObject([{ output: text('globex 3') }, { output: text('globex 4') }]);
    expect(made).toEqual(['acme', 'acme', 'globex', 'globex']);
  });

  test('does not make a call that writes under another spelling; the model reads the right name', async () => {
    const { options, made, counting } = countCalls('writes');
    const model = new ScriptedModel([call({}, 'call-1', 'FrontBell')]);
    const agent = new Agent({ name: 'clerk', model, tools: toTools(counting, options) });
    await new Runner({ tracingDisabled: true }).run(agent, 'go', { ...toRunOptions(counting, options), context: { tenant: 'acme' } });
    expect(toldTo(model)).toMatchObject([
      { output: text(expect.stringMatching(/^\[error: unknown_tool\] There is no tool named "FrontBell"\. Did you mean "front_bell"\?/)) },
    ]);
    expect(made).toEqual([]);
  });

  test('leaves alone what an earlier run of its session had answered', async () => {
    const session = new MemorySession();
    const first = await run([{ ...call(''), json: '{"what" "eat"}' }], { session });
    const second = await run([call({ what: 'eat' }, 'call-2')], { session });
    expect([first, second].map(({ outcomes }) => outcomes.map(({ meta }) => meta.callId))).toEqual([['call-1'], ['call-2']]);
  });

  test('ends at once when its caller stops it, and so does the call', async () => {
    const outcomes: Outcome[] = [];
    const stop = new AbortController();
    const heard = Promise.withResolvers<void>();
    const tools = toTools(toolbox, {
      context: () => {
        setImmediate(() => stop.abort());
        return {};
      },
    });
    toolbox.subscribe((event) => {
      if (event.type !== 'call-end') return;
      outcomes.push(event.outcome);
      heard.resolve();
    });
    const agent = new Agent({ name: 'clerk', model: new ScriptedModel([call({ what: 'hang' })]), tools });
    const running = new Runner({ tracingDisabled: true }).run(agent, 'go', { ...toRunOptions(toolbox), signal: stop.signal });
    await expect(running).rejects.toThrow(/abort/i);
    await heard.promise;
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('goes on after a person rejected a call, and the model reads that', async () => {
    const outcomes: Outcome[] = [];
    const model = new ScriptedModel([call({ what: 'eat' })]);
    const tools = toTools(toolbox).map((one) => ({ ...one, needsApproval: async () => true }));
    const agent = new Agent({ name: 'clerk', model, tools });
    const runner = new Runner({
      tracingDisabled: true,
      ...toRunOptions(toolbox),
    });
    toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const asked of interruptions) state.reject(asked);
    const result = await runner.run(agent, state);
    expect(result.finalOutput).toBe('all done');
    expect(toldTo(model)).toMatchObject([
      { output: text(expect.stringMatching(/^\[error: denied\] The call of front_desk was not approved/)) },
    ]);
    expect(outcomes).toMatchObject([{ error: { kind: 'denied' }, meta: { callId: 'call-1' } }]);
  });

  test('leaves the words for other tools to the SDK', async () => {
    const model = new ScriptedModel([call({}, 'call-1', 'other')]);
    const other = tool({ name: 'other', description: 'Other.', parameters: z.object({}), needsApproval: true, execute: () => 'x' });
    const agent = new Agent({ name: 'clerk', model, tools: [other] });
    const runner = new Runner({ tracingDisabled: true, ...toRunOptions(toolbox) });
    const { state, interruptions } = await runner.run(agent, 'go');
    for (const asked of interruptions) state.reject(asked);
    await runner.run(agent, state);
    expect(toldTo(model)).toMatchObject([{ output: text('Tool execution was not approved.') }]);
  });
});

test('a tripwire that a handler trips ends the run', async () => {
  await expect(run([call({ what: 'trip' })])).rejects.toThrow('Not in this house.');
});

test.each([
  [tripwire(), true],
  [new Error('x'), false],
  [null, false],
  ['ToolInputGuardrailTripwireTriggered', false],
])('%s steers a run: %s', (thrown, expected) => {
  expect(isControlFlow(thrown)).toBe(expected);
});

test.each(['InputGuardrail', 'OutputGuardrail', 'ToolInputGuardrail', 'ToolOutputGuardrail'])(
  'the tripwire of an %s of the SDK steers a run',
  async (guardrail) => {
    const errors = (await import('@openai/agents')) as unknown as Record<string, { readonly name: string }>;
    const { name = '' } = errors[`${guardrail}TripwireTriggered`] ?? {};
    expect(isControlFlow(Object.assign(new Error('x'), { name }))).toBe(true);
  },
);

describe('schemas', () => {
  const [strict, loose] = toTools(toolbox);

  test('are strict where they can be, and the nulls that this makes models send are taken out', async () => {
    expect(strict).toMatchObject({
      strict: true,
      parameters: { additionalProperties: false, required: ['what', 'note'], properties: { note: { type: ['string', 'null'] } } },
    });
    const { told } = await run([call({ what: 'eat', note: null })]);
    expect(told).toMatchObject([{ output: text('{"did":"eat","hasNote":false}') }]);
  });

  test('stay as they are where they cannot', async () => {
    expect(loose).toMatchObject({ name: 'open', strict: false, parameters: { type: 'object', required: ['fields'] } });
    const { told } = await run([call({ fields: { a: 'b' } }, 'call-1', 'open')]);
    expect(told).toMatchObject([{ output: text('1') }]);
  });
});
