import type { AnyTool } from '../../runtime/index.ts';
import {
  type AdapterOptions,
  adapterOptions,
  type CallableToolbox,
  hostTools,
  type ProviderName,
  readAdapterOptions,
  type ToolInput,
} from '../frameworks/host-tools.ts';
import { mendAdapter, type TanstackAdapter } from './mend-adapter.ts';
import { followRuns, type TanstackMiddleware } from './run.ts';
import { type TanstackTool, toTanstackTool } from './tool.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export type { TanstackMiddleware } from './run.ts';
export type { TanstackTool } from './tool.ts';

/** The tools of a toolbox, each under the name that models know it by. */
type TanstackTools<TTool extends AnyTool> = TTool extends AnyTool ? TanstackTool<ProviderName<TTool['name']>, ToolInput<TTool>> : never;

/**
 * Returns the tools of a toolbox for `chat` of TanStack AI: `chat({ adapter, messages, tools: toTools(toolbox) })`. A failure is thrown with the
 * text that the model reads, which is how TanStack AI flags it; the listeners of the toolbox get every outcome. It has no control-flow signals that a
 * tool could throw.
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: AdapterOptions = {},
): TanstackTools<TTools[number]>[] {
  const settings = readAdapterOptions('toTools', toolbox, options, adapterOptions);
  return hostTools(toolbox, 'tanstack-ai', settings).map((tool) => toTanstackTool(tool, settings.dialect)) as TanstackTools<
    TTools[number]
  >[];
}

/**
 * Returns the tools, the adapter of the model and a middleware, to spread into the options of `chat`. With them, calls that TanStack AI would not
 * bring to a tool are answered by the toolbox too (names that no tool has, spelled in another way or wrong, and arguments that are no JSON object), and a
 * run that repeats a failing call without end is stopped when the repeat breaker says so.
 *
 * @example
 * chat({ messages, ...toRunOptions(toolbox, openaiText('gpt-5.5')) });
 */
export function toRunOptions<TAdapter extends TanstackAdapter, const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  adapter: TAdapter,
  options: AdapterOptions = {},
): { adapter: TAdapter; tools: TanstackTools<TTools[number]>[]; middleware: TanstackMiddleware[] } {
  const settings = readAdapterOptions('toRunOptions', toolbox, options, adapterOptions);
  return { adapter: mendAdapter(adapter, toolbox, settings), tools: toTools(toolbox, settings), middleware: [followRuns] };
}
