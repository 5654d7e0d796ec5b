import { createToolbox, defineTool, pending } from 'toolpact';
import type { Ledger, Store } from 'toolpact/extend';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test, vi } from 'vitest';
import { taskTenants, taskTools } from '../../../../../proofs/fixtures/task-tools.ts';
import { createServer } from '../../create-server.ts';

type Subject = keyof typeof taskTenants;

interface Answer {
  readonly status: number;
  readonly result?: Readonly<Record<string, unknown>> & { readonly taskId?: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

const sendLater = { name: 'late', description: 'Waits for an approval, and then takes long.', approval: true, deferAfterMs: 1 } as const;

/** A server whose clients announce tasks. The tool `compute` ends when the test says so. */
function serveTasks({
  store = memoryStore() as Store,
  capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } } as object,
  hasProgress = false,
} = {}) {
  const { compute, send, plan, end, sent } = taskTools({ hasProgress });
  const ask = defineTool({
    name: 'ask',
    description: 'Asks for a colour.',
    effects: 'none',
    run: () => pending({ handle: `ask_${crypto.randomUUID()}`, reason: 'input', ask: { message: 'Which colour?' } }),
  });
  const late = defineTool({ ...sendLater, run: () => end.promise });
  const toolbox = createToolbox([compute, send, ask, plan, late], {
    store,
    report: () => undefined,
  });
  const server = createServer(toolbox, {
    auditLog: false,
    auth: ({ headers }) => {
      const subject = (headers.get('authorization') ?? 'ann') as Subject;
      return { tenantId: taskTenants[subject], subject, scopes: subject === 'anns_peer' ? ['tools:call:*'] : ['*'] };
    },
  });
  async function post(method: string, params: Readonly<Record<string, unknown>>, subject: Subject = 'ann'): Promise<Response> {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const headers = {
      host: 'localhost',
      authorization: subject,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
    return server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
  }
  async function request(...given: Parameters<typeof post>): Promise<Answer> {
    const response = await post(...given);
    return { status: response.status, ...((await response.json()) as object) };
  }
  const call = async (name: string, args: object = {}): Promise<string> => {
    const { result } = await request('tools/call', { name, arguments: args });
    expect(result).toMatchObject({ resultType: 'task', taskId: expect.any(String) });
    return result?.taskId ?? '';
  };
  const get = async (taskId: string) => (await request('tasks/get', { taskId })).result;
  return { request, post, call, get, toolbox, end, server, sent };
}

test('a call that takes long is a task, which ends with the result of the tool', async () => {
  const { request, call, get, end } = serveTasks();
  const taskId = await call('compute');
  const task = { resultType: 'complete', taskId, ttlMs: expect.closeTo(604_800_000, -4), createdAt: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(await get(taskId)).toMatchObject({ ...task, status: 'working' });
  end.resolve('42 and more');
  await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'completed' }));
  expect(await get(taskId)).toMatchObject({ ...task, result: { content: [{ type: 'text', text: '42 and more' }] } });
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
});

test('a task that is cancelled stops its tool', async () => {
  const { request, call, get } = serveTasks();
  const taskId = await call('compute');
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'cancelled' }));
});

test('a task says what it asks, or how far it has come, and nothing about tools to call', async () => {
  const { call, get, end } = serveTasks({ hasProgress: true });
  const [computes, asks] = [await call('compute'), await call('ask')];
  await vi.waitFor(async () => expect(await get(computes)).toMatchObject({ status: 'working', statusMessage: '50 %: half' }));
  expect(await get(asks)).toMatchObject({ status: 'input_required', statusMessage: 'Which colour?' });
  end.resolve('done');
});

test('a tool that failed has completed', async () => {
  const { call, get, end } = serveTasks();
  const taskId = await call('compute');
  end.reject(new Error('broken'));
  await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } }));
});

