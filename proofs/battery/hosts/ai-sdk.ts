import { generateText, InvalidToolInputError, NoSuchToolError, stepCountIs, type ToolSet, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { toRunOptions } from 'toolpact/adapters/ai-sdk';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type SeenByApp } from '../host.ts';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

async function run(setup: RunSetup): Promise<RunRecord> {
  const prompts: Message[][] = [];
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt }: { prompt: Message[] }) => {
      // A copy of that moment, as the wire would be.
      prompts.push(structuredClone(prompt));
      const calls = setup.calls.map(({ id, name, json }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input: json }));
      return prompts.length === 1
        ? { content: calls, finishReason: { unified: 'tool-calls' }, usage, warnings: [] }
        : { content: [{ type: 'text', text: finalAnswer }], finishReason: { unified: 'stop' }, usage, warnings: [] };
    },
  } as never);
  const own = setup.mode === 'bare' ? { tools: bareTools(setup.tools) } : toRunOptions(setup.toolbox);
  const result = await generateText({ model, prompt: 'Move five.', stopWhen: stepCountIs(3), ...(own as { tools: ToolSet }) });
  const parts = prompts[1]?.flatMap(({ content }) => (Array.isArray(content) ? content : [])) ?? [];
  return {
    answer: result.text,
    toModel: Object.fromEntries(parts.filter(({ type }) => type === 'tool-result').map((part) => [part.toolCallId, toldIn(part)])),
    history: Object.fromEntries(parts.filter(({ type }) => type === 'tool-call').map((part) => [part.toolCallId, part.input])),
    ...(setup.mode === 'bare' && { app: seenIn(result.steps[0]) }),
  };
}

export function bareTools(specs: Extract<RunSetup, { mode: 'bare' }>['tools']): ToolSet {
  return Object.fromEntries(
    specs.map(({ name, description, input, output, run: execute }) => [
      name,
      tool({ description, inputSchema: input, ...(output !== undefined && { outputSchema: output }), execute: execute as never }) as never,
    ]),
  );
}

interface Message {
  readonly role: string;
  readonly content: string | readonly Part[];
}

interface Part {
  readonly type: string;
  readonly toolCallId: string;
  readonly input: unknown;
  readonly output: { readonly type: string; readonly value?: unknown; readonly reason?: string };
}

function toldIn({ output: { type, value, reason } }: Part): { text: string; failed: boolean } {
  const text = reason ?? (typeof value === 'string' ? value : JSON.stringify(value));
  return { text, failed: /^error|^execution-denied/.test(type) };
}

/** Calls that were refused before they ran carry an error that has a name; those that failed carry what was thrown. */
function seenIn(
  step: { readonly content: readonly object[]; readonly toolCalls: readonly object[] } | undefined,
): Record<string, SeenByApp> {
  const errors = [...(step?.content ?? []), ...(step?.toolCalls ?? [])] as { type: string; toolCallId: string; error?: unknown }[];
  return Object.fromEntries(
    errors
      .filter(({ error }) => error !== undefined)
      .map(({ toolCallId, error }) => {
        const isNamed = NoSuchToolError.isInstance(error) || InvalidToolInputError.isInstance(error);
        return [toolCallId, isNamed ? { kind: error.name, failed: true } : { error, failed: true }];
      }),
  );
}

export const hosts: readonly BatteryHost[] = [
  { name: 'ai-sdk', title: 'AI SDK', adapter: 'ai-sdk', packages: ['ai'], hasOutputSchema: true, run },
];
