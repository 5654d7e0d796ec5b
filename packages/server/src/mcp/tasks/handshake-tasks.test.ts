import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test, vi } from 'vitest';
import { taskTenants, taskTools } from '../../../../../proofs/fixtures/task-tools.ts';
import { createServer } from '../../create-server.ts';

type Subject = keyof typeof taskTenants;

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>> & { readonly task?: { readonly taskId: string } };
  readonly error?: { readonly code: number };
}

/** A server and what a client of 2025-11-25 does with it. The tool `compute` ends when the test says so. */
async function serveTasks(capabilities: object = { elicitation: { form: {} } }) {
  const { compute, send, plan, end, sent } = taskTools({ hasProgress: true });
  const stubborn = defineTool({
    name: 'stubborn',
    description: 'Does not stop when it is asked to.',
    effects: 'none',
    deferAfterMs: 1,
    run: (_, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('done all the same'))),
  });
  const quick = defineTool({ name: 'quick', description: 'Is quick.', effects: 'none', deferAfterMs: 10_000, run: () => 'at once' });
  const plain = defineTool({ name: 'plain', description: 'Is no task.', effects: 'none', run: () => 'plain' });
  const store = memoryStore();
  const toolbox = createToolbox([compute, stubborn, quick, plain, send, plan], { store, report: () => undefined });
  const server = createServer(toolbox, {
    auditLog: false,
    auth: ({ headers }) => {
      const subject = (headers.get('authorization') ?? 'ann') as Subject;
      return { tenantId: taskTenants[subject], subject, scopes: ['*'] };
    },
  });
  const post = (body: object, subject: Subject, session?: string): Promise<Response> =>
    server.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          host: 'localhost',
          authorization: subject,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', ...body }),
      }),
    );

  async function connect(subject: Subject) {
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 't', version: '1' } };
    const opened = await post({ id: 0, method: 'initialize', params }, subject);
    const session = opened.headers.get('mcp-session-id') ?? '';
    const [initialized] = await readMessages(opened);
    await post({ method: 'notifications/initialized' }, subject, session);
    let id = 0;
    /** Sends a request and gives its answer; what the server asks meanwhile is answered by `onAsk`. */
    const request = async (
      method: string,
      given: object = {},
      onAsk: (asked: Readonly<Record<string, unknown>>) => object = () => ({ action: 'cancel' }),
    ): Promise<Message> => {
      id += 1;
      const own = id;
      const response = await post({ id: own, method, params: given }, subject, session);
      for await (const message of messagesOf(response)) {
        if (message.id === own && message.method === undefined) return message;
        if (message.method === 'elicitation/create') await post({ id: message.id, result: onAsk(message.params ?? {}) }, subject, session);
      }
      throw new Error('no answer');
    };
    const call = async (name: string, args: object = {}): Promise<string> => {
      const { result } = await request('tools/call', { name, arguments: args, task: { ttl: 60_000 } });
      expect(result).toMatchObject({ task: { taskId: expect.any(String), ttl: expect.any(Number), pollInterval: expect.any(Number) } });
      return result?.task?.taskId ?? '';
    };
    const listen = (): Promise<Response> =>
      server.fetch(
        new Request('http://localhost/mcp', {
          headers: { host: 'localhost', authorization: subject, accept: 'text/event-stream', 'mcp-session-id': session },
        }),
      );
    return { request, call, listen, initialized };
  }
  return { connect, end, sent, toolbox };
}

async function* messagesOf(response: Response): AsyncGenerator<Message, void, undefined> {
  if (response.headers.get('content-type')?.startsWith('application/json') === true) return void (yield (await response.json()) as Message);
  let text = '';
  for await (const piece of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as never,
  ) as unknown as AsyncIterable<string>) {
    text += piece;
    for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
      const data = /^data: (.+)$/m.exec(text.slice(0, at))?.[1];
      text = text.slice(at + 2);
      if (data !== undefined) yield JSON.parse(data) as Message;
    }
  }
}

async function readMessages(response: Response): Promise<Message[]> {
  const all: Message[] = [];
  for await (const message of messagesOf(response)) all.push(message);
  return all;
}

test('the server announces tasks, and which tools can be one', async () => {
  const { request, initialized } = await (await serveTasks()).connect('ann');
  expect(initialized?.result).toMatchObject({ capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } } });
  const { result } = await request('tools/list');
  const listed = (result?.tools ?? []) as { name: string; execution?: object }[];
  const support = listed.map(({ name, execution }) => [name, execution]);
  expect(support).toEqual([
    ['compute', { taskSupport: 'optional' }],
    ['stubborn', { taskSupport: 'optional' }],
    ['quick', { taskSupport: 'optional' }],
    ['plain', undefined],
    ['send', { taskSupport: 'optional' }],
    ['plan', { taskSupport: 'optional' }],
    ['wait_for_result', undefined],
  ]);
});

test('a call sent as a task is created, read, listed, waited for, and its client is notified of its end', async () => {
  const { connect, end } = await serveTasks();
  const { request, call, listen } = await connect('ann');
  const heard = messagesOf(await listen());
  const taskId = await call('compute');
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'working' });
  expect((await request('tasks/list')).result).toMatchObject({ tasks: [{ taskId, status: 'working' }] });
  const result = request('tasks/result', { taskId });
  end.resolve('42 and more');
  expect((await result).result).toMatchObject({
    content: [{ type: 'text', text: '42 and more' }],
    _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
  });
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ status: 'completed' });
  expect((await heard.next()).value).toMatchObject({ method: 'notifications/tasks/status', params: { taskId, status: 'completed' } });
  await heard.return();
  expect((await request('tasks/cancel', { taskId })).error).toMatchObject({ code: -32602 });
});

