import { type AdapterOptions, adapterOptions, type CallableToolbox, hostTools, readAdapterOptions } from '../frameworks/host-tools.ts';
import { type StrandsTool, toStrandsTool } from './tool.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type StrandsPlugin, type StrandsPluginOptions, toPlugin } from './plugin.ts';
export type { StrandsTool } from './tool.ts';

/**
 * Returns the tools of a toolbox for a Strands agent: `new Agent({ tools: toTools(toolbox), plugins: [toPlugin(toolbox)] })`.
 * A handler interrupts the agent through the host's context (`options.context: (host) => ({ app: host })`), and only its
 * `InterruptError` is thrown; every other end is an outcome, for the listeners of the toolbox in full and for hooks as the `error` of the result.
 */
export function toTools(toolbox: CallableToolbox, options: AdapterOptions = {}): StrandsTool[] {
  const settings = readAdapterOptions('toTools', toolbox, options, adapterOptions);
  return hostTools(toolbox, 'strands', settings).map((tool) => toStrandsTool(tool, settings.dialect));
}
