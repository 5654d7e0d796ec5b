import { AfterToolCallEvent, Agent, type Message, Model, type ModelStreamEvent, tool } from '@strands-agents/sdk';
import { toPlugin, toTools } from 'toolpact/adapters/strands';
import {
  type BatteryHost,
  finalAnswer,
  type RunRecord,
  type RunSetup,
  type ScriptedCall,
  type SeenByApp,
  type ToldModel,
  type ToolSpec,
} from '../host.ts';

/** Streams the calls in turn 1, their arguments as text, as the model of every provider does. */
class ScriptedModel extends Model {
  readonly requests: Message[][] = [];
  readonly #calls: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[]) {
    super();
    this.#calls = calls;
  }

  updateConfig(): void {}

  getConfig(): { modelId: string } {
    return { modelId: 'scripted' };
  }

  async *stream(messages: Message[]): AsyncGenerator<ModelStreamEvent> {
    this.requests.push([...messages]);
    yield { type: 'modelMessageStartEvent', role: 'assistant' };
    if (this.requests.length > 1) {
      yield { type: 'modelContentBlockStartEvent' };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: finalAnswer } };
      yield { type: 'modelContentBlockStopEvent' };
      yield { type: 'modelMessageStopEvent', stopReason: 'endTurn' };
      return;
    }
    for (const { id, name, json } of this.#calls) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: id } };
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: json } };
      yield { type: 'modelContentBlockStopEvent' };
    }
    yield { type: 'modelMessageStopEvent', stopReason: 'toolUse' };
  }
}

async function run(setup: RunSetup): Promise<RunRecord> {
  const model = new ScriptedModel(setup.calls);
  const agent = new Agent({ model, printer: false, ...partsOf(setup) });
  const app: Record<string, SeenByApp> = {};
  agent.addHook(AfterToolCallEvent, ({ toolUse, result, error }) => {
    if (result.status === 'error') app[toolUse.toolUseId] = error === undefined ? { failed: true } : { failed: true, error };
  });
  const result = await agent.invoke('go');
  return { answer: result.toString(), ...readMessages(model.requests[1] ?? []), app };
}

function partsOf(setup: RunSetup): Partial<ConstructorParameters<typeof Agent>[0]> {
  if (setup.mode === 'toolpact') {
    const { toolbox } = setup;
    return { tools: toTools(toolbox), plugins: [toPlugin(toolbox)] };
  }
  return { tools: bareTools(setup.tools) };
}

/** Creates the framework's own tools. */
export function bareTools(tools: readonly ToolSpec[]) {
  return tools.map(({ name, description, input, run }) =>
    tool({ name, description, inputSchema: input as never, callback: (args: unknown) => run(args as never) as never }),
  );
}

function readMessages(messages: readonly Message[]): Pick<RunRecord, 'toModel' | 'history'> {
  const toModel: Record<string, ToldModel> = {};
  const history: Record<string, unknown> = {};
  for (const block of messages.flatMap(({ content }) => content)) {
    if (block.type === 'toolUseBlock') history[block.toolUseId] = block.input;
    if (block.type !== 'toolResultBlock') continue;
    const text = block.content.map((part) => (part.type === 'textBlock' ? part.text : JSON.stringify(part))).join('\n');
    toModel[block.toolUseId] = { text, failed: block.status === 'error' };
  }
  return { toModel, history };
}

/** Real runs of a Strands agent. */
export const hosts: readonly BatteryHost[] = [
  { name: 'strands', title: 'Strands', adapter: 'strands', packages: ['@strands-agents/sdk'], run },
];
