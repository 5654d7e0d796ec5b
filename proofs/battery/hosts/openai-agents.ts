import {
  Agent,
  type AgentInputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type StreamEvent,
  tool,
  Usage,
} from '@openai/agents';
import { toRunOptions, toTools } from 'toolpact/adapters/openai-agents';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type ScriptedCall, type ToolSpec } from '../host.ts';

/** A model that makes its calls in turn 1 and answers in turn 2. */
export class ScriptedModel implements Model {
  readonly prompts: AgentInputItem[][] = [];
  readonly calls: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[]) {
    this.calls = calls;
  }

  async getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.prompts.push(typeof input === 'string' ? [] : structuredClone(input));
    const calls = this.calls.map(({ id, name, json }) => ({
      type: 'function_call',
      callId: id,
      name,
      arguments: json,
      status: 'completed',
    }));
    const answer = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: finalAnswer }] };
    return { usage: new Usage(), output: (this.prompts.length === 1 ? calls : [answer]) as ModelResponse['output'] };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const { output } = await this.getResponse(request);
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    yield { type: 'response_done', response: { id: `response-${this.prompts.length}`, usage, output: output as never } };
  }
}

async function run(setup: RunSetup): Promise<RunRecord> {
  const model = new ScriptedModel(setup.calls);
  const runner = new Runner({ tracingDisabled: true });
  const isBare = setup.mode === 'bare';
  const tools = isBare ? bareTools(setup.tools) : toTools(setup.toolbox);
  const agent = new Agent({ name: 'battery', model, tools });
  const result = await runner.run(agent, 'go', isBare ? {} : toRunOptions(setup.toolbox));
  return { answer: result.finalOutput, ...readPrompt(model.prompts[1] ?? []) };
}

/** Creates the framework's own tools. */
export function bareTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, input, output, run: execute }) =>
    tool({
      name,
      description,
      parameters: input as never,
      execute: async (args: unknown) => execute(args as never) as never,
      ...(output !== undefined && { outputSchema: output as never }),
    }),
  );
}

function readPrompt(items: readonly AgentInputItem[]): Pick<RunRecord, 'toModel' | 'history'> {
  const toModel = items.flatMap((item) => {
    if (item.type !== 'function_call_result') return [];
    const { output } = item;
    const isText = typeof output === 'object' && 'text' in output;
    return [[item.callId, { text: typeof output === 'string' ? output : isText ? String(output.text) : JSON.stringify(output) }] as const];
  });
  const history = items.flatMap((item) => (item.type === 'function_call' ? [[item.callId, item.arguments] as const] : []));
  return { toModel: Object.fromEntries(toModel), history: Object.fromEntries(history) };
}

export const hosts: readonly BatteryHost[] = [
  {
    name: 'openai-agents',
    title: 'OpenAI Agents',
    adapter: 'openai-agents',
    packages: ['@openai/agents', '@openai/agents-core'],
    hasOutputSchema: true,
    run,
  },
];
