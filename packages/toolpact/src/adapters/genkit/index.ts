import { type AdapterOptions, adapterOptions, type CallableToolbox, hostTools, readAdapterOptions } from '../frameworks/host-tools.ts';
import { type GenkitTool, toGenkitTool } from './tool.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type GenkitMiddleware, toMiddleware } from './middleware.ts';
export type { GenkitTool } from './tool.ts';

/**
 * Returns the tools of a toolbox for a Genkit generation: `ai.generate({ tools: toTools(toolbox), use: [toMiddleware(toolbox)] })`.
 * A handler interrupts through the host's context (`options.context: (host) => ({ app: host })`) or by throwing a
 * `ToolInterruptError`, and `restartTool` resumes it; every other end is an outcome, for the listeners of the toolbox in full, for the history as
 * `metadata.toolpact`, and for the model as `{ error }` if it failed.
 */
export function toTools(toolbox: CallableToolbox, options: AdapterOptions = {}): GenkitTool[] {
  const settings = readAdapterOptions('toTools', toolbox, options, adapterOptions);
  return hostTools(toolbox, 'genkit', settings).map((tool) => toGenkitTool(tool, settings.dialect));
}
