import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { pending } from '../../../../core/outcome/index.ts';
import { createToolbox, defineTool, type Store } from '../../../../core/runtime/index.ts';
import { approvals, defer, journal } from '../../../../parts/guards/index.ts';
import { memoryStore } from '../../../../parts/stores/memory.ts';
import { createServer } from '../../create-server.ts';

const tenants = {
  ann: '11111111-1111-4111-8111-111111111111',
  anns_boss: '11111111-1111-4111-8111-111111111111',
  bob: '22222222-2222-4222-8222-222222222222',
};
type Subject = keyof typeof tenants;

interface Answer {
  readonly status: number;
  readonly result?: Readonly<Record<string, unknown>> & { readonly taskId?: string };
  readonly error?: { readonly code: number; readonly data?: unknown };
}

/** A server whose clients announce tasks. The tool `compute` ends when the test says so. */
function serveTasks({
  store = memoryStore() as Store,
  capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } } as object,
} = {}) {
  const end = Promise.withResolvers<string>();
  let sent = 0;
  const compute = defineTool({
    name: 'compute',
    description: 'Computes for long.',
    effects: 'none',
    deferAfterMs: 1,
    run: (_, { signal }) => {
      signal.addEventListener('abort', () => end.reject(signal.reason as Error));
      return end.promise;
    },
  });
  const send = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    approval: true,
    run: ({ to }) => {
      sent += 1;
      return { to };
    },
  });
  const ask = defineTool({
    name: 'ask',
    description: 'Asks for a colour.',
    effects: 'none',
    run: () => pending({ handle: `ask_${crypto.randomUUID()}`, reason: 'input', ask: { message: 'Which colour?' } }),
  });
  const toolbox = createToolbox([compute, send, ask], {
    use: [journal({ store }), defer({ store }), approvals({ store })],
    report: () => undefined,
  });
  const server = createServer(toolbox, {
    auditLog: false,
    auth: ({ headers }) => {
      const subject = (headers.get('authorization') ?? 'ann') as Subject;
      return { tenantId: tenants[subject], subject, scopes: ['*'] };
    },
  });
  async function request(method: string, params: Readonly<Record<string, unknown>>, subject: Subject = 'ann'): Promise<Answer> {
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
    const response = await server.fetch(new Request('http://localhost/mcp', { method: 'POST', headers, body }));
    return { status: response.status, ...((await response.json()) as object) };
  }
  const call = async (name: string, args: object = {}): Promise<string> => {
    const { result } = await request('tools/call', { name, arguments: args });
    expect(result).toMatchObject({ resultType: 'task', taskId: expect.any(String) });
    return result?.taskId ?? '';
  };
  const get = async (taskId: string) => (await request('tasks/get', { taskId })).result;
  return { request, call, get, toolbox, end, sent: () => sent };
}

test('a call that takes long is a task, which ends with the result of the tool', async () => {
  const { request, call, get, end } = serveTasks();
  const taskId = await call('compute');
  const task = { resultType: 'complete', taskId, ttlMs: expect.closeTo(86_400_000, -4), createdAt: expect.stringMatching(/^\d{4}-.*Z$/) };
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

test('tasks of another tenant are unknown, and so is what is no task', async () => {
  const { request, call } = serveTasks();
  const taskId = await call('compute');
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await request(method, { taskId, inputResponses: {} }, 'bob')).error).toMatchObject({ code: -32602 });
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
    await toolbox.with({ tenantId: tenants.ann }).decide(taskId, 'approve');
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
  expect(await get(taskId)).toMatchObject({ status: 'input_required', inputRequests: { input: { params: { message: 'Which colour?' } } } });
  await request('tasks/update', { taskId, inputResponses: { input: { action: 'accept', content: { colour: 'red' } } } });
  expect(await get(taskId)).toMatchObject({ status: 'completed', result: { structuredContent: { colour: 'red' } } });
});

test('a store that fails is an error of the protocol, and names no detail', async () => {
  const memory = memoryStore();
  const { request, call } = serveTasks({
    store: { ...memory, get: (at) => (isDown ? Promise.reject(new Error('secret-host')) : memory.get(at)) },
  });
  let isDown = false;
  const taskId = await call('compute');
  isDown = true;
  const answer = await request('tasks/get', { taskId });
  expect(answer.error).toMatchObject({ code: -32603 });
  expect(JSON.stringify(answer)).not.toContain('secret-host');
});
