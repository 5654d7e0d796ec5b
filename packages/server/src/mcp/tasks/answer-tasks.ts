import type { Server, ServerCapabilities } from '@modelcontextprotocol/server';
import { type McpRequest, readMcpRequest } from 'toolpact/internal';
import type { McpCaller } from '../caller.ts';
import type { TaskClient } from './handshake-tasks.ts';
import { tasksExtension } from './task-shape.ts';

/** Takes all parameters as they are: the answers look at them themselves. */
const asGiven = {
  params: { '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }) } },
} as const;

type SetHandler = (method: string, schemas: typeof asGiven, handler: (params: unknown, extra: unknown) => Promise<object>) => void;

/** How tasks are announced: the form of 2025-11-25, and that of later revisions. */
const announcements: Readonly<Record<McpRequest['era'], ServerCapabilities>> = {
  handshake: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  stateless: { extensions: { [tasksExtension]: {} } },
};

/** The functions that answer requests about tasks, by method. */
type TaskAnswers = Readonly<
  Record<string, (params: unknown, request: McpRequest, caller: McpCaller, client: TaskClient) => Promise<object>>
>;

/** Makes a server of the SDK announce tasks and answer the requests about them. */
export function answerTasks(
  server: Server,
  era: McpRequest['era'],
  { answers }: { readonly answers: TaskAnswers },
  client: TaskClient,
  callerFor: (host: unknown) => McpCaller,
): void {
  server.registerCapabilities(announcements[era]);
  for (const [method, answer] of Object.entries(answers)) {
    (server.setRequestHandler as SetHandler).call(server, method, asGiven, async (params, extra) =>
      answer(params, readMcpRequest(params, extra), callerFor(extra), client),
    );
  }
}
