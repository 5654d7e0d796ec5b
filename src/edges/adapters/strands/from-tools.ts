import type { ObjectSchema, RunContext, StandardSchemaV1 } from '../../../core/contract/index.ts';
import { isObject } from '../../../core/json/index.ts';
import { type JsonObject, refuseOptions, ToolpactError, toReadFailure } from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../../core/runtime/index.ts';
import { describedSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import type { AnyArguments, NameOf } from '../frameworks/foreign-tools.ts';
import { settledResult } from '../frameworks/settled-result.ts';
import { stepProgress } from '../frameworks/step-progress.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';
import { withoutHost } from '../frameworks/without-host.ts';
import { readContent } from './read-content.ts';

/** A tool as Strands' `tool()` or a class of its `Tool` makes it. */
export interface StrandsToolLike {
  readonly stream: (...args: never) => AsyncIterator<unknown, unknown, undefined>;
}

/** The tools as Toolpact has them, under the names they had. */
export type ToolsFrom<TTools extends readonly StrandsToolLike[]> = readonly {
  readonly [TIndex in keyof TTools]: Tool<NameOf<TTools[TIndex]>, InputOf<TTools[TIndex]>, unknown, string, unknown>;
}[number][];

type InputOf<TTool> = TTool extends { readonly invoke: (input: infer TInput, ...rest: never) => unknown }
  ? unknown extends TInput
    ? AnyArguments
    : TInput
  : AnyArguments;

/**
 * Makes existing Strands tools Toolpact tools, for a toolbox. What they throw is classified, wrong arguments are `invalid_input`, what they
 * yield is progress, and content blocks stay blocks. A tool that interrupts its agent is `unsupported`, unless the context of a Strands run is the
 * `app` of the call.
 *
 * @example
 * createToolbox(fromTools([calculator, search]));
 */
export function fromTools<const TTools extends readonly StrandsToolLike[]>(
  tools: TTools,
  options: ForeignToolOptions = {},
): ToolsFrom<TTools> {
  refuseOptions<ForeignToolOptions>('fromTools', options, foreignToolOptions);
  if (!Array.isArray(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an array of tools', { argument: 'tools' });
  return tools.map((given): AnyTool => {
    const tool = given as Runnable;
    if (!isObject(tool) || !isObject(tool.toolSpec))
      throw new ToolpactError('invalid_argument', 'fromTools takes tools of Strands, with a `toolSpec`', { argument: 'tools' });
    const { name, description } = tool.toolSpec;
    return defineTool({
      name,
      description: description || name,
      input: toInput(tool),
      ...statedFor(name, options),
      run: async (input, context) => {
        const report = (step: unknown): void => context.progress(stepProgress(step));
        const host = toHostContext(name, input, context);
        const result = await (tool.invoke === undefined ? readStream(tool, host, report) : callBack(tool, input, host, report));
        return settledResult(result, options) ?? readContent(result);
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Runnable {
  readonly toolSpec: { readonly name: string; readonly description?: string; readonly inputSchema?: JsonObject };
  readonly stream: (context: object) => AsyncIterator<{ readonly data?: unknown }, Result, undefined>;
  readonly invoke?: (input: unknown, context: object) => Promise<unknown>;
  readonly _callback?: (...args: unknown[]) => unknown;
  readonly _inputSchema?: StandardSchemaV1 & { readonly _zod?: { readonly def?: { readonly type?: string } } };
}

interface Result {
  readonly status?: string;
  readonly content?: readonly unknown[];
  readonly error?: unknown;
}

/** Describes the arguments. A tool with a zod schema is stricter or more lenient than the JSON Schema it shows, so it is asked itself. */
function toInput({ toolSpec, _inputSchema: own }: Runnable): ObjectSchema {
  const describe = (): Record<string, unknown> => toolSpec.inputSchema ?? { type: 'object' };
  const standard = own?._zod?.def?.type === 'void' ? undefined : own?.['~standard'];
  return describedSchema('strands', describe, standard && ((value) => standard.validate(value)));
}

/** Gives what Strands hands to its tools. What a run of Strands gave, as the `app` of the call, is passed on. */
function toHostContext(name: string, input: unknown, { app, callId, invocationId, signal: cancelSignal }: RunContext): object {
  const interrupt = (): never => {
    throw withoutHost('an interrupt', 'Strands');
  };
  const toolUse = { name, toolUseId: callId ?? invocationId, input };
  return { interrupt, invocationState: {}, ...(isObject(app) && app), toolUse, cancelSignal };
}

/** Calls a tool for what its callback gives or throws: of that, the result that Strands writes for a model says less. */
async function callBack(tool: Runnable, input: unknown, host: object, report: (step: unknown) => void): Promise<unknown> {
  const { _callback, invoke } = tool;
  if (_callback === undefined) return invoke?.call(tool, input, host);
  const seen = Object.create(tool, {
    _callback: {
      value: (...args: unknown[]) => {
        const given = _callback.apply(tool, args);
        return isObject(given) && Symbol.asyncIterator in given ? reporting(given as AsyncGenerator<unknown, unknown>, report) : given;
      },
    },
  }) as Runnable;
  return invoke?.call(seen, input, host);
}

async function* reporting(steps: AsyncGenerator<unknown, unknown>, report: (step: unknown) => void): AsyncGenerator<unknown, unknown> {
  let step = await steps.next();
  while (step.done !== true) {
    report(step.value);
    yield step.value;
    step = await steps.next();
  }
  return step.value;
}

/** Calls a tool that can only be streamed, and reads its result. */
async function readStream(tool: Runnable, host: object, report: (step: unknown) => void): Promise<unknown> {
  const events = tool.stream(host);
  let event = await events.next();
  while (event.done !== true) {
    report(event.value.data);
    event = await events.next();
  }
  const result = event.value;
  const settled = settledResult(result, {});
  if (settled !== undefined) return settled;
  const { status, content, error } = result;
  if (status !== 'error') return content?.length === 0 ? undefined : content;
  if (error !== undefined) throw error;
  const read = readContent(content);
  const text = toPlainText(isObject(read) && 'data' in read ? read.data : read);
  return toReadFailure(new Error(text), text);
}
