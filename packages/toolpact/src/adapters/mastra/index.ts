import type { AnyTool } from '../../runtime/index.ts';
import {
  type AdapterOptions,
  adapterOptions,
  type CallableToolbox,
  hostTools,
  type ProviderName,
  readAdapterOptions,
  type ToolInput,
  type ToolOutcome,
} from '../frameworks/host-tools.ts';
import { type MastraTool, toMastraTool } from './tool.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type MastraProcessor, toInputProcessor } from './input-processor.ts';
export type { MastraTool } from './tool.ts';

/** The tools of a toolbox by the names that models know them by. */
type MastraTools<TTools extends readonly AnyTool[]> = {
  [TTool in TTools[number] as ProviderName<TTool['name']>]: MastraTool<ProviderName<TTool['name']>, ToolInput<TTool>, ToolOutcome<TTool>>;
};

/**
 * Returns the tools of a toolbox for a Mastra agent: `new Agent({ tools: toTools(toolbox), inputProcessors: [toInputProcessor(toolbox)] })`.
 * A handler suspends its run through the host's context (`options.context: (host) => ({ app: host })`) and then returns `pending`;
 * every other end is an outcome, in the step's tool result as well as for the listeners of the toolbox.
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: AdapterOptions = {},
): MastraTools<TTools> {
  const settings = readAdapterOptions('toTools', toolbox, options, adapterOptions);
  const tools = hostTools(toolbox, 'mastra', settings).map((tool) => [tool.name, toMastraTool(tool, settings.dialect)]);
  return Object.fromEntries(tools) as MastraTools<TTools>;
}
