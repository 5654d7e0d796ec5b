import type { Progress } from '../../contract/index.ts';
import { isObject, isRecord } from '../../json/index.ts';
import type { JsonObject, OptionNames, Outcome } from '../../outcome/index.ts';
import type { AnyTool } from '../../runtime/index.ts';
import { searchToolName } from '../../toolbox/index.ts';
import { fromCarried, toCarried } from '../frameworks/carried-arguments.ts';
import { followProgress } from '../frameworks/follow-progress.ts';
import {
  type AdapterOptions,
  adapterOptions,
  answerHost,
  type CallableToolbox,
  type HostTool,
  hostTools,
  type ProviderName,
  readAdapterOptions,
  type ToolInput,
  type ToolOutcome,
} from '../frameworks/host-tools.ts';
import { respellName } from '../frameworks/respell-name.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { type AiSdkOutput, toModelOutput } from './model-output.ts';
import type { AiSdkCall, AiSdkSchema } from './shapes.ts';

export type { ForeignToolOptions as FromToolsOptions } from '../frameworks/foreign-tool-options.ts';
export { fromTools, type ToolsFrom } from './from-tools.ts';

/** How the AI SDK gets its tools. */
export interface AiSdkOptions extends AdapterOptions {
  /** Shows progress as preliminary results: pending outcomes, until the call ends. @default false */
  readonly showProgress?: boolean;
  /** After how many steps a run of `toRunOptions` ends. @default 20 */
  readonly maxSteps?: number;
  /**
   * The function `toolSearch` of the AI SDK: where the toolbox has a `search`, its deferred tools are then added in mid-run as they are found, by our
   * ranking. Without it models call them with `call_tool`. @default none
   */
  readonly toolSearch?: (options: { readonly search: (asked: { readonly query: string }) => Promise<string[]> }) => object;
}

const aiSdkOptions: OptionNames<AiSdkOptions> = { ...adapterOptions, showProgress: true, maxSteps: true, toolSearch: 'a function' };

/** A tool of the AI SDK. What the application finds as the call's output is the whole outcome. */
export interface AiSdkTool<TInput, TOutcome> {
  readonly description: string;
  readonly inputSchema: AiSdkSchema<TInput>;
  inputExamples?: { input: TInput }[];
  readonly deferLoading?: true;
  readonly execute: (input: TInput, options: AiSdkCall) => Promise<TOutcome> | AsyncIterable<TOutcome>;
  readonly toModelOutput: (options: { readonly output: TOutcome }) => AiSdkOutput;
}

/** The tools of a toolbox, by the names that models know them by. */
type AiSdkTools<TTools extends readonly AnyTool[]> = {
  [TTool in TTools[number] as ProviderName<TTool['name']>]: AiSdkTool<ToolInput<TTool>, ToolOutcome<TTool>>;
};

/** A call as the model sent it, its arguments as text. */
type AiSdkToolCall = { readonly toolCallId: string; readonly toolName: string; readonly input: string };

/** The repair function that the AI SDK calls for an unreadable tool call. */
type AiSdkRepair = <TCall extends AiSdkToolCall>(asked: {
  readonly toolCall: TCall;
  readonly tools: object;
  readonly messages: readonly unknown[];
  readonly error: Error;
}) => Promise<TCall | null>;

/** Whether the AI SDK ends a run. */
type AiSdkStop = (run: { readonly steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[] }) => boolean;

/**
 * Returns a toolbox as tools for `generateText`, `streamText` and agents. They never throw; failures reach the model as `error-text`, and the
 * application finds every outcome as the call's output. The AI SDK has no control-flow signals that a tool could throw.
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: AiSdkOptions = {},
): AiSdkTools<TTools> {
  const settings = readAdapterOptions('toTools', toolbox, options, aiSdkOptions);
  const { toolSearch } = settings;
  const tools = hostTools(toolbox, adapter, settings, { isSearchedByHost: toolSearch !== undefined });
  const entries = tools.map((tool) => [tool.name, toTool(tool, settings)]);
  if (toolSearch !== undefined && tools.some(({ deferred }) => deferred === true)) {
    const search = async ({ query }: { readonly query: string }): Promise<string[]> => {
      // More than are shown: tools that were added before are left out by the AI SDK.
      const found = await toolbox.search(query, { limit: 20 });
      return found.map(({ providerName }) => providerName);
    };
    entries.push([searchToolName, toolSearch({ search }) as never]);
  }
  return Object.fromEntries(entries) as AiSdkTools<TTools>;
}

/**
 * Returns the tools, a `repairToolCall` and a `stopWhen`, to spread into the options of a run. With them, calls that the AI SDK refuses
 * before any tool runs (an unknown name, text that is no JSON) are answered by the toolbox too, the model reads the results and goes on
 * for up to `maxSteps`, and a run that repeats a failing call without end is stopped when the repeat breaker says so.
 *
 * @example
 * await generateText({ model, prompt, ...toRunOptions(toolbox) });
 */
