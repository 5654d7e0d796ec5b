import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveStdio } from '../../stdio.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number };
  readonly params?: Readonly<Record<string, unknown>>;
}

const tasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const subscription = 'io.modelcontextprotocol/subscriptionId';
const subscriptionOf = (params: Message['params']): unknown => (params?._meta as Record<string, unknown> | undefined)?.[subscription];

/** A client at the other end of a line. Its tool ends when the test says so. */
function connect(capabilities: object = tasks) {
  const end = Promise.withResolvers<string>();
  const store = memoryStore();
  const compute = defineTool({ name: 'compute', description: 'Computes.', effects: 'none', deferAfterMs: 1, run: () => end.promise });
  const send = defineTool({ name: 'send', description: 'Sends.', approval: true, run: () => 'sent' });
  const toolbox = createToolbox([compute, send], {
    store,
    report: () => undefined,
  });
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const serving = serveStdio(toolbox, { stdin, stdout, signals: [], drainMs: 60_000 });
  const heard: Message[] = [];
  createInterface({ input: stdout }).on('line', (line) => heard.push(JSON.parse(line) as Message));
  const write = (message: object): void => void stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': capabilities,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  };
  const ask = (id: number, method: string, params: object): void => write({ id, method, params: { ...params, _meta } });
  const until = <TFound>(find: (message: Message) => TFound | undefined | false) =>
    vi.waitFor(
      () => heard.map(find).find((found) => found !== undefined && found !== false) ?? expect.unreachable(JSON.stringify(heard)),
      60_000,
    ) as Promise<TFound>;
  const answerTo = (id: number) => until((message) => message.id === id && message);
  const call = async (id: number, name: string): Promise<string> => {
    ask(id, 'tools/call', { name, arguments: {} });
    return String((await answerTo(id)).result?.taskId);
  };
  const tasksHeard = () => heard.flatMap(({ method, params }) => (method === 'notifications/tasks' ? [params] : []));
  onTestFinished(async () => {
    end.resolve('late');
    stdin.end();
    await serving.closed;
  });
  return { ask, write, call, answerTo, until, heard, tasksHeard, end, toolbox, serving, stdin };
}

test('a client at the other end of a line is notified of its tasks, whole, until the last has ended', async () => {
  const { ask, call, answerTo, until, tasksHeard, end, toolbox } = connect();
  const [working, asking] = [await call(1, 'compute'), await call(2, 'send')];
  ask(3, 'subscriptions/listen', { notifications: { taskIds: [working, asking, 'unknown', 7] } });
  const acknowledged = await until(({ method, params }) => method === 'notifications/subscriptions/acknowledged' && params);
  expect(acknowledged).toMatchObject({ notifications: { taskIds: [working, asking] }, _meta: { [subscription]: 3 } });
  await vi.waitFor(
    () => expect(tasksHeard().map((task) => task?.status)).toEqual(expect.arrayContaining(['working', 'input_required'])),
    60_000,
  );
  await toolbox.approvals.decide(asking, 'deny', { reason: 'No.' });
  end.resolve('42');
  await vi.waitFor(
    () => expect(tasksHeard()).toContainEqual(expect.objectContaining({ taskId: working, status: 'completed', result: expect.anything() })),
    60_000,
  );
  expect(await answerTo(3)).toMatchObject({ result: { resultType: 'complete', _meta: { [subscription]: 3 } } });
  expect(new Set(tasksHeard().map(subscriptionOf))).toEqual(new Set([3]));
});

test('a client that announces no tasks is refused', async () => {
  const { ask, answerTo } = connect({});
  ask(1, 'tools/list', {});
  await answerTo(1);
  ask(2, 'subscriptions/listen', { notifications: { taskIds: ['any'] } });
  expect(await answerTo(2)).toMatchObject({ error: { code: -32021 } });
});

test('a subscription that its client ends reports nothing more, and an open one does not hold up the end', async () => {
  const { ask, write, call, until, heard, tasksHeard, toolbox, serving, stdin } = connect();
  const asking = await call(1, 'send');
  for (const id of [2, 3]) {
    ask(id, 'subscriptions/listen', { notifications: { taskIds: [asking] } });
    await until(({ method, params }) => method === 'notifications/tasks' && subscriptionOf(params) === id);
  }
  write({ method: 'notifications/cancelled', params: { requestId: 2 } });
  ask(4, 'tools/list', {});
  await until(({ id }) => id === 4);
  await toolbox.approvals.decide(asking, 'deny');
  await until(({ id }) => id === 3);
  expect(
    tasksHeard()
      .map(subscriptionOf)
      .filter((id) => id === 2),
  ).toHaveLength(1);
  ask(6, 'subscriptions/listen', { notifications: { taskIds: [await call(5, 'compute')] } });
  await until(({ method, params }) => method === 'notifications/tasks' && subscriptionOf(params) === 6);
  stdin.end();
  await serving.closed;
  expect(heard.flatMap(({ id }) => id ?? [])).toEqual([1, 4, 3, 5, 6]);
});
