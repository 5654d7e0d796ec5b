import type { ObjectSchema } from '../../contract/index.ts';
import { isObject } from '../../json/index.ts';
import { isOutcome, type Outcome, refuseOptions, ToolpactError, toReply } from '../../outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../runtime/index.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import { returnedFailure } from '../frameworks/returned-failure.ts';
import { approvalFrom, type NeedsApproval } from './approval-from.ts';
import { type ModelOutput, readModelOutput } from './read-model-output.ts';
import { toStandardSchema } from './standard-schema.ts';
import { stepProgress } from './step-progress.ts';

/** A tool as the AI SDK's `tool()` makes it. */
export type AiSdkToolLike = {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly execute?: ((...args: never) => unknown) | undefined;
  readonly toModelOutput?: ((...args: never) => unknown) | undefined;
  readonly needsApproval?: boolean | ((...args: never) => unknown) | undefined;
};

/** The tools as Toolpact has them, under the names they had, with the types of their arguments and results. */
export type ToolsFrom<TTools extends Readonly<Record<string, AiSdkToolLike>>> = readonly {
  readonly [TName in Extract<keyof TTools, string>]: Tool<
    TName,
    ExecutedInput<TTools[TName]>,
    ExecutedOutput<TTools[TName]>,
    string,
    unknown
  >;
}[Extract<keyof TTools, string>][];

type ExecutedInput<TTool> = TTool extends { readonly execute?: ((input: infer TInput, ...rest: never) => unknown) | undefined }
  ? TInput
  : never;

type ExecutedOutput<TTool> = TTool extends { readonly execute?: ((...args: never) => infer TReturned) | undefined }
  ? DataOf<LastOf<TReturned>>
  : unknown;

/** A tool may answer at once, later, or with what it has so far. */
type LastOf<TReturned> = TReturned extends AsyncIterable<infer TStep> ? TStep : Awaited<TReturned>;

/** The data of an outcome, where the tool is one of ours that went through the AI SDK. */
type DataOf<TOutput> = [TOutput] extends [Outcome<infer TData>] ? TData : TOutput;

/**
 * Turns existing AI SDK tools into Toolpact tools, for a toolbox. What they throw is classified, their output schema is enforced, and what
 * their `toModelOutput` says is what models read, and `needsApproval` becomes an approval, which needs the guard `approvals`. A tool without
 * `execute` cannot run here and throws at once.
 */
export function fromTools<const TTools extends Readonly<Record<string, AiSdkToolLike>>>(
  tools: TTools,
  options: ForeignToolOptions = {},
): ToolsFrom<TTools> {
  refuseOptions<ForeignToolOptions>('fromTools', options, foreignToolOptions);
  if (!isObject(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an object of tools', { argument: 'tools' });
  return Object.entries(tools).map(([name, tool]): AnyTool => {
    const { execute, description, inputSchema, outputSchema, needsApproval } = tool as Executable;
    if (typeof execute !== 'function')
      throw new ToolpactError('invalid_argument', `the tool "${name}" has no \`execute\`: its caller runs it`, { tool: name });
    return defineTool({
      name,
      description: typeof description === 'string' ? description : name,
      ...(inputSchema !== undefined && { input: toStandardSchema(name, inputSchema) as ObjectSchema }),
      ...(outputSchema !== undefined && { output: toStandardSchema(name, outputSchema) }),
      ...statedFor(name, options),
      ...approvalFrom(needsApproval, { toolCallId: '', messages: [] }),
      run: async (input, { callId = '', signal, progress, app }) => {
        const host = { toolCallId: callId, messages: [], abortSignal: signal, context: app };
        const output = await lastOf(execute.call(tool, input, host), (step) => progress(stepProgress(step)));
        // The outcome of a tool of ours that went through the AI SDK.
        if (isOutcome(output)) return toReply(output);
        const failure = options.returnsErrors === true ? returnedFailure(output) : undefined;
        if (failure !== undefined) return failure;
        const modelOutput = await (tool as Executable).toModelOutput?.({ toolCallId: callId, input, output });
        return modelOutput === undefined ? output : readModelOutput(output, modelOutput);
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Executable extends Pick<AiSdkToolLike, 'description' | 'inputSchema' | 'outputSchema'> {
  readonly execute?: (input: unknown, options: object) => unknown;
  readonly toModelOutput?: (options: object) => ModelOutput | PromiseLike<ModelOutput>;
  readonly needsApproval?: NeedsApproval;
}

/** A tool may yield what it has so far; the last of it is its result. */
async function lastOf(returned: unknown, onStep: (step: unknown) => void): Promise<unknown> {
  if (!isObject(returned) || !(Symbol.asyncIterator in returned)) return returned;
  let last: unknown;
  let steps = 0;
  for await (const step of returned as AsyncIterable<unknown>) {
    if (steps > 0) onStep(last);
    last = step;
    steps += 1;
  }
  return last;
}
