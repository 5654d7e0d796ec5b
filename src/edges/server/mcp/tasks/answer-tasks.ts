import type { Server } from '@modelcontextprotocol/server';
import { readMcpRequest } from '../../../../parts/mcp/index.ts';
import type { McpCaller } from '../caller.ts';
import type { HandshakeTasks, TaskClient } from './handshake-tasks.ts';
import type { McpTasks } from './mcp-tasks.ts';
import { tasksExtension } from './task-shape.ts';

/** Takes all parameters as they are: the answers look at them themselves. */
const asGiven = {
  params: { '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }) } },
} as const;

type SetHandler = (method: string, schemas: typeof asGiven, handler: (params: unknown, extra: unknown) => Promise<object>) => void;

/** Makes a server of the SDK announce tasks and answer the requests about them. */
export function answerTasks(server: Server, { answers }: McpTasks, callerFor: (host: unknown) => McpCaller): void {
  server.registerCapabilities({ extensions: { [tasksExtension]: {} } });
  for (const [method, answer] of Object.entries(answers)) {
    (server.setRequestHandler as SetHandler).call(server, method, asGiven, async (params, extra) =>
      answer(params, readMcpRequest(params, extra), callerFor(extra)),
    );
  }
}

/** The same in the form of 2025-11-25. */
export function answerHandshakeTasks(
  server: Server,
  { answers }: HandshakeTasks,
  client: TaskClient,
  callerFor: (host: unknown) => McpCaller,
): void {
  server.registerCapabilities({ tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } });
  for (const [method, answer] of Object.entries(answers)) {
    (server.setRequestHandler as SetHandler).call(server, method, asGiven, async (params, extra) =>
      answer(params, readMcpRequest(params, extra), callerFor(extra), client),
    );
  }
}
