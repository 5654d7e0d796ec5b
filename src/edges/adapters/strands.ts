import { type AdapterOptions, type CallableToolbox, hostTools } from './host-tools.ts';
import { type StrandsTool, toStrandsTool } from './strands-tool.ts';

export type { AdapterOptions } from './host-tools.ts';
export {
  answerLostCalls,
  type StrandsAgent,
  type StrandsLostCallsOptions,
  type StrandsPlugin,
  type StrandsStages,
} from './strands-lost-calls.ts';
export type { StrandsResult, StrandsText } from './strands-result.ts';
export { controlFlow, isControlFlow, type StrandsProgress, type StrandsTool, type StrandsToolContext } from './strands-tool.ts';

/**
 * Gives the tools of a toolbox to a Strands agent: `new Agent({ tools: toTools(toolbox), plugins: [answerLostCalls(toolbox)] })`.
 * A handler interrupts the agent through the host's context (`options.context: (host) => ({ app: host })`); every other end is an
 * outcome, for `options.onOutcome` in full and for hooks as the `error` of the result.
 */
export function toTools(toolbox: CallableToolbox, options: AdapterOptions = {}): StrandsTool[] {
  const { onOutcome, ...quiet } = options;
  return hostTools(toolbox, 'strands', quiet).map((tool) => toStrandsTool(tool, onOutcome));
}
