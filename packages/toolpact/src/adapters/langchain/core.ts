/** A message of LangChain, as far as it is looked at here. */
export interface LangchainMessage {
  readonly id?: string | undefined;
  readonly type?: string;
  readonly content: unknown;
  readonly tool_calls?: readonly LangchainCall[] | undefined;
  readonly invalid_tool_calls?: readonly LangchainBrokenCall[] | undefined;
  readonly tool_call_id?: string | undefined;
  readonly status?: string | undefined;
  readonly artifact?: unknown;
}

/** A call as LangChain hands it to a tool. */
export interface LangchainCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: unknown;
}

/** A call whose arguments LangChain could not read; it is not run. */
export interface LangchainBrokenCall {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly args?: string | undefined;
}

/** The part of LangChain's config that is read here. `options.context` gets all of it. */
export interface LangchainConfig {
  readonly signal?: AbortSignal | undefined;
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
  /** LangGraph makes one for each run of a graph. */
  readonly control?: object | undefined;
  /** The state of the graph, where a `ToolNode` or an agent calls. */
  readonly state?: unknown;
  readonly configurable?: { readonly thread_id?: unknown } | undefined;
  /** Where LangGraph streams what nodes and tools have to say. */
  readonly writer?: ((chunk: unknown) => void) | null | undefined;
}

/** The parts of `@langchain/core` that the adapter cannot do without. */
export interface LangchainCore {
  readonly AIMessage: new (fields: object) => LangchainMessage;
  readonly ToolMessage: new (fields: object) => LangchainMessage;
  readonly tool: (run: (args: unknown, config: LangchainConfig) => unknown, fields: object) => HostMade;
}

/** A tool that LangChain itself made. */
export interface HostMade {
  readonly invoke: (input: unknown, config?: object) => Promise<unknown>;
  readonly stream: (input: unknown, config?: object) => Promise<unknown>;
}

let loading: Promise<LangchainCore> | undefined;

/**
 * Returns the application's own `@langchain/core`, found at the first call. Messages must be of its class: its hosts, models and
 * checkpointers use their methods. Tools are made by it so that callbacks and traces see them.
 */
export function loadCore(): Promise<LangchainCore> {
  loading ??= load();
  return loading;
}

async function load(): Promise<LangchainCore> {
  // Plain strings, so that compilers do not look for what is there only where LangChain is used; bundlers still find them.
  const [messages, tools] = await Promise.all([import('@langchain/core/messages' as string), import('@langchain/core/tools' as string)]);
  return { AIMessage: messages.AIMessage, ToolMessage: messages.ToolMessage, tool: tools.tool };
}
