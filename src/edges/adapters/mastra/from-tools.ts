import type { RunContext } from '../../../core/contract/index.ts';
import { isRecord } from '../../../core/json/index.ts';
import { ok, pending, type Reply, refuseOptions, ToolpactError } from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool } from '../../../core/runtime/index.ts';
import { approvalFrom, type NeedsApproval } from '../frameworks/approval-from.ts';
import { acceptAny, describedSchema, foreignSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import type { ToolsOfRecord } from '../frameworks/foreign-tools.ts';
import { type ModelOutput, readModelOutput } from '../frameworks/read-model-output.ts';
import { settledResult } from '../frameworks/settled-result.ts';
import { stepProgress } from '../frameworks/step-progress.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';
import { withoutHost } from '../frameworks/without-host.ts';
import { refusedValue } from './refused-values.ts';
import { mark } from './tool.ts';

/** A tool as Mastra's `createTool` makes it. */
export interface MastraToolLike {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly execute?: ((...args: never) => unknown) | undefined;
  readonly toModelOutput?: ((...args: never) => unknown) | undefined;
  readonly requireApproval?: boolean | ((...args: never) => unknown) | undefined;
}

/** The tools as Toolpact has them, under the names they had. */
export type ToolsFrom<TTools extends Readonly<Record<string, MastraToolLike>>> = ToolsOfRecord<TTools>;

/**
 * Makes existing Mastra tools Toolpact tools, for a toolbox. What they throw is classified, the objects by which Mastra refuses arguments and
 * results are failures, `toModelOutput` is what models read, and `requireApproval` becomes an approval, which needs the guard `approvals`. A tool
 * that suspends is `unsupported`, unless the context of a Mastra run is the `app` of the call.
 *
 * @example
 * createToolbox(fromTools({ weather, refund }));
 */
export function fromTools<const TTools extends Readonly<Record<string, MastraToolLike>>>(
  tools: TTools,
  options: ForeignToolOptions = {},
): ToolsFrom<TTools> {
  refuseOptions<ForeignToolOptions>('fromTools', options, foreignToolOptions);
  if (!isRecord(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an object of tools', { argument: 'tools' });
  return Object.entries(tools).map(([name, given]): AnyTool => {
    const tool = given as Executable;
    const { description, inputSchema, outputSchema, requireApproval, needsApprovalFn = requireApproval } = tool;
    if (typeof tool.execute !== 'function')
      throw new ToolpactError('invalid_argument', `the tool "${name}" has no \`execute\`: it runs where its caller is`, { tool: name });
    return defineTool({
      name,
      description: typeof description === 'string' ? description : name,
      ...(inputSchema !== undefined && { input: foreignSchema('mastra', name, inputSchema) }),
      ...(outputSchema !== undefined && { output: toOutput(name, tool) }),
      ...statedFor(name, options),
      ...approvalFrom(needsApprovalFn),
      run: async (input, context) => {
        const suspension = { isAsked: false };
        const result = await tool.execute?.(input, toHostContext(context, suspension));
        if (suspension.isAsked) return pending({ handle: context.callId ?? context.invocationId, reason: 'host' });
        return refusedValue(result) ?? settledResult(result, options) ?? shown(tool, result);
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Executable extends Pick<MastraToolLike, 'description' | 'inputSchema' | 'outputSchema'> {
  readonly [mark]?: boolean;
  readonly execute?: (input: unknown, context: object) => unknown;
  readonly toModelOutput?: ((output: unknown) => unknown) | undefined;
  readonly requireApproval?: NeedsApproval;
  /** Where it is set, Mastra asks it instead. */
  readonly needsApprovalFn?: NeedsApproval;
}

/** A tool that `createTool` made has checked its result, and may have transformed it. */
function toOutput(name: string, { [mark]: isMade = false, outputSchema }: Executable): ReturnType<typeof foreignSchema> {
  const schema = foreignSchema('mastra', name, outputSchema, 'output');
  const { jsonSchema } = schema['~standard'];
  return isMade && jsonSchema !== undefined ? describedSchema('mastra', jsonSchema.output, acceptAny) : schema;
}

/** Gives what Mastra hands to its tools. What a run of Mastra gave, as the `app` of the call, is passed on. */
function toHostContext({ app, callId, invocationId, signal, progress }: RunContext, suspension: { isAsked: boolean }): object {
  const host = isRecord(app) ? app : {};
  const agent = isRecord(host.agent) ? host.agent : {};
  const report = async (data: unknown): Promise<void> => progress(stepProgress(data));
  const suspendBy = (own: unknown) => (payload: unknown, choices?: unknown) => {
    // A tool that goes on as if it had been suspended could do what has not been allowed yet.
    if (typeof own !== 'function') throw withoutHost('a suspension', 'Mastra');
    suspension.isAsked = true;
    return own(payload, choices) as unknown;
  };
  return {
    observe: unobserved,
    ...host,
    abortSignal: signal,
    writer: Object.assign(new WritableStream({ write: report }), { write: report, custom: report }),
    suspend: suspendBy(host.suspend),
    agent: { agentId: '', messages: [], ...agent, toolCallId: callId ?? invocationId, suspend: suspendBy(agent.suspend ?? host.suspend) },
  };
}

const unobserved = { span: async (_: string, run: () => unknown) => run(), log: () => undefined };

/** Gives a result together with what the tool wants a model to read of it. */
async function shown(tool: Executable, result: unknown): Promise<unknown> {
  if (tool.toModelOutput === undefined || result === undefined || result === null) return result;
  const output = await tool.toModelOutput(result);
  if (output === undefined || output === null) return result;
  return isRecord(output) && typeof output.type === 'string'
    ? readModelOutput(result, output as unknown as ModelOutput)
    : asText(result, output);
}

function asText(result: unknown, output: unknown): Reply<unknown> {
  return ok(result, { content: [{ type: 'text', text: toPlainText(output) }] });
}
