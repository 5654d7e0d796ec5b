import type { ObjectSchema, RunContext, StandardSchemaV1 } from '../../../core/contract/index.ts';
import { isObject, isRecord } from '../../../core/json/index.ts';
import { pending, refuseOptions, ToolpactError } from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../../core/runtime/index.ts';
import { approvalFrom, type NeedsApproval } from '../frameworks/approval-from.ts';
import { describedSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import type { AnyArguments, NameOf } from '../frameworks/foreign-tools.ts';
import { overlay } from '../frameworks/overlay.ts';
import { settledResult } from '../frameworks/settled-result.ts';
import { withoutHost } from '../frameworks/without-host.ts';
import { fromGeminiSchema } from './gemini-schema.ts';

/** A tool of ADK: a `FunctionTool`, or any other `BaseTool` that runs here. */
export interface AdkToolLike {
  readonly name: string;
  readonly runAsync: (...args: never) => Promise<unknown>;
  readonly _getDeclaration: () => object | undefined;
}

/** The tools as Toolpact has them. ADK keeps the types of their arguments to itself. */
export type ToolsFrom<TTools extends readonly AdkToolLike[]> = readonly {
  readonly [TIndex in keyof TTools]: Tool<NameOf<TTools[TIndex]>, AnyArguments, unknown, string, unknown>;
}[number][];

/**
 * Makes existing ADK tools Toolpact tools, for a toolbox. What `execute` throws is classified, wrong arguments are `invalid_input`, and
 * `requireConfirmation` becomes an approval, which needs the guard `approvals`. Session state, artifacts, credentials and confirmations that a tool
 * asks for itself are there where the context of an ADK run is the `app` of the call.
 *
 * @example
 * createToolbox(fromTools([weather, refund]));
 */
export function fromTools<const TTools extends readonly AdkToolLike[]>(tools: TTools, options: ForeignToolOptions = {}): ToolsFrom<TTools> {
  refuseOptions<ForeignToolOptions>('fromTools', options, foreignToolOptions);
  if (!Array.isArray(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an array of tools', { argument: 'tools' });
  return tools.map((given): AnyTool => {
    const tool = given as Runnable;
    if (typeof tool?.runAsync !== 'function' || typeof tool._getDeclaration !== 'function')
      throw new ToolpactError('invalid_argument', 'fromTools takes tools of ADK, with `runAsync`', { argument: 'tools' });
    const { name, requireConfirmation } = tool;
    const declaration = tool._getDeclaration();
    if (declaration === undefined)
      throw new ToolpactError('invalid_argument', `the tool "${name}" has no declaration: it runs inside the model`, { tool: name });
    return defineTool({
      name,
      description: declaration.description || tool.description || name,
      input: toInput(tool, declaration),
      ...statedFor(name, options),
      ...approvalFrom(requireConfirmation),
      run: async (args, context) => {
        const result = await runSeen(tool, { args, toolContext: toHostContext(context) });
        // A long operation without a result has only begun.
        if (result === undefined && tool.isLongRunning === true)
          return pending({ handle: context.callId ?? context.invocationId, reason: 'running' });
        return settledResult(result, options) ?? result;
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

interface Runnable {
  readonly name: string;
  readonly description?: string;
  readonly isLongRunning?: boolean;
  readonly runAsync: (request: object) => Promise<unknown>;
  readonly _getDeclaration: () => Declaration | undefined;
  // What a `FunctionTool` is made of.
  readonly execute?: (...args: unknown[]) => unknown;
  readonly parameters?: unknown;
  readonly requireConfirmation?: NeedsApproval;
}

interface Declaration {
  readonly description?: string;
  readonly parameters?: unknown;
  readonly parametersJsonSchema?: unknown;
}

/** Describes the arguments, by the tool's own schema if that can be exported, or else by what a model is shown. */
function toInput({ parameters: own }: Runnable, { parameters = {}, parametersJsonSchema }: Declaration): ObjectSchema {
  const shown = isRecord(parametersJsonSchema) ? parametersJsonSchema : fromGeminiSchema(isRecord(parameters) ? parameters : {});
  const standard = isObject(own) ? (own as Partial<StandardSchemaV1>)['~standard'] : undefined;
  const describe = standard?.jsonSchema?.input ?? ((): Record<string, unknown> => ({ type: 'object', ...shown }));
  return describedSchema('adk', describe, standard && ((value) => standard.validate(value)));
}

/** Runs a tool and sees what its function throws: ADK makes another error of it, which has the message alone. */
async function runSeen(tool: Runnable, request: object): Promise<unknown> {
  const { execute, runAsync } = tool;
  if (execute === undefined) return runAsync.call(tool, request);
  let failed: { readonly thrown: unknown } | undefined;
  const seen = Object.create(tool, {
    // A call that needs a confirmation has its approval by now.
    requireConfirmation: { value: false },
    execute: {
      value: async (...args: unknown[]) => {
        try {
          return await execute.apply(tool, args);
        } catch (thrown) {
          failed = { thrown };
          throw thrown;
        }
      },
    },
  }) as Runnable;
  try {
    return await runAsync.call(seen, request);
  } catch (thrown) {
    throw failed === undefined ? thrown : (failed as { readonly thrown: unknown }).thrown;
  }
}

/** Gives what ADK hands to its tools. What a run of ADK gave, as the `app` of the call, is passed on. */
function toHostContext({ app, callId, invocationId, signal: abortSignal }: RunContext): object {
  const own = { functionCallId: callId ?? invocationId, abortSignal };
  return isObject(app) ? overlay<object>(app, own) : { ...without, actions: {}, ...own };
}

const without = {
  requestConfirmation: (): never => {
    throw withoutHost('a confirmation', 'ADK');
  },
  requestCredential: (): never => {
    throw withoutHost('a credential', 'ADK');
  },
};