test('a client that announces no tasks gets an ordinary pending result, and may ask about no task', async () => {
  const { request } = serveTasks({ capabilities: {} });
  const { result } = await request('tools/call', { name: 'compute', arguments: {} });
  expect(result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    const { error } = await request(method, { taskId: 'any' });
    expect(error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
  }
});

test('tasks of another user or tenant are unknown, and so is what is no task', async () => {
  const { request, call } = serveTasks();
  const taskId = await call('compute');
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const subject of ['bob', 'anns_peer'] as const) {
      expect((await request(method, { taskId, inputResponses: {} }, subject)).error).toMatchObject({ code: -32602 });
    }
    expect((await request(method, { taskId: 7, inputResponses: {} })).error).toMatchObject({ code: -32602 });
  }
});

describe('a call that needs an approval', () => {
  const approve = (approved: boolean) => ({ approval: { action: 'accept', content: { approve: approved } } });

  test('asks through its task, runs once after a yes, and gives its result there', async () => {
    const { request, call, get, sent } = serveTasks();
    const taskId = await call('send', { to: 'you' });
    expect(await get(taskId)).toMatchObject({
      status: 'input_required',
      inputRequests: { approval: { method: 'elicitation/create', params: { message: expect.stringContaining('send') } } },
    });
    for (let times = 0; times < 2; times += 1) {
      const { result } = await request('tasks/update', { taskId, inputResponses: approve(true) });
      expect(Object.keys(result ?? {}).sort()).toEqual(['_meta', 'resultType']);
    }
    await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'completed' }));
    expect(await get(taskId)).toMatchObject({ result: { structuredContent: { to: 'you' } } });
    expect(sent()).toBe(1);
  });

  test('runs for the caller who made it, also when another user of the tenant approves it', async () => {
    const { request, call, get, sent } = serveTasks();
    const taskId = await call('send', { to: 'you' });
    await request('tasks/update', { taskId, inputResponses: approve(true) }, 'anns_boss');
    await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'completed' }));
    expect(sent()).toBe(1);
  });

  test('does not run after a no', async () => {
    const { request, call, get, sent } = serveTasks();
    const taskId = await call('send', { to: 'you' });
    await request('tasks/update', { taskId, inputResponses: approve(false) });
    expect(await get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(sent()).toBe(0);
  });

  test('goes on when the decision is made elsewhere', async () => {
    const { call, get, toolbox, sent } = serveTasks();
    const taskId = await call('send', { to: 'you' });
    await toolbox.with({ tenantId: taskTenants.ann }).approvals.decide(taskId, 'approve');
    await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ status: 'completed' }));
    expect(sent()).toBe(1);
  });

  test('stays as it is after an answer to another question', async () => {
    const { request, call, get, sent } = serveTasks();
    const taskId = await call('send', { to: 'you' });
    await request('tasks/update', { taskId, inputResponses: { other: approve(true).approval } });
    expect((await request('tasks/update', { taskId })).error).toMatchObject({ code: -32602 });
    expect(await get(taskId)).toMatchObject({ status: 'input_required' });
    expect(sent()).toBe(0);
  });
});

test('a call that waits for an input gets it from the client', async () => {
  const { request, call, get } = serveTasks();
  const taskId = await call('ask');
  expect(await get(taskId)).toMatchObject({
    status: 'input_required',
    inputRequests: { [taskId]: { params: { message: 'Which colour?' } } },
  });
  await request('tasks/update', { taskId, inputResponses: { [taskId]: { action: 'accept', content: { colour: 'red' } } } });
  expect(await get(taskId)).toMatchObject({ status: 'completed', result: { structuredContent: { colour: 'red' } } });
});

test('a call that waits for an input takes it from another user who may settle calls, and from no other', async () => {
  const { request, call, get } = serveTasks();
  const taskId = await call('ask');
  const answer = (colour: string) => ({ taskId, inputResponses: { [taskId]: { action: 'accept', content: { colour } } } });
  expect((await request('tasks/update', answer('red'), 'anns_peer')).error).toMatchObject({ code: -32602 });
  expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  await request('tasks/update', answer('blue'), 'anns_boss');
  expect(await get(taskId)).toMatchObject({ status: 'completed', result: { structuredContent: { colour: 'blue' } } });
});

