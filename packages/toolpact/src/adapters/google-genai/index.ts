import type { CallContext } from '../../contract/index.ts';
import type { JsonObject } from '../../outcome/index.ts';
import { type CallableToolbox, hostTools } from '../frameworks/host-tools.ts';
import { type AnswerOptions, answerResponse, type ProviderToolbox } from '../providers/answer-calls.ts';
import { collect } from '../providers/collect-stream.ts';
import { checkLoopOptions, type Evaluation, isStreamed, type LoopOptions, runLoop } from '../providers/evaluate-loop.ts';
import { lowerTool } from '../providers/lower-tool.ts';
import { type Fields, fieldsOf, listOf, textOf } from '../providers/read-answer.ts';
import { createGeminiCollector, type GeminiAnswer, type GeminiPart, geminiForm } from './content.ts';

export type { AnswerOptions } from '../providers/answer-calls.ts';
export type { Evaluation } from '../providers/evaluate-loop.ts';
export { PromptEvaluationError } from '../providers/prompt-evaluation-error.ts';
export type { Usage } from '../providers/read-answer.ts';
export type { GeminiAnswer } from './content.ts';

/** A tool of Gemini: all functions of a toolbox. */
export interface GeminiTool {
  readonly functionDeclarations: { readonly name: string; readonly description: string; readonly parametersJsonSchema: JsonObject }[];
}

/** The content that answers all calls of one turn. */
export interface GeminiToolResponses {
  readonly role: 'user';
  readonly parts: GeminiPart[];
}

/** The part of a Google Gen AI client that `evaluate` uses. */
type GeminiClient = {
  readonly models: {
    generateContent(params: never): PromiseLike<unknown>;
    generateContentStream(params: never): PromiseLike<unknown>;
  };
};

type Method<TClient extends GeminiClient> = TClient['models']['generateContent'];
type Params<TClient extends GeminiClient> = Parameters<Method<TClient>>[0];
type Contents<TClient extends GeminiClient> =
  Params<TClient> extends { contents: infer TContents } ? Extract<TContents, { parts?: unknown }> : object;

/** A run over Gemini. */
export interface GeminiEvaluateOptions<TClient extends GeminiClient> extends LoopOptions {
  readonly client: TClient;
  /** Parameters of `client.models.generateContent`. Its `config.tools` are offered beside the toolbox; calls to them end the run. */
  readonly params: Params<TClient>;
}

/** Returns the tools of a toolbox in Gemini's form, for `config.tools`. Throws at once, naming tool and field, where Gemini does not take a schema. */
export function toTools(toolbox: CallableToolbox): GeminiTool[] {
  const functionDeclarations = hostTools(toolbox, 'google-genai').map((tool) => {
    const { name, description } = tool;
    return { name, description, parametersJsonSchema: lowerTool(tool, 'gemini') };
  });
  return functionDeclarations.length === 0 ? [] : [{ functionDeclarations }];
}

/**
 * Answers every function call in an answer of Gemini: one content with a response per call, in order, failures under `error`; nothing
 * when there was no call. A call that Gemini itself could not read is answered in words. Rejects with `PromptEvaluationError` only when
 * the answer cannot be read.
 */
export async function answerToolCalls(
  response: GeminiAnswer,
  toolbox: ProviderToolbox,
  context: CallContext = {},
  options: AnswerOptions = {},
): Promise<GeminiToolResponses[]> {
  return (await answerResponse(geminiForm, response, toolbox, context, options)) as GeminiToolResponses[];
}

/**
 * Runs a prompt to its end: asks the model, answers its calls, asks again. A failing tool never ends it; it rejects with
 * `PromptEvaluationError` only when Gemini cannot be reached or understood, and with a TypeError when a tool cannot be offered.
 */
export async function evaluate<TClient extends GeminiClient>(
  options: GeminiEvaluateOptions<TClient>,
): Promise<Evaluation<Contents<TClient>, Awaited<ReturnType<Method<TClient>>>>> {
  checkLoopOptions(options);
  const { client, toolbox, context, onText } = options;
  const params = options.params as Record<string, unknown>;
  const given = fieldsOf(params.config);
  const tools = [...listOf(given.tools), ...toTools(toolbox.with((context ?? {}) as never))];
  const declared = (await Promise.all(listOf(given.tools).map(declarationsOf))).flat();
  const signal = context?.signal;
  const config = {
    ...given,
    ...(tools.length > 0 && { tools }),
    ...(signal !== undefined && { abortSignal: signal }),
    automaticFunctionCalling: { disable: true },
    ...wholeCalls(given.toolConfig),
  };
  const evaluation = await runLoop(
    {
      form: geminiForm,
      messages: toContents(params.contents),
      foreign: new Set(declared.map(({ name }) => textOf(name))),
      async ask(contents) {
        const request = { ...params, contents, config } as never;
        if (!isStreamed(options)) return client.models.generateContent(request);
        return collect(await client.models.generateContentStream(request), createGeminiCollector(), onText);
      },
    },
    options,
  );
  return evaluation as Evaluation<Contents<TClient>, Awaited<ReturnType<Method<TClient>>>>;
}

/** Puts the chunks of a streamed answer together into what `answerToolCalls` takes; rejects when the stream ended early. */
export async function collectStream(chunks: AsyncIterable<object>, onText?: (text: string) => unknown): Promise<GeminiAnswer> {
  return (await collect(chunks, createGeminiCollector(), onText)) as GeminiAnswer;
}

/** Asks for calls in one piece: a run has no use for their pieces. */
function wholeCalls(toolConfig: unknown): Fields {
  const { functionCallingConfig, ...others } = fieldsOf(toolConfig);
  const { streamFunctionCallArguments, ...kept } = fieldsOf(functionCallingConfig);
  return streamFunctionCallArguments === undefined ? {} : { toolConfig: { ...others, functionCallingConfig: kept } };
}

/** Reads the functions of a tool, which may have to be asked for them. One that does not tell fails in the client, too. */
async function declarationsOf(tool: Fields): Promise<readonly Fields[]> {
  const { tool: tell } = tool;
  try {
    const { functionDeclarations } = typeof tell === 'function' ? fieldsOf(await tell.call(tool)) : tool;
    return listOf(functionDeclarations);
  } catch {
    return [];
  }
}

/** Reads everything the client takes as contents: a text, parts, one content or a list of them. */
function toContents(contents: unknown): object[] {
  const list: unknown[] = Array.isArray(contents) ? contents : [contents];
  const isContents = list.every((one) => Array.isArray(fieldsOf(one).parts) || fieldsOf(one).role !== undefined);
  if (isContents) return list as object[];
  return [{ role: 'user', parts: list.map((part) => (typeof part === 'string' ? { text: part } : part)) }];
}