export function toRunOptions<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: AiSdkOptions = {},
): { tools: AiSdkTools<TTools>; repairToolCall: AiSdkRepair; stopWhen: AiSdkStop } {
  const settings = readAdapterOptions('toRunOptions', toolbox, options, aiSdkOptions);
  const repairToolCall: AiSdkRepair = async ({ toolCall, tools, messages, error }) => {
    const toolName = respellName(toolCall.toolName, toolbox);
    // The application has another tool of this very name: its calls are not repaired here.
    if (toolName !== toolCall.toolName && Object.hasOwn(tools, toolCall.toolName)) return null;
    if (toolName !== undefined) return { ...toolCall, toolName, input: toSafeJson(toolCall.input) };
    const call = { name: toolCall.toolName, args: toolCall.input };
    // The signal is aborted, so that no tool runs here: only the failure is wanted.
    const facts = { callId: toolCall.toolCallId, run: runOf(messages), turn: undefined, signal: AbortSignal.abort() };
    const outcome = await answerHost(toolbox, adapter, settings, call, facts);
    // Keep the error of the SDK, but let its text say what the toolbox knows.
    const message = textFor(outcome, settings.dialect);
    Object.defineProperty(Object.assign(error, { message, outcome }), 'toString', { value: () => message });
    return null;
  };
  const { maxSteps = 20 } = settings;
  const stopWhen: AiSdkStop = ({ steps }) =>
    steps.length >= maxSteps || steps.at(-1)?.toolResults.some(({ output }) => stopsRun(output)) === true;
  return { tools: toTools(toolbox, settings), repairToolCall, stopWhen };
}

const adapter = 'ai-sdk';

function toTool(
  { description, inputSchema, examples, deferred, call }: HostTool,
  { showProgress, dialect }: AiSdkOptions,
): AiSdkTool<unknown, Outcome> {
  return {
    description,
    inputSchema: toSchema(inputSchema),
    ...(examples.length > 0 && { inputExamples: examples.map(({ input }) => ({ input })) }),
    ...(deferred === true && { deferLoading: true as const }),
    execute(input, host) {
      const args = fromCarried(input);
      // The SDK makes a list of messages for each step.
      const facts = { callId: host?.toolCallId, run: runOf(host?.messages), turn: host?.messages, signal: host?.abortSignal, host };
      return showProgress === true ? withProgress((onProgress) => call(args, { ...facts, onProgress })) : call(args, facts);
    },
    toModelOutput: ({ output }) => toModelOutput(output, dialect),
  };
}

/** Returns what the steps of one run have in common: the AI SDK hands the very message that began it to each of them. */
function runOf(messages: readonly unknown[] | undefined): object | undefined {
  const first = messages?.[0];
  return isObject(first) ? first : undefined;
}

/** Yields a pending outcome for every step, and the outcome itself at last. */
async function* withProgress(call: (onProgress: (progress: Progress) => void) => Promise<Outcome>): AsyncGenerator<Outcome> {
  const steps = followProgress(call);
  let step = await steps.next();
  while (step.done !== true) {
    yield toPending(step.value);
    step = await steps.next();
  }
  yield step.value;
}

function toPending({ message = 'Running', done, total }: Progress): Outcome {
  const share = done === undefined ? '' : ` ${done}${total === undefined ? '' : ` of ${total}`}`;
  const pending = { handle: '', reason: 'running' } as const;
  return { status: 'pending', pending, message: `${message}${share}`, meta: { tookMs: 0.001, attempts: 1 } };
}

/** Lets everything through, because the toolbox checks it and knows better what to say. */
function toSchema(jsonSchema: JsonObject): AiSdkSchema<unknown> {
  const accept = (value: unknown): unknown => (isRecord(value) ? value : JSON.parse(toCarried(JSON.stringify(value ?? null))));
  const own = {
    [Symbol.for('vercel.ai.schema')]: true,
    jsonSchema,
    validate: (value: unknown) => ({ success: true, value: accept(value) }),
  };
  return { ...own, '~standard': { version: 1, vendor: 'toolpact', validate: (value) => ({ value: accept(value) }) } };
}

/** Returns JSON text that the AI SDK takes: an object, without the keys it refuses. */
function toSafeJson(text: string): string {
  const carried = toCarried(text);
  return JSON.stringify(JSON.parse(carried, (key, value) => (key === '__proto__' || isPrototypeHolder(key, value) ? undefined : value)));
}

function isPrototypeHolder(key: string, value: unknown): boolean {
  return key === 'constructor' && isObject(value) && 'prototype' in value;
}
