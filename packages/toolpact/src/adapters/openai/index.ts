import type { CallContext } from '../../contract/index.ts';
import type { OpenaiFunctionCallOutput, OpenaiToolMessage } from '../../dialects/index.ts';
import { type JsonObject, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { insideOf } from '../../runtime/index.ts';
import { type CallableToolbox, type HostTool, hostTools, type ProviderSearchOptions } from '../frameworks/host-tools.ts';
import { type AnswerOptions, answerResponse, type ProviderToolbox } from '../providers/answer-calls.ts';
import { collect } from '../providers/collect-stream.ts';
import { cutDescription } from '../providers/cut-description.ts';
import { checkLoopOptions, type Evaluation, isStreamed, type LoopOptions, runLoop } from '../providers/evaluate-loop.ts';
import { lowerTool } from '../providers/lower-tool.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../providers/read-answer.ts';
import { type ChatAnswer, chatForm } from './chat.ts';
import { createChatCollector } from './chat-collector.ts';
import { createResponsesCollector, type ResponsesAnswer, responsesForm } from './responses.ts';

export type { OpenaiFunctionCallOutput, OpenaiToolMessage } from '../../dialects/index.ts';
export type { AnswerOptions } from '../providers/answer-calls.ts';
export type { Evaluation } from '../providers/evaluate-loop.ts';
export { PromptEvaluationError } from '../providers/prompt-evaluation-error.ts';
export type { Usage } from '../providers/read-answer.ts';

/** How tools are written for OpenAI. */
export interface OpenaiToolOptions extends ProviderSearchOptions {
  /** Which API they are for. @default 'chat' */
  readonly api?: 'chat' | 'responses';
  /**
   * Whether the model is held to the schema, which then must be one that OpenAI can hold it to; or which tools it is so for, by name.
   * @default true
   */
  readonly strict?: boolean | ((tool: string) => boolean);
}

/** A function tool of the chat API. */
export interface ChatTool {
  readonly type: 'function';
  readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonObject; readonly strict: boolean };
}

/** A function tool of the Responses API. */
export interface ResponsesTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
  readonly defer_loading?: true;
}

/** OpenAI's own search over the tools with `defer_loading`. */
export interface ResponsesToolSearch {
  readonly type: 'tool_search';
}

/** The part of an OpenAI client that `evaluate` uses for the chat API. */
type ChatClient = {
  readonly chat: { readonly completions: { create(params: never, options?: never): PromiseLike<unknown> } };
};

/** The part of an OpenAI client that `evaluate` uses for the Responses API. */
type ResponsesClient = {
  readonly responses: { create(params: never, options?: never): PromiseLike<unknown> };
};

type Method = (params: never, options?: never) => PromiseLike<unknown>;
type Params<TMethod extends Method> = Parameters<TMethod>[0];
type Answer<TMethod extends Method> = Exclude<Awaited<ReturnType<TMethod>>, AsyncIterable<unknown>>;
type ChatMethod<TClient extends ChatClient> = TClient['chat']['completions']['create'];
type ResponsesMethod<TClient extends ResponsesClient> = TClient['responses']['create'];
type Message<TClient extends ChatClient> =
  Params<ChatMethod<TClient>> extends { messages: readonly (infer TMessage)[] } ? TMessage : object;
type Item<TClient extends ResponsesClient> =
  Params<ResponsesMethod<TClient>> extends { input?: infer TInput } ? Extract<TInput, readonly unknown[]>[number] : object;

/** A run over the chat API. */
export interface ChatOptions<TClient extends ChatClient> extends LoopOptions, Pick<OpenaiToolOptions, 'strict'> {
  readonly client: TClient;
  /** Parameters of `client.chat.completions.create`. Its `tools` are offered beside those of the toolbox; calls to them end the run. */
  readonly params: Omit<Params<ChatMethod<TClient>>, 'stream'>;
}

/** A run over the Responses API. */
export interface ResponsesOptions<TClient extends ResponsesClient>
  extends LoopOptions,
    Pick<OpenaiToolOptions, 'strict' | 'providerSearch'> {
  readonly client: TClient;
  /** Parameters of `client.responses.create`. Its `tools` are offered beside those of the toolbox; calls to them end the run. */
  readonly params: Omit<Params<ResponsesMethod<TClient>>, 'stream' | 'input'> & { readonly input: string | readonly Item<TClient>[] };
}

/**
 * Returns the tools of a toolbox in OpenAI's form. Throws at once, naming tool and field, where OpenAI cannot hold a model to a schema;
 * `strict: false` then offers it without that promise, and the toolbox checks all the same.
 */
