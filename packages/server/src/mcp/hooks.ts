import type { McpRequest, McpTool } from 'toolpact/internal';
import type { TaskClient } from './tasks/handshake-tasks.ts';

/** The client behind a call over MCP: what the SDK handed over with the request, and its connection, where it has one. */
export interface CallingClient {
  readonly host: unknown;
  readonly client: TaskClient | undefined;
  /** Whether the client makes this call as a task. */
  readonly isTask?: boolean;
}

/** Additions of a toolbox to its MCP server. */
export interface McpHooks {
  /** Runs a call with its client at hand, for tools that pass on what somebody else asks of it. */
  readonly around: <TResult>(calling: CallingClient, run: () => Promise<TResult>) => Promise<TResult>;
  /** Runs a call that may have to ask its client for something first, and end in a later request of it. `caller` tells callers apart. */
  readonly hold: (request: McpRequest, caller: string, run: (request: McpRequest) => Promise<object>) => Promise<object>;
  /** Returns a tool as clients are to see it. */
  readonly present: (tool: McpTool) => McpTool;
}

/** Under which a toolbox keeps its hooks. */
export const mcpHooksKey = Symbol('mcp hooks');

/** Reads the hooks of a toolbox; undefined where it has none. */
export function mcpHooksOf(toolbox: object): McpHooks | undefined {
  return (toolbox as { readonly [mcpHooksKey]?: McpHooks })[mcpHooksKey];
}
