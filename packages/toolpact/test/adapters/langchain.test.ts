import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { toJsonSchema } from '@langchain/core/utils/json_schema';
import { Command, interrupt, MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, toolStrategy } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import type { ScriptedCall } from '../../../../proofs/battery/host.ts';
import { ScriptedModel } from '../../../../proofs/battery/hosts/langchain.ts';
import { isControlFlow } from '../../src/adapters/langchain/control-flow.ts';
import { fromTools, mendCalls, toMiddleware, toToolNode, toTools } from '../../src/adapters/langchain/index.ts';
import { createToolbox, defineTool, fail, type Outcome, ok, partial, pending } from '../../src/index.ts';

const pixel = 'iVBORw0KGgo=';
const desk = defineTool({
  name: 'front:desk',
  description: 'Does what it is asked.',
  input: z.object({ what: z.string() }),
  effects: 'none',
  async run({ what }, { progress, callId, signal }) {
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
      case 'step':
        progress({ message: 'half way', done: 1, total: 2 });
        return 'stepped';
      case 'ask':
        return { answered: interrupt({ question: 'May I?', details: { amount: 5 } }) };
      case 'leave':
        throw new Command({ goto: 'aside', update: { messages: [new ToolMessage({ content: 'left', tool_call_id: callId ?? '' })] } });
      case 'hang':
        return new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      default:
        return { did: what };
    }
  },
});
const toolbox = createToolbox([desk], { report: () => undefined });
const call = (what: string, id = 'call-1', name = 'front_desk'): ScriptedCall => ({
  id,
  name,
  args: { what },
  json: JSON.stringify({ what }),
});
const start = { messages: [{ role: 'user', content: 'go' }] };

interface Run {
  readonly messages: readonly BaseMessage[];
  readonly told: readonly ToolMessage[];
  readonly outcomes: readonly Outcome[];
}

function createGraph(model: ScriptedModel, options: Parameters<typeof toTools>[1] = {}) {
  const chat = model.pipe(mendCalls);
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await chat.invoke(messages)] }))
    .addNode('tools', toToolNode(new ToolNode(toTools(toolbox, options)), toolbox, options), { ends: ['aside'] })
    .addNode('aside', () => ({ messages: [new AIMessage('aside')] }))
    .addEdge('__start__', 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent');
}

const hosts = {
  createAgent: (model: ScriptedModel, options: Parameters<typeof toTools>[1]) =>
    createAgent({ model, tools: toTools(toolbox, options), middleware: [toMiddleware(toolbox, options)] }),
  ToolNode: (model: ScriptedModel, options: Parameters<typeof toTools>[1]) => createGraph(model, options).compile(),
};

async function run(host: keyof typeof hosts, ...calls: readonly ScriptedCall[]): Promise<Run> {
  const outcomes: Outcome[] = [];
  const model = new ScriptedModel(calls);
  toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
  const agent = hosts[host](model, {});
  const { messages } = await agent.invoke(start as never);
  const told = (model.prompts[1] ?? []).filter((message): message is ToolMessage => message.type === 'tool');
  return { messages, told, outcomes };
}

