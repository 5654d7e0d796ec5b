import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { toMiddleware, toTools } from 'toolpact/adapters/langchain';
import { type BatteryHost, finalAnswer, type RunRecord, type RunSetup, type ScriptedCall, type SeenByApp } from '../host.ts';

/** A model that makes its calls as LangChain's providers deliver them: arguments that are no JSON are kept apart. */
export class ScriptedModel extends BaseChatModel {
  readonly prompts: BaseMessage[][] = [];
  readonly calls: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[]) {
    super({});
    this.calls = calls;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.prompts.push([...messages]);
    const message = this.prompts.length > 1 ? new AIMessage(finalAnswer) : new AIMessage({ content: '', ...deliver(this.calls) });
    return { generations: [{ text: message.text, message }] };
  }
}

type Delivered = Pick<AIMessage, 'tool_calls' | 'invalid_tool_calls'>;

function deliver(calls: readonly ScriptedCall[]): Delivered {
  const made: Required<Delivered> = { tool_calls: [], invalid_tool_calls: [] };
  for (const { id, name, json } of calls) {
    try {
      made.tool_calls.push({ type: 'tool_call', id, name, args: JSON.parse(json) });
    } catch {
      made.invalid_tool_calls.push({ type: 'invalid_tool_call', id, name, args: json, error: 'Malformed args.' });
    }
  }
  return made;
}

/** Creates the framework's own tools. */
export function bareTools(setup: Extract<RunSetup, { mode: 'bare' }>) {
  return setup.tools.map(({ name, description, input, run }) =>
    tool(async (args: unknown) => run(args as never) as never, { name, description, schema: input as never }),
  );
}

/** Reads what the model was sent in turn 2. */
export function toRecord(
  { prompts }: ScriptedModel,
  answer: string | undefined,
  errors: ReadonlyMap<string, unknown> = new Map(),
): RunRecord {
  const sent = prompts[1] ?? [];
  const answers = sent.filter((message): message is ToolMessage => message.type === 'tool');
  const calls = sent.filter((message): message is AIMessage => message.type === 'ai').flatMap(({ tool_calls = [] }) => tool_calls);
  const app = answers.map(({ tool_call_id: id, status }): [string, SeenByApp] => [
    id,
    { failed: status === 'error', ...(errors.has(id) && { error: errors.get(id) }) },
  ]);
  return {
    answer,
    toModel: Object.fromEntries(
      answers.map(({ tool_call_id, content, status }) => [
        tool_call_id,
        { text: typeof content === 'string' ? content : JSON.stringify(content), failed: status === 'error' },
      ]),
    ),
    app: Object.fromEntries(app),
    history: Object.fromEntries(calls.map(({ id = '', args }) => [id, args])),
  };
}

/** Receives the errors that the framework passes to its callbacks. */
export function listen(): { errors: Map<string, unknown>; callbacks: object[] } {
  const errors = new Map<string, unknown>();
  const runs = new Map<string, string>();
  const callbacks = [
    {
      handleToolStart: (...[, , run, , , , , id]: unknown[]) => void runs.set(String(run), String(id)),
      handleToolError: (error: unknown, run: string) => void errors.set(runs.get(run) ?? '', error),
    },
  ];
  return { errors, callbacks };
}

export const hosts: readonly BatteryHost[] = [
  {
    name: 'langchain',
    title: 'LangChain',
    adapter: 'langchain',
    packages: ['langchain', '@langchain/core', '@langchain/langgraph'],
    async run(setup) {
      const model = new ScriptedModel(setup.calls);
      const { errors, callbacks } = listen();
      const agent =
        setup.mode === 'bare'
          ? createAgent({ model, tools: bareTools(setup) })
          : createAgent({
              model,
              tools: toTools(setup.toolbox),
              middleware: [toMiddleware(setup.toolbox)],
            });
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, { callbacks } as never);
      return toRecord(model, messages.at(-1)?.text, errors);
    },
  },
];
