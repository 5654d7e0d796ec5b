import type { ObjectSchema, RunContext } from '../../../core/contract/index.ts';
import { isRecord } from '../../../core/json/index.ts';
import { type Content, type OptionNames, ok, refuseOptions, ToolpactError } from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../../core/runtime/index.ts';
import { acceptAny, describedSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import type { AnyArguments } from '../frameworks/foreign-tools.ts';
import { settledResult } from '../frameworks/settled-result.ts';
import { stepProgress } from '../frameworks/step-progress.ts';
import { toUrlBlock } from '../frameworks/to-file-block.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';
import { thrownByGenkit } from './thrown-by-genkit.ts';

/** A tool as `ai.defineTool` or `ai.dynamicTool` of Genkit makes it. */
export interface GenkitToolLike {
  (...args: never): Promise<unknown>;
  readonly run: (...args: never) => Promise<unknown>;
}

/** What Genkit's tools do not say about themselves. */
export interface FromToolsOptions extends ForeignToolOptions {
  /** Gives the JSON Schema of a tool's zod schema: `toJsonSchema` of `genkit/schema`. Tools with an `inputJsonSchema` do without. */
  readonly toJsonSchema?: (given: { readonly schema: never }) => unknown;
}

/** The tools as Toolpact has them. */
export type ToolsFrom<TTools extends readonly GenkitToolLike[]> = readonly {
  readonly [TIndex in keyof TTools]: Tool<string, InputOf<TTools[TIndex]>, unknown, string, unknown>;
}[number][];

type InputOf<TTool> = TTool extends (input?: infer TInput, ...rest: never) => unknown
  ? unknown extends TInput
    ? AnyArguments
    : TInput
  : AnyArguments;

/**
 * Makes existing Genkit tools Toolpact tools, for a toolbox. What they throw is classified, arguments and results that Genkit refuses are
 * `invalid_input` and `invalid_output`, chunks are progress, and the parts of a multipart tool stay blocks. A tool that interrupts is `unsupported`,
 * unless a generation of Genkit calls it.
 *
 * @example
 * createToolbox(fromTools([weather, refund], { toJsonSchema })); // import { toJsonSchema } from 'genkit/schema'
 */
export function fromTools<const TTools extends readonly GenkitToolLike[]>(
  tools: TTools,
  options: FromToolsOptions = {},
): ToolsFrom<TTools> {
  const names: OptionNames<FromToolsOptions> = { ...foreignToolOptions, toJsonSchema: true };
  refuseOptions<FromToolsOptions>('fromTools', options, names);
  if (!Array.isArray(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an array of tools', { argument: 'tools' });
  return tools.map((given): AnyTool => {
    const tool = given as unknown as Runnable;
    if (typeof tool?.run !== 'function' || !isRecord(tool.__action))
      throw new ToolpactError('invalid_argument', 'fromTools takes tools of Genkit, with `__action`', { argument: 'tools' });
    const { name: key, description, metadata } = tool.__action;
    // A model knows a tool by what follows the name of its plugin.
    const name = key.slice(key.lastIndexOf('/') + 1);
    const isMultipart = metadata?.type === 'tool.v2';
    return defineTool({
      name,
      description: description || name,
      input: toInput(name, tool, options),
      ...(!isMultipart && toOutput(tool, options)),
      ...statedFor(name, options),
      run: async (input, context) => {
        let hasBegun = false;
        const onTraceStart = (): void => {
          hasBegun = true;
        };
        try {
          const { result } = await tool.run(input, { ...toHostCall(name, input, context), onTraceStart });
          return settledResult(result, options) ?? (isMultipart ? readParts(result) : result);
        } catch (thrown) {
          throw thrownByGenkit(thrown, hasBegun);
        }
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Runnable {
  readonly run: (input: unknown, call: object) => Promise<{ readonly result: unknown }>;
  readonly __action: {
    readonly name: string;
    readonly description?: string;
    readonly metadata?: { readonly type?: unknown };
    readonly inputSchema?: unknown;
    readonly inputJsonSchema?: unknown;
    readonly outputSchema?: unknown;
    readonly outputJsonSchema?: unknown;
  };
}

function toInput(tool: string, { __action: { inputSchema, inputJsonSchema } }: Runnable, options: FromToolsOptions): ObjectSchema {
  const schema =
    inputSchema === undefined && inputJsonSchema === undefined ? { type: 'object' } : describe(inputJsonSchema, inputSchema, options);
  if (schema === undefined)
    throw new ToolpactError(
      'invalid_schema',
      `the schema of the tool "${tool}" carries no JSON Schema; give \`toJsonSchema\` of genkit/schema`,
      { tool },
    );
  if (schema.type !== undefined && schema.type !== 'object')
    throw new ToolpactError('invalid_schema', `the tool "${tool}" takes no object as its arguments`, { tool });
  return describedSchema('genkit', () => schema);
}

/** Genkit has checked a result by then. */
function toOutput(
  { __action: { outputSchema, outputJsonSchema } }: Runnable,
  options: FromToolsOptions,
): { readonly output?: ObjectSchema } {
  const schema = describe(outputJsonSchema, outputSchema, options);
  return schema === undefined ? {} : { output: describedSchema('genkit', () => schema, acceptAny) };
}

function describe(json: unknown, schema: unknown, { toJsonSchema }: FromToolsOptions): Record<string, unknown> | undefined {
  const described = json ?? (schema === undefined ? undefined : toJsonSchema?.({ schema: schema as never }));
  return isRecord(described) ? described : undefined;
}

/** Gives what Genkit says about a call. What a generation of Genkit said, as the `app` of the call, is passed on. */
function toHostCall(name: string, input: unknown, { app, callId, invocationId, signal, progress }: RunContext): object {
  const isHost = isRecord(app) && 'toolRequest' in app;
  return {
    ...(isHost ? app : { context: isRecord(app) ? app : {} }),
    toolRequest: { name, ref: callId ?? invocationId, input },
    abortSignal: signal,
    onChunk: (chunk: unknown) => progress(stepProgress(chunk)),
  };
}

/** Reads the result of a multipart tool: its output is the data, and all of it is for the model. */
function readParts(result: unknown): unknown {
  const { output, content } = isRecord(result) ? result : {};
  if (!Array.isArray(content) || content.length === 0) return output;
  const blocks = content.filter(isRecord).map(toBlock);
  return ok(output, { content: output === undefined ? blocks : [{ type: 'text', text: toPlainText(output) }, ...blocks] });
}

function toBlock(part: Readonly<Record<string, unknown>>): Content {
  const { text, media } = part;
  if (typeof text === 'string') return { type: 'text', text };
  if (isRecord(media) && typeof media.url === 'string') return toUrlBlock(media.url, media.contentType);
  return { type: 'text', text: toPlainText(part) };
}