describe.each(Object.keys(hosts) as (keyof typeof hosts)[])('a run with %s', (host) => {
  test.each([
    ['eat', 'success', '{"did":"eat"}', { status: 'ok' }],
    [
      'limit',
      'error',
      expect.stringMatching(/^\[error: rate_limited\] .*\nNext: Wait 8 s/),
      { status: 'error', error: { kind: 'rate_limited', retryAfterMs: 8000 } },
    ],
    ['deny', 'error', expect.stringMatching(/^\[error: denied\] Nobody may do this/), { error: { kind: 'denied' } }],
    ['wait', 'success', '[pending: approval] Waiting for approval. Tell the user. (handle: h-1)', { status: 'pending' }],
    [
      'half',
      'success',
      '[partial] 1 of 2 failed.\n["a"]\n- item 1: not_found: There is no b. (Check the name or id before trying again.)',
      { status: 'partial' },
    ],
    [
      'see',
      'success',
      [
        { type: 'text', text: '{"seen":1}' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
      ],
      { status: 'ok', data: { seen: 1 } },
    ],
  ])('tells of %s with its status and keeps the outcome as artifact', async (what, status, content, outcome) => {
    const { messages, told, outcomes } = await run(host, call(what));
    expect(messages.at(-1)?.text).toBe('all done');
    expect(told).toMatchObject([{ tool_call_id: 'call-1', name: 'front_desk', status, content, artifact: outcome }]);
    expect(told[0]).toBeInstanceOf(ToolMessage);
    expect(outcomes).toMatchObject([{ ...outcome, meta: { callId: 'call-1' } }]);
  });

  test.each([
    ['bad arguments', { ...call(''), json: '{"what":5}' }, 'error', /invalid_input\] .*what expected a string, received number/],
    ['no object', { ...call(''), json: 'null' }, 'error', /invalid_input\] .*null was sent/],
    ['arguments that are no JSON', { ...call(''), json: '{"what" "eat"}' }, 'error', /invalid_input\] .*not valid JSON at character 8/],
    ['a name in another spelling', call('eat', 'call-1', 'Front.Desk'), 'success', /^\{"did":"eat"\}$/],
    ['an unknown name', call('eat', 'call-1', 'front_dosk'), 'error', /unknown_tool\] .*\nNext: Did you mean "front_desk"/],
    [
      'an unknown name and no JSON',
      { ...call('', 'call-1', 'nope'), json: '{' },
      'error',
      /unknown_tool\] .*no tool named "nope"|invalid_input\] The arguments are not valid JSON/,
    ],
  ] as const)('answers %s', async (_, asked, status, content) => {
    const { messages, told, outcomes } = await run(host, asked);
    expect(messages.at(-1)?.text).toBe('all done');
    expect(told).toMatchObject([{ tool_call_id: 'call-1', status, content: expect.stringMatching(content) }]);
    expect(outcomes).toHaveLength(1);
  });

  test('keeps the results of siblings, one answer per call, in the order of the calls', async () => {
    const { told, messages } = await run(
      host,
      call('limit', 'a'),
      { ...call('', 'b'), json: '{"what"' },
      call('x', 'c', 'nope'),
      call('eat', 'd'),
    );
    // LangChain keeps unreadable calls apart, so they come last.
    const order = ['a', 'c', 'd', 'b'];
    expect(told.map(({ tool_call_id, status }) => [tool_call_id, status])).toEqual(
      order.map((id) => [id, id === 'd' ? 'success' : 'error']),
    );
    const asked = messages.find((message): message is AIMessage => message.type === 'ai');
    expect(asked?.tool_calls?.map(({ id }) => id)).toEqual(order);
    expect(asked?.invalid_tool_calls).toEqual([]);
  });

  test('ends at once when its caller stops it, and so does the call', async () => {
    const outcomes: Outcome[] = [];
    const stop = new AbortController();
    const model = new ScriptedModel([call('hang')]);
    const heard = Promise.withResolvers<void>();
    const agent = hosts[host](model, {
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
    await expect(agent.invoke(start as never, { signal: stop.signal })).rejects.toThrow(/abort/i);
    await heard.promise;
    expect(outcomes).toMatchObject([{ status: 'error', error: { kind: 'cancelled' } }]);
  });

  test('streams progress as custom chunks', async () => {
    const agent = hosts[host](new ScriptedModel([call('step')]), {});
    const chunks: unknown[] = [];
    for await (const chunk of await agent.stream(start as never, { streamMode: 'custom' })) chunks.push(chunk);
    expect(chunks).toEqual([{ type: 'tool-progress', tool: 'front_desk', callId: 'call-1', message: 'half way', done: 1, total: 2 }]);
  });

  test('makes the context of a name in another spelling out of the same as that of any other', async () => {
    const tenants: unknown[] = [];
    const context = (given: unknown) => {
      const { configurable, toolCallId } = given as { configurable: { tenant: string }; toolCallId?: string };
      tenants.push([configurable.tenant, host === 'createAgent' ? toolCallId : 'call-1']);
      return { tenantId: configurable.tenant };
    };
    const agent = hosts[host](new ScriptedModel([call('step', 'call-1', 'FrontDesk')]), { context });
    const chunks: unknown[] = [];
    const options = { streamMode: 'custom', configurable: { tenant: 'acme' } } as const;
    for await (const chunk of await agent.stream(start as never, options)) chunks.push(chunk);
    expect(tenants).toEqual([['acme', 'call-1']]);
    expect(chunks).toMatchObject([{ type: 'tool-progress', tool: 'FrontDesk', callId: 'call-1', message: 'half way' }]);
  });

  test('shows tools to callbacks', async () => {
    const seen: unknown[] = [];
    const callbacks = [
      {
        handleToolStart: (...[, input]: unknown[]) => void seen.push(input),
        handleToolEnd: ({ status }: ToolMessage) => void seen.push(status),
      },
    ];
    await hosts[host](new ScriptedModel([call('deny')]), {}).invoke(start as never, { callbacks } as never);
    expect(seen).toEqual(['{"what":"deny"}', 'error']);
  });
});

