import type { CallContext } from '../../contract/index.ts';
import type { AnthropicToolResult } from '../../dialects/index.ts';
import { type JsonObject, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { type CallableToolbox, type HostTool, hostTools, type ProviderSearchOptions } from '../frameworks/host-tools.ts';
import { type AnswerOptions, answerResponse, type ProviderToolbox } from '../providers/answer-calls.ts';
import { collect } from '../providers/collect-stream.ts';
import { checkLoopOptions, type Evaluation, isStreamed, type LoopOptions, runLoop } from '../providers/evaluate-loop.ts';
import { lowerTool } from '../providers/lower-tool.ts';
import { fieldsOf, listOf, textOf } from '../providers/read-answer.ts';
import { type AnthropicAnswer, messagesForm } from './messages.ts';
import { createMessageCollector } from './stream.ts';

export type { AnswerOptions } from '../providers/answer-calls.ts';
export type { Evaluation } from '../providers/evaluate-loop.ts';
export { PromptEvaluationError } from '../providers/prompt-evaluation-error.ts';
export type { Usage } from '../providers/read-answer.ts';
export type { AnthropicAnswer } from './messages.ts';

/** A tool of the Messages API. */
export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly input_examples?: Record<string, unknown>[];
  readonly defer_loading?: true;
}

/** Anthropic's own search over the tools with `defer_loading`. */
export interface AnthropicToolSearch {
  readonly type: 'tool_search_tool_bm25_20251119';
  readonly name: 'tool_search_tool_bm25';
}

/** The message that answers all calls of one turn. */
export interface AnthropicToolResults {
  readonly role: 'user';
  readonly content: AnthropicToolResult[];
}

/** The part of an Anthropic client that `evaluate` uses; `client.beta` has it too. */
type AnthropicClient = {
  readonly messages: { create(params: never, options?: never): PromiseLike<unknown> };
};

type Method<TClient extends AnthropicClient> = TClient['messages']['create'];
type Params<TClient extends AnthropicClient> = Parameters<Method<TClient>>[0];
type Message<TClient extends AnthropicClient> = Params<TClient> extends { messages: readonly (infer TMessage)[] } ? TMessage : object;
type Answer<TClient extends AnthropicClient> = Exclude<Awaited<ReturnType<Method<TClient>>>, AsyncIterable<unknown>>;

/** A run over the Messages API. */
export interface AnthropicEvaluateOptions<TClient extends AnthropicClient> extends LoopOptions, ProviderSearchOptions {
  readonly client: TClient;
  /** Parameters of `client.messages.create`. Its `tools` are offered beside those of the toolbox; calls to them end the run. */
  readonly params: Omit<Params<TClient>, 'stream'>;
}

/** Returns the tools of a toolbox in Anthropic's form, with their examples. Throws at once where Anthropic does not take a schema. */
export function toTools(toolbox: CallableToolbox, options: { readonly providerSearch: true }): (AnthropicTool | AnthropicToolSearch)[];
export function toTools(toolbox: CallableToolbox, options?: { readonly providerSearch?: false }): AnthropicTool[];
export function toTools(toolbox: CallableToolbox, options: ProviderSearchOptions): (AnthropicTool | AnthropicToolSearch)[];
export function toTools(toolbox: CallableToolbox, options: ProviderSearchOptions = {}): (AnthropicTool | AnthropicToolSearch)[] {
  refuseOptions('toTools', options, { providerSearch: 'a boolean' });
  const tools = hostTools(toolbox, 'anthropic', {}, { isSearchedByHost: options.providerSearch === true });
  const search: AnthropicToolSearch[] = tools.some(({ deferred }) => deferred === true)
    ? [{ type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }]
    : [];
  const own = tools.map((tool): AnthropicTool => {
    const { name, description, examples, deferred } = tool;
    return {
      name,
      description,
      input_schema: toInputSchema(tool),
      ...(examples.length > 0 && { input_examples: examples.map(({ input }) => input as Record<string, unknown>) }),
      ...(deferred === true && { defer_loading: true }),
    };
  });
  return [...search, ...own];
}

/**
 * Answers every tool call in a message of Anthropic: one user message with a result per call id, in order, failures flagged as
 * `is_error`; nothing when there was no call. Anthropic's own tools are left alone. Rejects with `PromptEvaluationError` only when the
 * message cannot be read.
 */
export async function answerToolCalls(
  response: AnthropicAnswer,
  toolbox: ProviderToolbox,
  context: CallContext = {},
  options: AnswerOptions = {},
): Promise<AnthropicToolResults[]> {
  return (await answerResponse(messagesForm, response, toolbox, context, options)) as AnthropicToolResults[];
}

/**
 * Runs a prompt to its end: asks the model, answers its calls, asks again. A failing tool never ends it; it rejects with
 * `PromptEvaluationError` only when Anthropic cannot be reached or understood, and with a TypeError when a tool cannot be offered.
 */
export async function evaluate<TClient extends AnthropicClient>(
  options: AnthropicEvaluateOptions<TClient>,
): Promise<Evaluation<Message<TClient>, Answer<TClient>>> {
  checkLoopOptions(options, { providerSearch: true });
  const { client, toolbox, context, onText, providerSearch = false } = options;
  const { stream: _, ...params } = options.params as Record<string, unknown>;
  const stream = isStreamed(options);
  const tools = [...listOf(params.tools), ...toTools(toolbox.with((context ?? {}) as never), { providerSearch })];
  const evaluation = await runLoop(
    {
      form: messagesForm,
      messages: params.messages as object[],
      foreign: new Set(listOf(params.tools).map(({ name }) => textOf(name))),
      async ask(messages) {
        const request = { ...params, messages, ...(tools.length > 0 && { tools }), ...(stream && { stream }) };
        const answer = await client.messages.create(request as never, { signal: context?.signal } as never);
        return stream ? collect(answer, createMessageCollector(), onText) : answer;
      },
    },
    options,
  );
  return evaluation as Evaluation<Message<TClient>, Answer<TClient>>;
}

/**
 * Puts a raw event stream of Anthropic together into the message that `answerToolCalls` takes. Where a model sent input that is not
 * JSON, it stays text, so that the model can read what was wrong; rejects when the stream ended early.
 */
export async function collectStream(events: AsyncIterable<object>, onText?: (text: string) => unknown): Promise<AnthropicAnswer> {
  return (await collect(events, createMessageCollector(), onText)) as AnthropicAnswer;
}

/** Field names that Anthropic accepts at the root of a schema; with any other it refuses the whole request. */
const fieldName = /^[a-zA-Z0-9_.-]{1,64}$/;

function toInputSchema(tool: HostTool): AnthropicTool['input_schema'] {
  const schema = lowerTool(tool, 'anthropic') as JsonObject & { type: 'object' };
  const bad = Object.keys(fieldsOf(schema.properties)).find((name) => !fieldName.test(name));
  if (bad === undefined) return schema;
  const why = 'names of fields are up to 64 letters, digits, "_", "." and "-"';
  throw new ToolpactError(
    'invalid_schema',
    `tool "${tool.name}": the field "${bad}" cannot be lowered: ${why} (anthropic). Change that field.`,
  );
}