describe('a tool that asks in its middle', () => {
  interface Asked {
    readonly [key: string]: { readonly params: { readonly message: string; readonly requestedSchema: object } };
  }
  async function serveQuestions() {
    const server = serveTasks();
    const taskId = await server.call('plan');
    const asked = async () => ((await server.get(taskId))?.inputRequests ?? {}) as Asked;
    const answer = (inputResponses: object) => server.request('tasks/update', { taskId, inputResponses });
    const [colour, sure] = Object.keys(await asked()) as [string, string];
    return { ...server, taskId, asked, answer, colour, sure };
  }

  test('asks for all of it at once, and goes on when the last answer is there', async () => {
    const { taskId, get, asked, answer, colour, sure } = await serveQuestions();
    expect(Object.values(await asked()).map(({ params }) => params)).toMatchObject([
      { message: 'Which colour?', requestedSchema: { properties: { colour: { type: 'string' } } } },
      { message: 'Sure?', requestedSchema: { type: 'object', properties: { answer: { type: 'boolean' } }, required: ['answer'] } },
    ]);
    expect((await answer({ [sure]: { action: 'accept', content: { answer: true } } })).result).toMatchObject({ resultType: 'complete' });
    expect(await get(taskId)).toMatchObject({ taskId, status: 'input_required' });
    expect(Object.keys(await asked())).toEqual([colour]);
    await answer({ [sure]: { action: 'accept', content: { answer: false } }, [colour]: { action: 'accept', content: { colour: 'red' } } });
    expect(await get(taskId)).toMatchObject({ taskId, status: 'completed', result: { structuredContent: { colour: 'red', sure: true } } });
  });

  test('refuses an answer that does not fit, and waits on after none', async () => {
    const { answer, asked, colour, sure } = await serveQuestions();
    expect((await answer({ [colour]: { action: 'accept', content: { colour: 7 } } })).error).toMatchObject({ code: -32602 });
    await answer({ [colour]: { action: 'cancel' }, [sure]: 'nonsense' });
    expect(Object.keys(await asked())).toEqual([colour, sure]);
  });

  test('fails as denied when the user declines', async () => {
    const { taskId, get, answer, sure } = await serveQuestions();
    await answer({ [sure]: { action: 'decline' } });
    expect(await get(taskId)).toMatchObject({ status: 'completed', result: { isError: true } });
  });
});

test.each(['send', 'ask', 'plan'])('a task of %s that waits is cancelled, and what comes later runs nothing', async (name) => {
  const { request, call, get, toolbox, sent } = serveTasks();
  const taskId = await call(name, { to: 'you' });
  const asked = Object.keys(((await get(taskId))?.inputRequests ?? {}) as object);
  expect((await request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' });
  expect(await get(taskId)).toMatchObject({ taskId, status: 'cancelled' });
  const own = toolbox.with({ tenantId: taskTenants.ann });
  expect(await own.approvals.decide(taskId, 'approve')).toMatchObject({ ok: false });
  const inputResponses = Object.fromEntries(asked.map((key) => [key, { action: 'accept', content: { approve: true, colour: 'red' } }]));
  await request('tasks/update', { taskId, inputResponses });
  expect(await get(taskId)).toMatchObject({ status: 'cancelled' });
  expect([sent(), await own.approvals.list()]).toEqual([0, []]);
  // The same call asks again.
  expect(await call(name, { to: 'you' })).not.toBe(taskId);
});

test('a call that is approved and then takes long is one task to its end', async () => {
  const { request, call, get, end } = serveTasks();
  const taskId = await call('late');
  expect(await get(taskId)).toMatchObject({ status: 'input_required' });
  await request('tasks/update', { taskId, inputResponses: { approval: { action: 'accept', content: { approve: true } } } });
  await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ taskId, status: 'working' }), 60_000);
  end.resolve('sent');
  await vi.waitFor(async () => expect(await get(taskId)).toMatchObject({ taskId, status: 'completed' }), 60_000);
});