describe('what steers LangGraph passes through', () => {
  test('an interrupt stops the run, and its answer goes on with it', async () => {
    const graph = createGraph(new ScriptedModel([call('ask')])).compile({ checkpointer: new MemorySaver() });
    const thread = { configurable: { thread_id: 't' } };
    const stopped = await graph.invoke(start, thread);
    expect(stopped).toMatchObject({ __interrupt__: [{ value: { question: 'May I?', details: { amount: 5 } } }] });
    const { messages } = await graph.invoke(new Command({ resume: 'yes' }), thread);
    expect(messages.at(-2)).toMatchObject({ type: 'tool', status: 'success', content: '{"answered":"yes"}' });
    expect(messages.at(-1)?.text).toBe('all done');
  });

  test('an interrupt stops an agent, and its answer goes on with it', async () => {
    const agent = createAgent({
      model: new ScriptedModel([call('ask'), call('eat', 'call-2')]),
      tools: toTools(toolbox),
      middleware: [toMiddleware(toolbox)],
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: 't' } };
    expect(await agent.invoke(start as never, thread)).toMatchObject({ __interrupt__: [{ value: { question: 'May I?' } }] });
    const { messages } = await agent.invoke(new Command({ resume: 'yes' }) as never, thread);
    expect(messages.filter(({ type }) => type === 'tool').map(({ text }) => text)).toEqual(['{"answered":"yes"}', '{"did":"eat"}']);
  });

  test('a thrown command is the result of the call', async () => {
    const { messages } = await createGraph(new ScriptedModel([call('leave')]))
      .compile()
      .invoke(start);
    expect(messages.map(({ text }) => text)).toContain('left');
    expect(messages.map(({ text }) => text)).toContain('aside');
  });

  test.each([
    ['GraphInterrupt', true],
    ['NodeInterrupt', true],
    ['ParentCommand', true],
    ['GraphDrained', true],
    ['GraphRecursionError', false],
    ['NodeTimeoutError', false],
  ])('of LangGraph\'s own errors, "%s" is one of them: %s', async (name, expected) => {
    const errors = (await import('@langchain/langgraph')) as unknown as Record<string, new (...args: unknown[]) => Error>;
    const ErrorClass = errors[name] as new (...args: unknown[]) => Error;
    expect(
      isControlFlow(name === 'NodeTimeoutError' ? new ErrorClass({ node: 'x', kind: 'run', runTimeout: 1 }) : new ErrorClass([])),
    ).toBe(expected);
  });

  test.each([null, undefined, 'GraphInterrupt', { name: 'GraphInterrupt' }])('%j is none of them', (thrown) => {
    expect(isControlFlow(thrown)).toBe(false);
  });
});

