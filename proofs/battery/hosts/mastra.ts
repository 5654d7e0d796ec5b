import { Agent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { createTool } from '@mastra/core/tools';
import { toInputProcessor, toTools } from 'toolpact/adapters/mastra';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type SeenByApp, type ToldModel, type ToolSpec } from '../host.ts';

/** The parts of a prompt that are looked at. */
interface Message {
  readonly role: string;
  readonly content: readonly Part[];
}
interface Part {
  readonly type: string;
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: { readonly type: string; readonly value: unknown };
}

async function run(setup: RunSetup): Promise<RunRecord> {
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const calls = setup.calls.map(({ id, name, json }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: json }) as const);
  const prompts: (readonly Message[])[] = [];
  const model = new MastraLanguageModelV2Mock({
    doGenerate: async ({ prompt }: { prompt: unknown }) => {
      prompts.push(prompt as Message[]);
      return prompts.length === 1
        ? { content: calls, finishReason: 'tool-calls', usage, warnings: [] }
        : { content: [{ type: 'text', text: finalAnswer }], finishReason: 'stop', usage, warnings: [] };
    },
  } as never);
  const agent = new Agent({ id: 'battery', name: 'battery', instructions: 'Use the tools.', model: model as never, ...partsOf(setup) });
  const result = await agent.generate('go', { maxSteps: 3 });
  return { answer: result.text, ...readPrompt(prompts[1] ?? []), app: seenIn(result.steps) };
}

function partsOf(setup: RunSetup): Partial<ConstructorParameters<typeof Agent>[0]> {
  if (setup.mode === 'toolpact') {
    return { tools: toTools(setup.toolbox), inputProcessors: [toInputProcessor(setup.toolbox)] } as object;
  }
  return { tools: bareTools(setup.tools) as never };
}

/** Creates the framework's own tools. */
export function bareTools(tools: readonly ToolSpec[]): Record<string, object> {
  const made = tools.map(({ name, description, input, output, run }) => [
    name,
    createTool({
      id: name,
      description,
      inputSchema: input,
      ...(output !== undefined && { outputSchema: output }),
      execute: async (args: unknown) => run(args as never),
    } as never),
  ]);
  return Object.fromEntries(made) as Record<string, object>;
}

function readPrompt(messages: readonly Message[]): Pick<RunRecord, 'toModel' | 'history'> {
  const toModel: Record<string, ToldModel> = {};
  const history: Record<string, unknown> = {};
  for (const part of messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Part[]) : []))) {
    if (part.type === 'tool-call') history[part.toolCallId] = part.input;
    if (part.type !== 'tool-result') continue;
    const { type, value } = part.output;
    toModel[part.toolCallId] = { text: typeof value === 'string' ? value : JSON.stringify(value), failed: type.startsWith('error') };
  }
  return { toModel, history };
}

/** An application sees failed calls as `tool-error` parts of the steps. */
function seenIn(steps: readonly { readonly content: unknown }[]): Record<string, SeenByApp> {
  const parts = steps.flatMap(({ content }) => content as { type: string; toolCallId: string; error?: unknown; output?: unknown }[]);
  return Object.fromEntries(
    parts.flatMap(({ type, toolCallId, error, output }) => {
      if (type === 'tool-error') return [[toolCallId, { error, failed: true }]];
      const isRefused = type === 'tool-result' && (output as { error?: unknown } | null)?.error === true;
      return isRefused ? [[toolCallId, { failed: true }]] : [];
    }),
  );
}

/** Real runs of a Mastra agent. */
export const hosts: readonly BatteryHost[] = [
  { name: 'mastra', title: 'Mastra', adapter: 'mastra', packages: ['@mastra/core'], hasOutputSchema: true, run },
];
