import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Agent,
  BeforeToolCallEvent,
  InterruptResponseContent,
  type Message,
  Model,
  type ModelStreamEvent,
  SessionManager,
  tool,
} from '@strands-agents/sdk';
import { LocalFileStorage } from '@strands-agents/sdk/storage';
import { toPlugin, toTools } from 'toolpact/adapters/strands';
import { type KillHost, type Order, question, type ScriptedModel } from '../host.ts';

/** An agent whose session is stored after every message. */
export const host: KillHost = {
  title: 'Strands, sessions',
  mode: '`SessionManager` with `LocalFileStorage` and `saveLatestOn: "message"`; the restored agent is invoked without a new message, or with the answer to its interrupt.',
  documentation: 'https://strandsagents.com/docs/user-guide/concepts/agents/session-management/',
  packages: ['@strands-agents/sdk'],
  key: 'the number of the invoice; the documentation names none, and the id of the tool use is new after a crash',
  asks: true,
  async run({ variant, tools, openToolbox, model, folder, asks, approvalAsked }) {
    const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
    const own = tools.map(({ name, description, input, run }) =>
      tool({
        name,
        description,
        inputSchema: input as never,
        callback: (order: unknown) => run(order as never, variant === 'key' ? (order as Order).invoice : undefined) as never,
      }),
    );
    const agent = new Agent({
      model: new Scripted(model),
      printer: false,
      sessionManager: new SessionManager({
        sessionId: 'clerk',
        storage: new LocalFileStorage(join(folder, 'sessions')),
        saveLatestOn: 'message',
      }),
      ...(toolbox === undefined ? { tools: own } : { tools: toTools(toolbox), plugins: [toPlugin(toolbox)] }),
    });
    if (asks) {
      agent.addHook(BeforeToolCallEvent, (event) => {
        if (event.toolUse.name === 'pay') event.interrupt({ name: 'approve', reason: 'Pay?' });
      });
    }
    await agent.initialize();
    const asked = join(folder, 'asked.json');
    const waiting = existsSync(asked) ? (JSON.parse(readFileSync(asked, 'utf8')) as string[]) : [];
    const yes = waiting.map((interruptId) => new InterruptResponseContent({ interruptId, response: 'yes' }));
    const result = await agent.invoke(yes.length > 0 ? yes : agent.messages.length > 0 ? [] : question);
    if (result.stopReason !== 'interrupt') return result.toString();
    writeFileSync(asked, JSON.stringify(result.interrupts?.map(({ id }) => id)));
    await approvalAsked();
    return undefined;
  },
};

class Scripted extends Model {
  readonly #script: ScriptedModel;

  constructor(script: ScriptedModel) {
    super();
    this.#script = script;
  }

  updateConfig(): void {}

  getConfig(): { modelId: string } {
    return { modelId: 'scripted' };
  }

  async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    const turn = await this.#script.next(messages.flatMap(readResults));
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    if (turn.text !== undefined) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: turn.text } };
      yield { type: 'modelContentBlockStopEvent' };
      yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
      return;
    }
    for (const { id, name, args } of turn.calls) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: id } };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: JSON.stringify(args) } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    yield { type: 'modelMessageStopEvent', stopReason: 'toolUse' };
  }
}

function readResults({ content }: Message): readonly string[] {
  return content.flatMap((block) =>
    block.type === 'toolResultBlock'
      ? [block.content.map((part) => (part.type === 'textBlock' ? part.text : JSON.stringify(part))).join('\n')]
      : [],
  );
}
