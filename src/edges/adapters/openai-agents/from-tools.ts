import type { ObjectSchema, RunContext } from '../../../core/contract/index.ts';
import { locateMisfit } from '../../../core/contract/index.ts';
import { isObject, isRecord } from '../../../core/json/index.ts';
import { fail, type JsonObject, type OptionNames, refuseOptions, ToolpactError } from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../../core/runtime/index.ts';
import { describedSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import type { AnyArguments, NameOf } from '../frameworks/foreign-tools.ts';
import { keptOutcome } from '../frameworks/kept-outcomes.ts';
import { settledResult } from '../frameworks/settled-result.ts';
import { fillNulls } from './arguments.ts';
import { readOutput, thrownBySdk, toldFailure } from './read-output.ts';

/** A function tool as `tool()` of the SDK makes it. */
export interface OpenaiAgentsToolLike {
  readonly name: string;
  readonly invoke: (...args: never) => Promise<unknown>;
}

/** What the SDK's tools do not say about themselves. */
export interface FromToolsOptions extends ForeignToolOptions {
  /**
   * Which tools need an approval: all of them, or by name. The SDK tells only while a call is under way. A call that needs one and is not named
   * here does not run. @default false
   */
  readonly approval?: boolean | Readonly<Record<string, boolean>>;
}

/** The tools as Toolpact has them, under the names they had. */
export type ToolsFrom<TTools extends readonly OpenaiAgentsToolLike[]> = readonly {
  readonly [TIndex in keyof TTools]: Tool<NameOf<TTools[TIndex]>, InputOf<TTools[TIndex]>, unknown, string, unknown>;
}[number][];

type InputOf<TTool> = TTool extends { readonly needsApproval: (context: never, input: infer TInput, ...rest: never) => unknown }
  ? TInput extends object
    ? TInput
    : AnyArguments
  : AnyArguments;

/**
 * Makes existing tools of the OpenAI Agents SDK Toolpact tools, for a toolbox. Make them with `errorFunction: null`: then what they throw is
 * classified. Without it the SDK answers in their place with a sentence that hides the cause, which is recognised as a failure of the kind
 * `internal`. Tools with guardrails are refused, because only a run of the SDK applies those.
 *
 * @example
 * createToolbox(fromTools([tool({ name: 'refund', errorFunction: null, … })]));
 */
export function fromTools<const TTools extends readonly OpenaiAgentsToolLike[]>(
  tools: TTools,
  options: FromToolsOptions = {},
): ToolsFrom<TTools> {
  const names: OptionNames<FromToolsOptions> = { ...foreignToolOptions, approval: true };
  refuseOptions<FromToolsOptions>('fromTools', options, names);
  if (!Array.isArray(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an array of tools', { argument: 'tools' });
  return tools.map((given): AnyTool => {
    const tool = given as Runnable;
    checkTool(tool);
    const { name, description, parameters, outputSchema } = tool;
    const isApproved = isRecord(options.approval) ? options.approval[name] === true : options.approval === true;
    return defineTool({
      name,
      description: description || name,
      input: toSchema(parameters),
      ...(outputSchema !== undefined && { output: toSchema(outputSchema) }),
      ...statedFor(name, options),
      ...(isApproved && { approval: true }),
      run: async (input, context) => {
        const runContext = toRunContext(context.app);
        const refused = await refusedCall(tool, input, runContext, context, isApproved);
        if (refused !== undefined) return refused;
        const { callId = context.invocationId, signal } = context;
        const args = JSON.stringify(input);
        const toolCall = { type: 'function_call', callId, name, arguments: args, status: 'in_progress' };
        const details = { toolCall, signal };
        const output = await tool.invoke(runContext, args, details).catch((thrown: unknown) => {
          throw thrownBySdk(thrown);
        });
        return settledResult(keptOutcome(details) ?? output, options) ?? toldFailure(output, tool) ?? readOutput(output);
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Runnable extends Pick<OpenaiAgentsToolLike, 'name'> {
  readonly type?: string;
  readonly description?: string;
  readonly parameters: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly invoke: (runContext: unknown, input: string, details: object) => Promise<unknown>;
  readonly needsApproval?: (runContext: unknown, input: unknown, callId: string | undefined) => unknown;
  readonly isEnabled?: (runContext: unknown, agent: unknown) => unknown;
  readonly inputGuardrails?: readonly unknown[];
  readonly outputGuardrails?: readonly unknown[];
  readonly timeoutMs?: number;
  readonly timeoutErrorFunction?: unknown;
}

function checkTool(tool: Runnable): void {
  if (typeof tool?.invoke !== 'function' || !isObject(tool.parameters))
    throw new ToolpactError('invalid_argument', 'fromTools takes function tools of the OpenAI Agents SDK', { argument: 'tools' });
  const { name, inputGuardrails = [], outputGuardrails = [] } = tool;
  if (inputGuardrails.length + outputGuardrails.length > 0)
    throw new ToolpactError('invalid_argument', `the tool "${name}" has guardrails, which only a run of its SDK applies`, { tool: name });
}

/** Describes arguments or results. In strict mode optional fields are required and may be null; a value may leave them out nevertheless. */
function toSchema(schema: JsonObject): ObjectSchema {
  return describedSchema(
    'openai-agents',
    () => schema,
    (value) => {
      const misfit = locateMisfit(schema, fillNulls(value, schema));
      return misfit === undefined ? { value } : { issues: [misfit] };
    },
  );
}

/** The tool finds the `app` of the call as the context of its run; what a run of the SDK gave as `app` is passed on. */
function toRunContext(app: unknown): object {
  return isRecord(app) && 'context' in app && 'usage' in app ? app : { context: app };
}

/** Asks a tool what a run of the SDK asks it before each call. */
async function refusedCall(
  { needsApproval, isEnabled }: Runnable,
  input: unknown,
  runContext: object,
  { callId }: RunContext,
  isApproved: boolean,
): Promise<ReturnType<typeof fail> | undefined> {
  if (isEnabled !== undefined && (await isEnabled(runContext, undefined)) === false)
    return fail('unknown_tool', 'The tool is not enabled for this call, so it did not run.', { effect: 'none' });
  if (!isApproved && needsApproval !== undefined && (await needsApproval(runContext, input, callId)) !== false)
    return fail('not_configured', 'The call needs an approval, and nothing here asks for one, so it did not run.', { effect: 'none' });
  return undefined;
}
