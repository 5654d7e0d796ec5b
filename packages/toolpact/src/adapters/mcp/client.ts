import { requestWithQuestions } from './server-questions.ts';

/** A connected client: of the official SDK, version 1 or 2, or anything that lists and calls tools like one. */
export interface McpClient {
  listTools(params: never, options: never): Promise<{ readonly tools: readonly object[]; readonly nextCursor?: string | undefined }>;
  callTool(params: never, second: never, third: never): Promise<unknown>;
}

/** How a request is made; both SDKs take these. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** The longest silence, in milliseconds. */
  readonly timeout: number;
  readonly resetTimeoutOnProgress?: boolean;
  readonly onprogress?: (progress: { readonly progress?: unknown; readonly total?: unknown; readonly message?: unknown }) => void;
  /** For a client that asks a person while the call runs; the SDKs know nothing of it. */
  readonly pauseDeadline?: () => () => void;
}

/** The two requests that are about tools, answered as the server sent it. */
export interface McpClientPort {
  readonly list: (cursor: string | undefined, options: McpRequestOptions) => Promise<unknown>;
  readonly call: (params: object, definition: object, options: McpRequestOptions) => Promise<unknown>;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Reads through a client of any kind. The SDKs check answers themselves and throw away what does not fit, the text for the model
 * included, so they are asked not to; what comes back is checked here.
 */
export function toClientPort(client: McpClient): McpClientPort {
  const { listTools, callTool, request, getProtocolEra } = client as unknown as Partial<
    Record<'listTools' | 'callTool' | 'request', Method>
  > & {
    getProtocolEra?: () => unknown;
  };
  const ask =
    request &&
    ((method: string, params: object, options: McpRequestOptions) => request.call(client, { method, params }, anything, options));
  return {
    list: async (cursor, options) => {
      const params = cursor === undefined ? {} : { cursor };
      return ask === undefined ? listTools?.call(client, params, options) : ask('tools/list', params, options);
    },
    call: (params, definition, given) => requestWithQuestions(client, given, (options) => send(params, definition, options)),
  };

  function send(params: object, definition: object, options: McpRequestOptions): Promise<unknown> | undefined {
    // In the stateless era arguments may be copied into HTTP headers by the tool's definition; only `callTool` does that. Without an output
    // schema it checks nothing.
    if (getProtocolEra?.call(client) === 'modern') {
      const { outputSchema: _, ...toolDefinition } = definition as { outputSchema?: unknown };
      return callTool?.call(client, params, { ...options, toolDefinition });
    }
    return ask === undefined ? callTool?.call(client, params, undefined, options) : ask('tools/call', params, options);
  }
}

/** A schema that takes everything, in the form of either SDK: a Standard Schema for version 2, `safeParse` for version 1. */
const anything = {
  '~standard': { version: 1, vendor: 'toolpact', validate: (value: unknown) => ({ value }) },
  safeParse: (data: unknown) => ({ success: true, data }),
} as const;
