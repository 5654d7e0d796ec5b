import type { Outcome } from '../../core/outcome/index.ts';
import type { AnyTool, Tool } from '../../core/runtime/index.ts';
import { type AdapterOptions, type CallableToolbox, hostTools, type ProviderName } from './host-tools.ts';
import { type MastraTool, toMastraTool } from './mastra-tool.ts';

export type { AdapterOptions } from './host-tools.ts';
export { answerLostCalls, type MastraProcessor, type MastraStep } from './mastra-lost-calls.ts';
export type { MastraModelOutput, MastraPart, MastraTool, MastraToolContext } from './mastra-tool.ts';

/** The tools of a toolbox by the names that models know them by. */
export type MastraTools<TTools extends readonly AnyTool[]> = {
  [TTool in TTools[number] as ProviderName<TTool['name']>]: MastraTool<ProviderName<TTool['name']>, InputOf<TTool>, OutcomeOf<TTool>>;
};

type InputOf<TTool> = TTool extends Tool<string, infer TInput, unknown, string, never> ? TInput : never;
type OutcomeOf<TTool> = TTool extends { readonly call: (...args: never) => Promise<infer TOutcome extends Outcome> } ? TOutcome : never;

/**
 * Gives the tools of a toolbox to a Mastra agent: `new Agent({ tools: toTools(toolbox), inputProcessors: [answerLostCalls(toolbox)] })`.
 * A handler suspends its run through the host's context (`options.context: (host) => ({ app: host })`) and then returns `pending`;
 * every other end is an outcome, in the step's tool result as well as for `options.onOutcome`.
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: AdapterOptions = {},
): MastraTools<TTools> {
  const tools = hostTools(toolbox, 'mastra', options).map((tool) => [tool.name, toMastraTool(tool)]);
  return Object.fromEntries(tools) as MastraTools<TTools>;
}