test('a store that fails is an error of the protocol, and names no detail', async () => {
  const memory = memoryStore();
  const ledger = memory.calls as Ledger;
  const { request, call } = serveTasks({
    store: {
      ...memory,
      calls: { ...ledger, get: (...at) => (isDown ? Promise.reject(new Error('secret-host')) : ledger.get(...at)) },
    },
  });
  let isDown = false;
  const taskId = await call('compute');
  isDown = true;
  const answer = await request('tasks/get', { taskId });
  expect(answer.error).toMatchObject({ code: -32603 });
  expect(JSON.stringify(answer)).not.toContain('secret-host');
});

describe('a subscription to tasks', () => {
  interface Heard {
    readonly method?: string;
    readonly result?: object;
    readonly params?: Readonly<Record<string, unknown>>;
  }
  async function* messagesOf(response: Response): AsyncGenerator<Heard, void, undefined> {
    let text = '';
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(part);
      const frames = text.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) if (frame.includes('data: ')) yield JSON.parse(frame.slice(frame.indexOf('data: ') + 6)) as Heard;
    }
  }
  const next = async (messages: AsyncGenerator<Heard>) => (await messages.next()).value as Heard | undefined;

  test('reports each change of the tasks that its caller may read, whole, and ends with the last of them', async () => {
    const { post, request, call, get, end } = serveTasks();
    const [asking, working] = [await call('send', { to: 'you' }), await call('compute')];
    const notifications = { taskIds: [asking, working, 'unknown', 7] };
    const messages = messagesOf(await post('subscriptions/listen', { notifications }));
    expect(await next(messages)).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [asking, working] }, _meta: { 'io.modelcontextprotocol/subscriptionId': 1 } },
    });
    const first = [await next(messages), await next(messages)].map((message) => [message?.method, message?.params?.taskId]);
    expect(first.sort()).toEqual([asking, working].map((taskId) => ['notifications/tasks', taskId]).sort());
    await request('tasks/update', { taskId: asking, inputResponses: { approval: { action: 'accept', content: { approve: true } } } });
    const reported: unknown[] = [];
    for (let message = await next(messages); message?.params?.status !== 'completed'; message = await next(messages))
      reported.push(message);
    end.resolve('42');
    const {
      resultType: _,
      _meta: __,
      ...whole
    } = (await vi.waitFor(async () => {
      const task = await get(working);
      expect(task).toMatchObject({ status: 'completed' });
      return task;
    }, 60_000)) as Record<string, unknown>;
    expect(await next(messages)).toMatchObject({ method: 'notifications/tasks', params: whole });
    expect(await next(messages)).toMatchObject({ id: 1, result: { resultType: 'complete' } });
    expect(await next(messages)).toBeUndefined();
  });

  test('is refused to a client that announces no tasks', async () => {
    const { request } = serveTasks({ capabilities: {} });
    expect(await request('subscriptions/listen', { notifications: { taskIds: ['any'] } })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } } },
    });
  });

  test.each(['bob', 'anns_boss'] as const)('names no task of another tenant or user: %s', async (subject) => {
    const { post, call } = serveTasks();
    const messages = messagesOf(await post('subscriptions/listen', { notifications: { taskIds: [await call('compute')] } }, subject));
    expect((await next(messages))?.params?.notifications).toEqual({});
    expect(await next(messages)).toMatchObject({ result: { resultType: 'complete' } });
  });

  test('ends in order when the server is closed, and without a word when its client leaves', async () => {
    const { post, call, server } = serveTasks();
    const taskId = await call('compute');
    const [left, kept] = [
      await post('subscriptions/listen', { notifications: { taskIds: [taskId] } }),
      await post('subscriptions/listen', { notifications: { taskIds: [taskId] } }),
    ];
    await left.body?.cancel();
    const messages = messagesOf(kept);
    await next(messages);
    expect(await next(messages)).toMatchObject({ method: 'notifications/tasks', params: { status: 'working' } });
    // The task goes on for ever, and is not waited for.
    await server.close({ drainMs: 0 });
    let last: Heard | undefined;
    for await (const message of messages) last = message;
    expect(last).toMatchObject({ result: { resultType: 'complete' } });
  });
});
