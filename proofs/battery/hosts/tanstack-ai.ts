import { chat, type ModelMessage, toolDefinition } from '@tanstack/ai';
import { BaseTextAdapter } from '@tanstack/ai/adapters';
import { toRunOptions } from 'toolpact/adapters/tanstack-ai';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type ScriptedCall, type SeenByApp, type ToolSpec } from '../host.ts';

/** The events of a turn, as the adapters of providers yield them. */
function turnOf(calls: readonly ScriptedCall[], text: string): object[] {
  const events = calls.flatMap(({ id: toolCallId, name: toolCallName, json: delta }, index) => [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName, toolName: toolCallName, index },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta },
    { type: 'TOOL_CALL_END', toolCallId, toolCallName, toolName: toolCallName },
  ]);
  const said = [
    { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text },
  ];
  const finishReason = calls.length > 0 ? 'tool_calls' : 'stop';
  return [{ type: 'RUN_STARTED' }, ...(calls.length > 0 ? events : said), { type: 'RUN_FINISHED', finishReason }];
}

class ScriptedAdapter extends BaseTextAdapter<string, object, readonly ['text'], never> {
  readonly name = 'scripted';
  /** The messages of each turn, as the wire would have them. */
  readonly prompts: ModelMessage[][] = [];
  readonly #calls: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[]) {
    super({}, 'scripted');
    this.#calls = calls;
  }

  async *chatStream({ messages }: { readonly messages: ModelMessage[] }): AsyncGenerator<never> {
    this.prompts.push(structuredClone(messages));
    yield* (this.prompts.length === 1 ? turnOf(this.#calls, '') : turnOf([], finalAnswer)) as never[];
  }

  structuredOutput(): Promise<never> {
    return Promise.reject(new Error('nobody asks for it'));
  }
}

async function run(setup: RunSetup): Promise<RunRecord> {
  const scripted = new ScriptedAdapter(setup.calls);
  const seen: Record<string, SeenByApp> = {};
  const watch = {
    name: 'watch',
    onAfterToolCall(_: object, { toolCallId, ok, error }: { toolCallId: string; ok: boolean; error?: unknown }): void {
      if (!ok) seen[toolCallId] = { error, failed: true };
    },
  };
  const flags = new Map<string, boolean>();
  const own =
    setup.mode === 'bare'
      ? { adapter: scripted, tools: bareTools(setup.tools), middleware: [watch] }
      : toRunOptions(setup.toolbox, scripted);
  let answer = '';
  for await (const chunk of chat({ ...own, messages: [{ role: 'user', content: 'Move five.' }] } as never) as AsyncIterable<PublicChunk>) {
    if (chunk.type === 'RUN_ERROR') throw new Error(chunk.message);
    if (chunk.type === 'TEXT_MESSAGE_CONTENT') answer += chunk.delta;
    if (chunk.type === 'TOOL_CALL_RESULT') flags.set(chunk.toolCallId, chunk.metadata?.tanstack?.state === 'output-error');
  }
  return { answer, ...readPrompt(scripted.prompts[1] ?? [], flags), ...(setup.mode === 'bare' && { app: seenIn(seen, flags) }) };
}

interface PublicChunk {
  readonly type: string;
  readonly toolCallId: string;
  readonly delta: string;
  readonly message: string;
  readonly metadata?: { readonly tanstack?: { readonly state?: string } };
}

/** Creates the framework's own tools. */
function bareTools(tools: readonly ToolSpec[]): object[] {
  return tools.map(({ name, description, input, output, run: execute }) =>
    toolDefinition({ name, description, inputSchema: input, ...(output !== undefined && { outputSchema: output }) }).server(
      execute as never,
    ),
  );
}

function readPrompt(messages: readonly ModelMessage[], flags: ReadonlyMap<string, boolean>): Pick<RunRecord, 'toModel' | 'history'> {
  const results = messages.filter(({ role }) => role === 'tool');
  const calls = messages.flatMap(({ toolCalls }) => toolCalls ?? []);
  return {
    toModel: Object.fromEntries(
      results.map(({ toolCallId = '', content }) => [
        toolCallId,
        { text: typeof content === 'string' ? content : JSON.stringify(content), failed: flags.get(toolCallId) === true },
      ]),
    ),
    history: Object.fromEntries(calls.map((call) => [call.id, call.function.arguments])),
  };
}

/** Calls that TanStack AI refused itself never come to a middleware; their chunks are flagged. */
function seenIn(seen: Readonly<Record<string, SeenByApp>>, flags: ReadonlyMap<string, boolean>): Record<string, SeenByApp> {
  const failed = [...flags].filter(([, isFailed]) => isFailed).map(([id]) => [id, { failed: true }] as const);
  return { ...Object.fromEntries(failed), ...seen };
}

export const hosts: readonly BatteryHost[] = [
  { name: 'tanstack-ai', title: 'TanStack AI', adapter: 'tanstack-ai', packages: ['@tanstack/ai'], hasOutputSchema: true, run },
];