describe('beside tools that are not of the toolbox', () => {
  const failing = tool(() => Promise.reject(Object.assign(new Error('no service'), { status: 503 })), {
    name: 'failing',
    description: 'Fails.',
    schema: z.object({ n: z.number().optional() }),
  });

  async function answerOf(asked: ScriptedCall, ...others: Parameters<typeof createMiddleware>[0][]): Promise<unknown> {
    const model = new ScriptedModel([asked]);
    const middleware = [toMiddleware(toolbox), ...others.map((other) => createMiddleware(other))];
    await createAgent({ model, tools: [...toTools(toolbox), failing] as never, middleware }).invoke(start as never);
    return model.prompts[1]?.at(-1);
  }

  test.each([
    ['throws', {}, 'upstream', /no service/],
    ['refuses its arguments', { n: 'x' }, 'invalid_input', /The arguments do not fit the schema: .*expected number.* at n/],
  ])('one that %s does not end the run', async (_, args, kind, text) => {
    const answer = await answerOf({ id: 'call-1', name: 'failing', args, json: JSON.stringify(args) });
    expect(answer).toMatchObject({ status: 'error', content: expect.stringMatching(text), artifact: { error: { kind } } });
    expect(JSON.stringify(answer)).not.toMatch(/\.[jt]s:\d+/);
  });

  test('one that is called with no JSON is not run', async () => {
    const answer = await answerOf({ id: 'call-1', name: 'failing', args: '{', json: '{' });
    expect(answer).toMatchObject({ status: 'error', content: expect.stringMatching(/invalid_input\] The arguments are not valid JSON/) });
  });

  test('one that another middleware brings along is still found', async () => {
    const late = tool(() => 'late but there', { name: 'late', description: 'Late.', schema: z.object({}) });
    const answer = await answerOf(
      { id: 'call-1', name: 'late', args: {}, json: '{}' },
      { name: 'bringer', wrapToolCall: (request, handler) => handler({ ...request, tool: late }) },
    );
    expect(answer).toMatchObject({ content: 'late but there' });
  });
});

