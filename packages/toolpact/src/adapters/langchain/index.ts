import type { JsonObject } from '../../outcome/index.ts';
import type { AnyTool } from '../../runtime/index.ts';
import { fromCarried } from '../frameworks/carried-arguments.ts';
import {
  type AdapterOptions,
  adapterOptions,
  type CallableToolbox,
  type HostTool,
  hostTools,
  type ProviderName,
  type ProviderSearchOptions,
  readAdapterOptions,
} from '../frameworks/host-tools.ts';
import { callInGraph } from './control-flow.ts';
import { type HostMade, type LangchainConfig, loadCore } from './core.ts';
import { toHostCall } from './host-call.ts';
import { toContent, toToolMessage } from './message.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type FromToolsOptions, fromTools, type ToolsFrom } from './from-tools.ts';
export { mendCalls } from './mend-calls.ts';
export { type LangchainMiddleware, type LangchainMiddlewareOptions, toMiddleware } from './middleware.ts';
export { stopOnRepeat } from './stop-on-repeat.ts';
export { toToolNode } from './tool-node.ts';

/**
 * A tool as LangChain's agents, LangGraph's `ToolNode` and `bindTools` take it. Given a tool call it answers with a `ToolMessage` whose
 * artifact is the outcome; given bare arguments, with the message's content.
 */
export type LangchainTool<TName extends string = string> = {
  name: TName;
  description: string;
  schema: JsonObject;
  returnDirect: boolean;
  lc_namespace: string[];
  lc_serializable: boolean;
  readonly lc_id: string[];
  readonly lc_runnable: true;
  readonly extras?: Record<string, unknown>;
  invoke: (input: unknown, config?: object) => Promise<unknown>;
  call: (input: unknown, config?: object) => Promise<unknown>;
  batch: (inputs: unknown[], config?: object | object[]) => Promise<unknown[]>;
  stream: (input: unknown, config?: object) => Promise<ReadableStream<unknown> & AsyncGenerator<unknown>>;
  transform: (inputs: AsyncGenerator<unknown>, config?: object) => AsyncGenerator<unknown>;
  getName: () => string;
};

/**
 * How LangChain gets its tools. With `providerSearch`, add `providerToolSearchMiddleware()` of `langchain` to the agent: it reads which tools are
 * deferred.
 */
export interface LangchainOptions extends AdapterOptions, ProviderSearchOptions {}

/** The tools of a toolbox, one entry per tool, in their order. */
type LangchainTools<TTools extends readonly AnyTool[]> = {
  -readonly [TIndex in keyof TTools]: LangchainTool<ProviderName<TTools[TIndex]['name']>>;
};

/**
 * Returns a toolbox as tools for `createAgent`, `ToolNode` and `bindTools`. They answer every call with a message, flagged where it failed;
 * only what steers LangGraph is thrown (interrupts, commands for a parent graph, a drained graph; a thrown `Command` is the result), and the
 * host's own abort error.
 *
 * @example
 * createAgent({ model, tools: toTools(toolbox), middleware: [toMiddleware(toolbox)] });
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: LangchainOptions = {},
): LangchainTools<TTools> {
  const settings = readAdapterOptions('toTools', toolbox, options, { ...adapterOptions, providerSearch: true });
  return hostTools(toolbox, adapter, settings, { isSearchedByHost: settings.providerSearch === true }).map((tool) =>
    toTool(tool, settings),
  ) as LangchainTools<TTools>;
}

const adapter = 'langchain';

function toTool(tool: HostTool, options: AdapterOptions): LangchainTool {
  const { name, description, inputSchema, deferred } = tool;
  let made: Promise<HostMade> | undefined;
  const host = (): Promise<HostMade> => {
    made ??= makeHostTool(tool, options);
    return made;
  };
  const invoke = async (input: unknown, config?: object): Promise<unknown> => (await host()).invoke(input, config);
  return {
    name,
    description,
    schema: inputSchema,
    returnDirect: false,
    lc_namespace: ['langchain', 'tools'],
    lc_serializable: false,
    lc_id: ['langchain', 'tools', name],
    lc_runnable: true,
    ...(deferred === true && { extras: { defer_loading: true } }),
    invoke,
    call: invoke,
    batch: (inputs, config) => Promise.all(inputs.map((input, at) => invoke(input, Array.isArray(config) ? config[at] : config))),
    stream: async (input, config) => (await host()).stream(input, config) as never,
    async *transform(inputs, config) {
      for await (const input of inputs) yield await invoke(input, config);
    },
    getName: () => name,
  };
}

/** Lets LangChain make the tool that runs, with a schema that lets everything through: the toolbox checks the arguments. */
async function makeHostTool({ name, description, call }: HostTool, { dialect }: AdapterOptions): Promise<HostMade> {
  const { tool } = await loadCore();
  const run = async (args: unknown, config: LangchainConfig): Promise<unknown> => {
    const { toolCall } = config;
    const facts = toHostCall(config, { id: toolCall?.id, name });
    const ended = await callInGraph<object>((watched) => call(fromCarried(args), watched), facts);
    if (ended.command !== undefined) return ended.command;
    return toolCall === undefined ? toContent(ended.outcome, dialect) : toToolMessage(ended.outcome, { id: toolCall.id, name }, dialect);
  };
  return tool(run, { name, description, schema: {} });
}