test('a call that ends at once is a task all the same', async () => {
  const { connect } = await serveTasks();
  const { request, call } = await connect('ann');
  const taskId = await call('quick');
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' });
  expect((await request('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'at once' }] });
});

test('a call that is not sent as a task is answered as before, and a tool that cannot be one refuses', async () => {
  const { connect } = await serveTasks();
  const { request } = await connect('ann');
  expect((await request('tools/call', { name: 'quick', arguments: {} })).result).toMatchObject({ content: [{ text: 'at once' }] });
  expect((await request('tools/call', { name: 'plain', arguments: {}, task: {} })).error).toMatchObject({ code: -32601 });
});

test('a task that is cancelled stops its tool', async () => {
  const { connect } = await serveTasks();
  const { request, call } = await connect('ann');
  const taskId = await call('compute');
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
});

test('a task that is cancelled stays so, whatever its tool still does', async () => {
  const { connect } = await serveTasks();
  const { request, call } = await connect('ann');
  const taskId = await call('stubborn');
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
  expect((await request('tasks/result', { taskId })).result).toMatchObject({ content: [{ text: 'done all the same' }] });
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
  expect((await request('tasks/list')).result).toMatchObject({ tasks: [{ taskId, status: 'cancelled' }] });
  expect((await request('tasks/cancel', { taskId })).error?.code).toBe(-32602);
});

test.each(['tasks/get', 'tasks/result', 'tasks/cancel'])('%s knows no task of another user or tenant, and no nonsense', async (method) => {
  const { connect } = await serveTasks();
  const ann = await connect('ann');
  const tasks = [await ann.call('compute'), await ann.call('quick')];
  for (const subject of ['bob', 'anns_peer'] as const) {
    const other = await connect(subject);
    for (const taskId of [...tasks, 7, '', undefined]) expect((await other.request(method, { taskId })).error?.code).toBe(-32602);
    expect((await other.request('tasks/list')).result).toEqual({ tasks: [] });
    expect((await other.request('tasks/list', { cursor: "1' OR 1" })).error?.code).toBe(-32602);
  }
  expect((await ann.request('tasks/list')).result?.tasks).toMatchObject(tasks.toReversed().map((taskId) => ({ taskId })));
});

describe('a call that needs an approval', () => {
  test.each([
    [{ action: 'accept', content: { approve: true } }, 1, { structuredContent: { to: 'Kyoto' } }],
    [{ action: 'decline' }, 0, { isError: true }],
  ] as const)('asks the client that waits for its result: %j', async (answer, runs, expected) => {
    const { connect, sent } = await serveTasks();
    const { request, call } = await connect('ann');
    const taskId = await call('send', { to: 'Kyoto' });
    expect((await request('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
    expect((await request('tasks/result', { taskId }, () => answer)).result).toMatchObject(expected);
    expect(sent()).toBe(runs);
  });

  test('goes on when the decision is made elsewhere', async () => {
    const { connect, sent, toolbox } = await serveTasks({});
    const { request, call } = await connect('ann');
    const taskId = await call('send', { to: 'Kyoto' });
    const result = request('tasks/result', { taskId });
    await toolbox.with({ tenantId: taskTenants.ann }).approvals.decide(taskId, 'approve');
    expect((await result).result).toMatchObject({ structuredContent: { to: 'Kyoto' } });
    await vi.waitFor(() => expect(sent()).toBe(1));
  });
});

test('a tool that asks in its middle asks the client that waits for its result, until the answers fit', async () => {
  const { connect } = await serveTasks();
  const { request, call, listen } = await connect('ann');
  const heard = messagesOf(await listen());
  const taskId = await call('plan');
  expect((await request('tasks/get', { taskId })).result).toMatchObject({ status: 'input_required' });
  const answers: Record<string, object[]> = { 'Which colour?': [{ colour: 7 }, { colour: 'red' }], 'Sure?': [{ answer: true }] };
  const onAsk = ({ message }: Readonly<Record<string, unknown>>) => {
    const content = answers[String(message)]?.shift();
    return content === undefined ? { action: 'cancel' } : { action: 'accept', content };
  };
  expect((await request('tasks/result', { taskId }, onAsk)).result).toMatchObject({ structuredContent: { colour: 'red', sure: true } });
  const reported: unknown[] = [];
  for await (const { method, params } of heard) {
    if (method === 'notifications/tasks/status') reported.push(params?.status);
    if (params?.status === 'completed') break;
  }
  expect(reported.at(-1)).toBe('completed');
});

test.each(['send', 'plan'])('a task of %s that waits is cancelled, and a later approval runs nothing', async (name) => {
  const { connect, sent, toolbox } = await serveTasks();
  const { request, call } = await connect('ann');
  const taskId = await call(name, { to: 'Kyoto' });
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
  expect(await toolbox.with({ tenantId: taskTenants.ann }).approvals.decide(taskId, 'approve')).toMatchObject({ ok: false });
  expect((await request('tasks/result', { taskId })).result).toMatchObject({ isError: true });
  expect(sent()).toBe(0);
});