test('a structured response that is no JSON is asked for again', async () => {
  class Extracting extends ScriptedModel {
    override async _generate(messages: BaseMessage[]) {
      this.prompts.push([...messages]);
      const isFirst = this.prompts.length === 1;
      const message = new AIMessage(
        isFirst
          ? { content: '', invalid_tool_calls: [{ type: 'invalid_tool_call', id: 'a', name: 'report', args: '{"n' }] }
          : { content: '', tool_calls: [{ type: 'tool_call', id: 'b', name: 'report', args: { n: 1 } }] },
      );
      return { generations: [{ text: '', message }] };
    }
  }
  const model = new Extracting([]);
  const schema = { title: 'report', type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const;
  const agent = createAgent({
    model,
    tools: toTools(toolbox),
    middleware: [toMiddleware(toolbox)],
    responseFormat: toolStrategy(schema as never),
  });
  expect(await agent.invoke(start as never)).toMatchObject({ structuredResponse: { n: 1 } });
  expect(model.prompts[1]?.at(-1)).toMatchObject({ status: 'error', content: expect.stringMatching(/arguments are not valid JSON/) });
});

test('tools of two toolboxes serve one agent', async () => {
  const clock = createToolbox([defineTool({ name: 'clock', description: 'Tells the time.', effects: 'none', run: () => 'noon' })]);
  const model = new ScriptedModel([call('eat'), { id: 'call-2', name: 'Clock', args: {}, json: '{}' }]);
  const middleware = [toMiddleware(toolbox), toMiddleware(clock, { name: 'clock' })];
  const { messages } = await createAgent({ model, tools: [...toTools(toolbox), ...toTools(clock)], middleware }).invoke(start as never);
  expect(messages.filter(({ type }) => type === 'tool').map(({ content }) => content)).toEqual(['{"did":"eat"}', 'noon']);
});

test('given bare arguments, a tool gives the content alone', async () => {
  const [only] = toTools(toolbox);
  expect(await only?.invoke({ what: 'eat' })).toBe('{"did":"eat"}');
  expect(await only?.batch([{ what: 'eat' }, { what: 'deny' }])).toMatchObject(['{"did":"eat"}', expect.stringContaining('denied')]);
  const streamed: unknown[] = [];
  for await (const chunk of (await only?.stream({ what: 'eat' })) ?? []) streamed.push(chunk);
  expect(streamed).toEqual(['{"did":"eat"}']);
});

test('a node for bare lists of messages answers with a list', async () => {
  const node = toToolNode(new ToolNode(toTools(toolbox)), toolbox);
  const asked = new AIMessage({
    content: '',
    tool_calls: [
      { id: 'a', name: 'nope', args: {} },
      { id: 'b', name: 'front_desk', args: { what: 'eat' } },
    ],
  });
  expect(await node([new HumanMessage('go'), asked] as never)).toMatchObject([
    { tool_call_id: 'a', status: 'error' },
    { tool_call_id: 'b', content: '{"did":"eat"}' },
  ]);
});

test('a node leaves alone what is answered already', async () => {
  const outcomes: Outcome[] = [];
  const options = {};
  toolbox.subscribe((event) => event.type === 'call-end' && outcomes.push(event.outcome));
  const node = toToolNode(new ToolNode(toTools(toolbox, options)), toolbox, options);
  const asked = new AIMessage({
    content: '',
    tool_calls: [
      { id: 'a', name: 'nope', args: {} },
      { id: 'b', name: 'nope', args: {} },
      { id: 'c', name: 'front_desk', args: { what: 'eat' } },
    ],
  });
  const answered = ['a', 'c'].map((id) => new ToolMessage({ tool_call_id: id, content: 'known' }));
  expect(await node([asked, ...answered] as never)).toMatchObject([{ tool_call_id: 'b', status: 'error' }]);
  expect(outcomes.map(({ meta }) => meta.callId)).toEqual(['b']);
});

test('a node answers a call under an id that an earlier turn had', async () => {
  const node = toToolNode(new ToolNode(toTools(toolbox)), toolbox);
  const turn = (name: string, what: string) => new AIMessage({ content: '', tool_calls: [{ id: 'call_0', name, args: { what } }] });
  const before = [turn('front_desk', 'eat'), new ToolMessage({ tool_call_id: 'call_0', content: '{"did":"eat"}' })];
  for (const name of ['front_desk', 'FrontDesk']) {
    expect(await node([...before, turn(name, 'sleep')] as never)).toMatchObject([{ tool_call_id: 'call_0', content: '{"did":"sleep"}' }]);
    expect(await node({ messages: [...before, turn(name, 'sleep')] } as never)).toMatchObject({
      messages: [{ content: '{"did":"sleep"}' }],
    });
  }
});

test('a mended message keeps what was said, without the blocks of its broken calls', async () => {
  const message = new AIMessage({
    content: [
      { type: 'text', text: 'Let me see.' },
      { type: 'invalid_tool_call', id: 'a', name: 'front_desk', args: '{' },
    ] as never,
    invalid_tool_calls: [{ type: 'invalid_tool_call', id: 'a', name: 'front_desk', args: '{' }],
  });
  expect(await mendCalls(message)).toMatchObject({
    content: [{ type: 'text', text: 'Let me see.' }],
    tool_calls: [{ id: 'a', name: 'front_desk', args: { unreadable_arguments: '{' } }],
    invalid_tool_calls: [],
  });
});

describe('tools of LangChain in a toolbox', () => {
  const own = (run: () => unknown, extra: object = {}) =>
    tool(async () => run() as never, { name: 'own', description: 'Own.', schema: z.object({ n: z.number() }), ...extra });
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } };

  test.each<[string, () => unknown, object, object]>([
    ['text', () => 'fine', {}, { status: 'ok', data: 'fine' }],
    ['an object', () => ({ a: 1 }), {}, { status: 'ok', data: { a: 1 } }],
    [
      'content and artifact',
      () => ['for the model', { rows: 3 }],
      { responseFormat: 'content_and_artifact' },
      { status: 'ok', data: { rows: 3 }, content: [{ type: 'text', text: 'for the model' }] },
    ],
    [
      'content blocks',
      () => [{ type: 'text', text: 'look' }, image, { type: 'audio', source_type: 'base64', mime_type: 'audio/wav', data: 'AAAA' }],
      {},
      {
        status: 'ok',
        data: 'look',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image', data: pixel, mimeType: 'image/png' },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
        ],
      },
    ],
    [
      'a message with status error',
      () => new ToolMessage({ content: '404: no such account', tool_call_id: 'x', status: 'error' }),
      {},
      { status: 'error', error: { kind: 'not_found', message: expect.stringContaining('no such account') } },
    ],
    [
      'a thrown error',
      () => {
        throw Object.assign(new Error('slow down'), { status: 429 });
      },
      {},
      { status: 'error', error: { kind: 'rate_limited' } },
    ],
  ])('that give %s', async (_, run, extra, outcome) => {
    const box = createToolbox(fromTools([own(run, extra)]), { report: () => undefined });
    expect(await box.answer({ name: 'own', args: { n: 1 } })).toMatchObject(outcome);
  });

  test.each([
    ['a zod schema', own(() => 1), {}],
    [
      'a JSON Schema',
      tool(() => 'x', {
        name: 'own',
        description: 'Own.',
        schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      }),
      {},
    ],
    [
      'a schema of zod 3',
      tool(() => 'x', { name: 'own', description: 'Own.', schema: z3.object({ n: z3.number() }) as never }),
      { toJsonSchema },
    ],
  ])('refuse wrong arguments with %s, and show their schema', async (_, given, options) => {
    const box = createToolbox(fromTools([given], options), { report: () => undefined });
    expect(box.list()[0]?.inputSchema).toMatchObject({ type: 'object', properties: { n: { type: 'number' } }, required: ['n'] });
    expect(await box.answer({ name: 'own', args: { n: 'x' } })).toMatchObject({ status: 'error', error: { kind: 'invalid_input' } });
  });

  test('without a JSON Schema are refused at once', () => {
    const given = tool(() => 'x', { name: 'own', description: 'Own.', schema: z3.object({}) as never });
    expect(() => fromTools([given])).toThrow('the schema of the tool "own" carries no JSON Schema; give `toJsonSchema`');
  });

  test.each<[string, () => unknown, unknown]>([
    [
      'a circle',
      () =>
        Object.assign({ a: 1 } as Record<string, unknown>, {
          get self(): unknown {
            return this;
          },
        }),
      'invalid_output',
    ],
    [
      'a getter that throws',
      () => ({
        get bad(): never {
          throw new Error('no');
        },
      }),
      'invalid_output',
    ],
    ['a function', () => () => 1, 'invalid_output'],
    ['a bigint', () => ({ n: 1n }), { n: '1' }],
    ['a map', () => new Map([['a', 1]]), { a: 1 }],
    ['nothing', () => undefined, null],
    ['an object', () => ({ a: [1] }), { a: [1] }],
    ['a text', () => 'plain', 'plain'],
  ])('says what a tool gave: %s', async (_, give, expected) => {
    const given = tool(async () => give() as never, { name: 'own', description: 'Own.', schema: z.object({}) });
    const outcome = await createToolbox(fromTools([given], { effects: 'none' }), { report: () => undefined }).answer({
      name: 'own',
      args: {},
    });
    if (expected === 'invalid_output') expect(outcome).toMatchObject({ status: 'error', error: { kind: expected } });
    else expect(outcome).toMatchObject({ status: 'ok', data: expected });
  });

  test('keep an outcome of a tool that went through both ways', async () => {
    const box = createToolbox(fromTools(toTools(toolbox), { effects: 'none' }), { report: () => undefined });
    expect(await box.answer({ name: 'front_desk', args: { what: 'limit' } })).toMatchObject({
      status: 'error',
      error: { kind: 'rate_limited', retryAfterMs: 8000 },
    });
    expect(await box.answer({ name: 'front_desk', args: { what: 'half' } })).toMatchObject({ status: 'partial', total: 2 });
  });

  test('are stopped with their caller', async () => {
    let stopped: AbortSignal | undefined;
    const given = tool(
      (_: unknown, config: { signal?: AbortSignal }) => {
        stopped = config.signal;
        return new Promise<string>(() => undefined);
      },
      {
        name: 'own',
        description: 'Own.',
        schema: z.object({}),
      },
    );
    const box = createToolbox(fromTools([given], { timeoutMs: 20 }), { report: () => undefined });
    expect(await box.answer({ name: 'own', args: {} })).toMatchObject({ status: 'error', error: { kind: 'timeout' } });
    expect(stopped?.aborted).toBe(true);
  });
});
