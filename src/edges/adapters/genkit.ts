import { type GenkitTool, toGenkitTool } from './genkit-tool.ts';
import { type AdapterOptions, type CallableToolbox, hostTools } from './host-tools.ts';

export { answerLostCalls, type GenkitHooks, type GenkitMiddleware } from './genkit-lost-calls.ts';
export {
  controlFlow,
  type GenkitActionFacts,
  type GenkitCall,
  type GenkitResult,
  type GenkitTool,
  isControlFlow,
} from './genkit-tool.ts';
export type { AdapterOptions } from './host-tools.ts';

/**
 * Gives the tools of a toolbox to a Genkit generation: `ai.generate({ tools: toTools(toolbox), use: [answerLostCalls(toolbox)] })`.
 * A handler interrupts through the host's context (`options.context: (host) => ({ app: host })`), and `restartTool` resumes it; every other end is an outcome, for
 * `options.onOutcome` in full, for the history as `metadata.toolpact`, and for the model as `{ error }` if it failed.
 */
export function toTools(toolbox: CallableToolbox, options: AdapterOptions = {}): GenkitTool[] {
  const { onOutcome, ...quiet } = options;
  return hostTools(toolbox, 'genkit', quiet).map((tool) => toGenkitTool(tool, onOutcome));
}
