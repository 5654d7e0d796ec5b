import type { McpTools } from './create-mcp-tools.ts';
import { type McpRequest, readMcpRequest } from './mcp-request.ts';

/** The part of a low-level `Server`, of version 1 or 2 of the official SDK, that is used here. */
export interface McpServerPort {
  fallbackRequestHandler?: ((request: never, extra: never) => Promise<unknown>) | undefined;
  registerCapabilities(capabilities: { tools: Record<string, never> }): void;
  assertCanSetRequestHandler(method: string): void;
}

interface Request {
  readonly method: string;
  readonly params?: unknown;
}

/** Answers requests about tools that the SDK received. */
interface AnsweringTools extends Pick<McpTools, 'call'> {
  readonly list: (request: McpRequest) => object;
}

/**
 * Creates a server answer with these tools; it must not be connected yet, nor have tools already. The requests are taken as they arrive,
 * before the SDK checks them: it would answer malformed arguments with a protocol error, which no model gets to read.
 */
export function answerMcpRequests(server: McpServerPort, tools: AnsweringTools): void {
  const answers: Readonly<Record<string, (params: unknown, extra: unknown) => unknown>> = {
    'tools/list': (params, extra) => tools.list(readMcpRequest(params, extra)),
    'tools/call': (params, extra) => tools.call(params, readMcpRequest(params, extra)),
  };
  for (const method of Object.keys(answers)) server.assertCanSetRequestHandler(method);
  server.registerCapabilities({ tools: {} });
  const others = server.fallbackRequestHandler as ((request: Request, extra: unknown) => Promise<unknown>) | undefined;
  const answer = async (request: Request, extra: unknown): Promise<unknown> => {
    const { method, params } = request;
    if (Object.hasOwn(answers, method)) return answers[method]?.(params, extra);
    if (others !== undefined) return others.call(server, request, extra);
    throw Object.assign(new Error('Method not found'), { code: -32601 });
  };
  server.fallbackRequestHandler = answer as NonNullable<McpServerPort['fallbackRequestHandler']>;
}
