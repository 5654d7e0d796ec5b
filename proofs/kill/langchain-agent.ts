import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { createAgent, humanInTheLoopMiddleware } from 'langchain';
import { toMiddleware, toTools } from 'toolpact/adapters/langchain';
import { type Life, question, type ScriptedModel } from './host.ts';

class Model extends BaseChatModel {
  readonly #script: ScriptedModel;

  constructor(script: ScriptedModel) {
    super({});
    this.#script = script;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const turn = await this.#script.next(messages.filter(({ type }) => type === 'tool').map(({ text }) => text));
    const message =
      turn.text === undefined
        ? new AIMessage({
            content: '',
            tool_calls: turn.calls.map((call) => ({ ...call, type: 'tool_call' as const, args: { ...call.args } })),
          })
        : new AIMessage(turn.text);
    return { generations: [{ text: message.text, message }] };
  }
}

/** Begins or resumes an agent whose thread is in a checkpointer. */
export async function runAgent(life: Life, checkpointer: object): Promise<string | undefined> {
  const { variant, tools, openToolbox, model, asks } = life;
  const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
  const own = tools.map(({ name, description, input, run }) =>
    tool(async (order, { toolCall }) => run(order as never, variant === 'key' ? toolCall?.id : undefined), {
      name,
      description,
      schema: input as never,
    }),
  );
  const agent = createAgent({
    model: new Model(model),
    tools: toolbox === undefined ? own : toTools(toolbox),
    middleware: [
      ...(toolbox === undefined ? [] : [toMiddleware(toolbox)]),
      ...(asks ? [humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never)] : []),
    ] as never,
    checkpointer: checkpointer as never,
  });
  const config = { configurable: { thread_id: 'thread' }, durability: 'sync' as const };
  const { tasks = [], values } = await agent.graph.getState(config);
  const isWaiting = tasks.some(({ interrupts }) => interrupts.length > 0);
  const isBegun = Object.keys((values as object | undefined) ?? {}).length > 0;
  const input = isWaiting
    ? new Command({ resume: { decisions: [{ type: 'approve' }] } })
    : isBegun
      ? null
      : { messages: [{ role: 'user', content: question }] };
  const result = (await agent.invoke(input as never, config as never)) as { messages: BaseMessage[]; __interrupt__?: unknown[] };
  if (result.__interrupt__ === undefined || result.__interrupt__.length === 0) return result.messages.at(-1)?.text ?? '';
  await life.approvalAsked();
  return undefined;
}
