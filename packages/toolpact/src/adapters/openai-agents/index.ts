import { openai } from '../../dialects/index.ts';
import { isObject } from '../../json/index.ts';
import type { JsonValue, Outcome } from '../../outcome/index.ts';
import type { AnyTool } from '../../runtime/index.ts';
import { callSteered } from '../frameworks/call-steered.ts';
import {
  type AdapterOptions,
  adapterOptions,
  type CallableToolbox,
  type HostTool,
  hostTools,
  type ProviderName,
  type ProviderSearchOptions,
  readAdapterOptions,
} from '../frameworks/host-tools.ts';
import { textOutcome } from '../frameworks/tell-model.ts';
import { cutDescription } from '../providers/cut-description.ts';
import { approvalOf } from './approval.ts';
import { type OpenaiAgentsParameters, readArguments, toParameters } from './arguments.ts';
import { isControlFlow } from './control-flow.ts';
import type { OpenaiAgentsCall, OpenaiAgentsOutput, OpenaiAgentsOutputContext } from './shapes.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type OpenaiAgentsRunOptions, toRunOptions } from './run-options.ts';
export { stopOnRepeat } from './stop-on-repeat.ts';

/** A function tool as an agent takes it. Each of its output items carries the whole outcome, as `customData.toolpact`. */
export interface OpenaiAgentsTool<TName extends string = string> {
  type: 'function';
  name: TName;
  description: string;
  parameters: OpenaiAgentsParameters;
  strict: boolean;
  deferLoading?: true;
  invoke: (runContext: unknown, input: string, details?: OpenaiAgentsCall) => Promise<OpenaiAgentsOutput>;
  needsApproval: (runContext: unknown, input: unknown, callId?: string) => Promise<boolean>;
  isEnabled: (runContext: unknown, agent: unknown) => Promise<boolean>;
  customDataExtractor: (context: OpenaiAgentsOutputContext) => { toolpact: JsonValue } | undefined;
}

/** How the SDK gets its tools. With `providerSearch`, add `toolSearchTool()` of `@openai/agents` to the agent: it finds the deferred ones. */
export interface OpenaiAgentsOptions extends AdapterOptions, ProviderSearchOptions {}

/** The tools of a toolbox, one entry per tool. */
type OpenaiAgentsTools<TTools extends readonly AnyTool[]> = OpenaiAgentsTool<ProviderName<TTools[number]['name']>>[];

/**
 * Returns a toolbox as tools for an `Agent`. They answer every call and throw only a guardrail's tripwire. Schemas are
 * lowered to strict mode where they can be. Give {@link toRunOptions} to the run, so that calls that reach no tool are answered too.
 *
 * @example
 * const agent = new Agent({ name: 'clerk', tools: toTools(toolbox) });
 * await run(agent, 'Pay the bill.', toRunOptions(toolbox));
 */
export function toTools<const TTools extends readonly AnyTool[]>(
  toolbox: CallableToolbox & { readonly tools: TTools },
  options: OpenaiAgentsOptions = {},
): OpenaiAgentsTools<TTools> {
  const settings = readAdapterOptions('toTools', toolbox, options, { ...adapterOptions, providerSearch: true });
  const tools = hostTools(toolbox, 'openai-agents', settings, { isSearchedByHost: settings.providerSearch === true });
  return tools.map((tool) => toTool(tool, settings)) as OpenaiAgentsTools<TTools>;
}

function toTool({ name, description, inputSchema, deferred, call }: HostTool, { dialect }: AdapterOptions): OpenaiAgentsTool {
  const { parameters, strict } = toParameters(inputSchema);
  const outcomes = new WeakMap<object, Map<string, Outcome>>();
  const approval = approvalOf();
  return {
    type: 'function',
    name,
    description: cutDescription(description),
    parameters,
    strict,
    ...(deferred === true && { deferLoading: true as const }),
    async invoke(runContext, input, details = {}) {
      const { toolCall, signal } = details;
      const callId = toolCall?.callId;
      const args = readArguments(input, strict ? inputSchema : undefined);
      const outcome = await callSteered(
        (watched) => call(args, watched),
        // The SDK itself makes a call once.
        { callId, run: isObject(runContext) ? runContext : undefined, turn: undefined, signal, host: runContext },
        isControlFlow,
      );
      if (callId !== undefined && isObject(runContext)) keep(outcomes, runContext, callId, outcome);
      return toOutput(textOutcome(outcome, dialect));
    },
    get needsApproval() {
      return approval.needed();
    },
    async isEnabled(_, agent) {
      approval.learnFrom(agent);
      return true;
    },
    customDataExtractor({ runContext, toolCall }) {
      const kept = outcomes.get(runContext as object);
      const outcome = kept?.get(toolCall.callId);
      kept?.delete(toolCall.callId);
      return outcome && { toolpact: JSON.parse(JSON.stringify(outcome)) as JsonValue };
    },
  };
}

function keep(outcomes: WeakMap<object, Map<string, Outcome>>, runContext: object, callId: string, outcome: Outcome): void {
  const kept = outcomes.get(runContext) ?? new Map<string, Outcome>();
  outcomes.set(runContext, kept.set(callId, outcome));
}

/** Returns what the model is sent, as the Responses API would take it. */
function toOutput(outcome: Outcome): OpenaiAgentsOutput {
  const { output } = openai.encode(outcome, { form: 'responses', strict: true }) as Extract<
    ReturnType<typeof openai.encode>,
    { readonly type: string }
  >;
  if (typeof output === 'string') return output;
  return output.map((part) => (part.type === 'input_text' ? { type: 'text', text: part.text } : { type: 'image', image: part.image_url }));
}
