import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { execPath } from 'node:process';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { useProgram } from '../../../proofs/fixtures/use-program.ts';

/** A toolbox served over standard input and output by a process of its own. */

const program = useProgram(new URL('mcp-stdio-program.ts', import.meta.url));
const info = { name: 'agent', version: '1.0.0' };

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Connect = () => Promise<ClientV2>;
const yes = () => ({ action: 'accept', content: { approve: true } }) as never;
const clients: [string, Connect][] = [
  [
    'the first SDK',
    async () => {
      const client = new ClientV1(info, { capabilities: { elicitation: {} } });
      client.setRequestHandler(ElicitRequestSchema, yes);
      await client.connect(new StdioV1({ command: execPath, args: [program()], stderr: 'ignore' }));
      return client as unknown as ClientV2;
    },
  ],
  ...(['legacy', 'auto'] as const).map((mode): [string, Connect] => [
    `the second SDK, ${mode}`,
    async () => {
      const client = new ClientV2(info, { capabilities: { elicitation: {} }, versionNegotiation: { mode } });
      client.setRequestHandler('elicitation/create', yes);
      await client.connect(new StdioV2({ command: execPath, args: [program()], stderr: 'ignore' }));
      return client;
    },
  ]),
];

describe.each(clients)('%s', (_, connect) => {
  let client: ClientV2;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  test('lists and calls tools, whatever they write to the output', async () => {
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['double', 'work', 'send', 'crawl', 'wait_for_result']);
    expect(await client.callTool({ name: 'double', arguments: { n: 21 } })).toMatchObject({ structuredContent: { doubled: 42 } });
    expect(await client.callTool({ name: 'double', arguments: { n: 'x' } })).toMatchObject({ isError: true });
    expect(await client.callTool({ name: 'dubble', arguments: {} })).toMatchObject({ isError: true });
  });

  test('receives progress', async () => {
    // A client of the SDK that reads the report and the result at once drops the report.
    await vi.waitFor(async () => {
      const reports: unknown[] = [];
      const options = { onprogress: (report: unknown) => reports.push(report) };
      const args = [{ name: 'work', arguments: { ms: 20 } }, ...(client instanceof ClientV1 ? [undefined] : []), options];
      await (client.callTool as (...args: unknown[]) => Promise<unknown>).apply(client, args);
      expect(reports).toEqual([{ progress: 1, total: 2 }]);
    });
  });

  test('has its user asked for approvals', async () => {
    expect(await client.callTool({ name: 'send', arguments: {} })).toMatchObject({ content: [{ text: 'sent' }] });
  });
});

test('a user whom nobody may ask for approvals is not asked, and the call waits', async () => {
  const client = new ClientV1(info, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, yes);
  await client.connect(new StdioV1({ command: execPath, args: [program(), '2000', 'never'], stderr: 'ignore' }));
  open.push(() => client.close());
  expect(await client.callTool({ name: 'send', arguments: {} })).toMatchObject({ structuredContent: { pending: { reason: 'approval' } } });
});

test('a client that sends a call as a task is notified of its end, and reads its result', async () => {
  const client = new ClientV1(info, { capabilities: { tasks: {} } });
  const ended = Promise.withResolvers<unknown>();
  client.setNotificationHandler(
    TaskStatusNotificationSchema,
    ({ params }) => void (params.status === 'completed' && ended.resolve(params.taskId)),
  );
  await client.connect(new StdioV1({ command: execPath, args: [program()], stderr: 'ignore' }));
  open.push(() => client.close());
  const params = { name: 'crawl', arguments: {}, task: { ttl: 60_000 } };
  const { task } = await client.request({ method: 'tools/call', params }, CreateTaskResultSchema);
  expect(await ended.promise).toBe(task.taskId);
  const result = await client.request({ method: 'tasks/result', params: { taskId: task.taskId } }, CallToolResultSchema);
  expect(result).toMatchObject({ content: [{ text: 'crawled' }] });
});

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  /** The messages so far. */
  readonly messages: Record<string, unknown>[];
  readonly errors: () => string;
  readonly ended: Promise<unknown>;
}

/** Starts the program, shakes hands, and lets it begin to work. */
async function startWork(ms: number, drainMs: number): Promise<Started> {
  const child = spawn(execPath, [program(), String(drainMs)]);
  const messages: Record<string, unknown>[] = [];
  let rest = '';
  let errors = '';
  const working = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) messages.push(JSON.parse(line) as Record<string, unknown>);
    if (messages.some(({ method }) => method === 'notifications/progress')) working.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  open.push(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  const send = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info } });
  send({ method: 'notifications/initialized' });
  send({ id: 2, method: 'tools/call', params: { name: 'work', arguments: { ms }, _meta: { progressToken: 'p' } } });
  await working.promise;
  return { child, messages, errors: () => errors, ended };
}

const textOf = (message: Record<string, unknown> | undefined) =>
  (message?.result as { content: { text: string }[] } | undefined)?.content[0]?.text;

describe('a process with a call in flight', () => {
  const ends: [string, (child: ChildProcessWithoutNullStreams) => void][] = [
    ['its input is closed', (child) => child.stdin.end()],
    ['it gets a SIGTERM', (child) => child.kill('SIGTERM')],
  ];

  test.each(ends)('answers it and ends cleanly when %s', async (_, end) => {
    const { child, messages, errors, ended } = await startWork(150, 10_000);
    end(child);
    expect(await ended).toEqual([0, null]);
    expect(textOf(messages.find(({ id }) => id === 2))).toBe('worked');
    expect(errors()).toBe('closed\n');
  });

  test.each(ends)('stops it, says so and ends cleanly when %s and there is no time left', async (_, end) => {
    const { child, messages, errors, ended } = await startWork(60_000, 50);
    end(child);
    expect(await ended).toEqual([0, null]);
    expect(textOf(messages.find(({ id }) => id === 2))).toMatch(/^\[error: (?:cancelled|interrupted)\] /);
    expect(errors()).toBe('work was stopped\nclosed\n');
  });

  test('ends when its client is gone altogether', async () => {
    const { child, errors, ended } = await startWork(60_000, 50);
    child.stdout.destroy();
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    expect(errors()).toBe('work was stopped\nclosed\n');
  });
});