export function toTools(
  toolbox: CallableToolbox,
  options: OpenaiToolOptions & { readonly api: 'responses'; readonly providerSearch: true },
): (ResponsesTool | ResponsesToolSearch)[];
export function toTools(
  toolbox: CallableToolbox,
  options: OpenaiToolOptions & { readonly api: 'responses'; readonly providerSearch?: false },
): ResponsesTool[];
export function toTools(
  toolbox: CallableToolbox,
  options?: OpenaiToolOptions & { readonly api?: 'chat'; readonly providerSearch?: false },
): ChatTool[];
export function toTools(toolbox: CallableToolbox, options: OpenaiToolOptions = {}): (ChatTool | ResponsesTool | ResponsesToolSearch)[] {
  refuseOptions('toTools', options, { api: true, strict: true, providerSearch: 'a boolean' });
  const { api = 'chat', strict = true, providerSearch = false } = options;
  if (providerSearch && api === 'chat')
    throw new ToolpactError('invalid_option', "toTools: OpenAI searches tools in the Responses API only: add `api: 'responses'`", {
      option: 'providerSearch',
    });
  // The arguments of `call_tool` depend on the tool that it calls, which OpenAI cannot hold a model to.
  const loose = insideOf(toolbox).search?.names ?? [];
  const tools = hostTools(toolbox, 'openai', {}, { isSearchedByHost: providerSearch });
  const search: ResponsesToolSearch[] = tools.some(({ deferred }) => deferred === true) ? [{ type: 'tool_search' }] : [];
  const own = tools.map((tool): ChatTool | ResponsesTool => {
    const isStrict = typeof strict === 'function' ? strict(tool.name) : strict;
    const facts = toFunction(tool, isStrict && !loose.includes(tool.name));
    if (api === 'chat') return { type: 'function', function: facts };
    return { type: 'function', ...facts, ...(tool.deferred === true && { defer_loading: true as const }) };
  });
  return [...search, ...own];
}

function toFunction(tool: HostTool, strict: boolean): ChatTool['function'] {
  const { name } = tool;
  const wayOut = 'Change that field, or give `strict: false` for this tool.';
  const parameters = strict ? lowerTool(tool, 'openai-strict', wayOut) : lowerTool(tool, 'openai');
  return { name, description: cutDescription(tool.description), parameters, strict };
}

/**
 * Answers every function call in an answer of OpenAI, chat or Responses: one message (or item) per call id, in order, to be appended
 * after the model's own. Failures are marked in the text, because OpenAI has no flag for them. Custom tools and OpenAI's own are left
 * alone. Rejects with `PromptEvaluationError` only when the answer cannot be read.
 */
export function answerToolCalls(
  response: ChatAnswer,
  toolbox: ProviderToolbox,
  context?: CallContext,
  options?: AnswerOptions,
): Promise<OpenaiToolMessage[]>;
export function answerToolCalls(
  response: ResponsesAnswer,
  toolbox: ProviderToolbox,
  context?: CallContext,
  options?: AnswerOptions,
): Promise<OpenaiFunctionCallOutput[]>;
export function answerToolCalls(
  response: ChatAnswer | ResponsesAnswer,
  toolbox: ProviderToolbox,
  context: CallContext = {},
  options: AnswerOptions = {},
): Promise<object[]> {
  return answerResponse('output' in fieldsOf(response) ? responsesForm : chatForm, response, toolbox, context, options);
}

/**
 * Runs a prompt to its end: asks the model, answers its calls, asks again. Takes `params` with `messages` for the chat API and with
 * `input` for the Responses API. A failing tool never ends it; it rejects with `PromptEvaluationError` only when OpenAI cannot be
 * reached or understood, and with a TypeError when a tool cannot be offered.
 */
export function evaluate<TClient extends ChatClient>(
  options: ChatOptions<TClient>,
): Promise<Evaluation<Message<TClient>, Answer<ChatMethod<TClient>>>>;
export function evaluate<TClient extends ResponsesClient>(
  options: ResponsesOptions<TClient>,
): Promise<Evaluation<Item<TClient>, Answer<ResponsesMethod<TClient>>>>;
export async function evaluate(
  options: LoopOptions & Pick<OpenaiToolOptions, 'strict' | 'providerSearch'> & { readonly client: unknown; readonly params: object },
): Promise<unknown> {
  checkLoopOptions(options, { strict: true, providerSearch: true });
  const { client, toolbox, strict = true, providerSearch = false, context, onText } = options;
  const stream = isStreamed(options);
  const { stream: _, ...params } = options.params as Record<string, unknown>;
  const isChat = Array.isArray(params.messages);
  const bound = toolbox.with((context ?? {}) as never);
  const own = toTools(bound, { strict, providerSearch, api: isChat ? 'chat' : 'responses' } as never);
  const tools = [...listOf(params.tools), ...own];
  const send = isChat ? sendChat : sendResponses;
  const given = isChat ? params.messages : params.input;
  return runLoop(
    {
      form: isChat ? chatForm : responsesForm,
      messages: Array.isArray(given) ? (given as object[]) : [{ role: 'user', content: textOf(given) }],
      foreign: namesOf(listOf(params.tools)),
      async ask(messages, added) {
        const request = { ...params, ...(tools.length > 0 && { tools }), ...(stream && { stream }) };
        // A conversation that OpenAI keeps holds what was sent before.
        const answer = await send(client, request, params.conversation == null ? messages : added, context?.signal);
        return stream ? collect(answer, isChat ? createChatCollector() : createResponsesCollector(), onText) : answer;
      },
    },
    options,
  );
}

type Send = (client: unknown, request: Fields, messages: readonly object[], signal: AbortSignal | undefined) => PromiseLike<unknown>;

const sendChat: Send = (client, request, messages, signal) => {
  const counting = request.stream === true && { stream_options: { include_usage: true, ...fieldsOf(request.stream_options) } };
  return (client as ChatClient).chat.completions.create({ ...request, ...counting, messages } as never, { signal } as never);
};

const sendResponses: Send = (client, request, input, signal) =>
  (client as ResponsesClient).responses.create({ ...request, input } as never, { signal } as never);

/** OpenAI's own tools have no names. */
function namesOf(tools: readonly Fields[]): ReadonlySet<string> {
  const names = tools.map(({ name, function: called, custom }) => textOf(name ?? fieldsOf(called ?? custom).name));
  return new Set(names.filter((name) => name !== ''));
}
