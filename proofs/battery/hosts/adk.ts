import { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent, type LlmRequest, type LlmResponse, LogLevel, setLogLevel } from '@google/adk';
import { toBeforeModelCallback, toTools } from 'toolpact/adapters/adk';
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

setLogLevel(LogLevel.ERROR + 1);

/** Makes the calls in turn 1. Its input is turned into JSON, as by the client of a real model. */
class ScriptedLlm extends BaseLlm {
  readonly requests: LlmRequest['contents'][] = [];
  readonly #calls: readonly ScriptedCall[];

  constructor(calls: readonly ScriptedCall[]) {
    super({ model: 'scripted' });
    this.#calls = calls;
  }

  async *generateContentAsync({ contents }: LlmRequest): AsyncGenerator<LlmResponse, void> {
    this.requests.push(JSON.parse(JSON.stringify(contents)));
    const calls = this.#calls.map(({ id, name, args }) => ({ functionCall: { id, name, args: args as Record<string, unknown> } }));
    yield { content: { role: 'model', parts: this.requests.length === 1 ? calls : [{ text: finalAnswer }] } };
  }

  connect(): Promise<never> {
    return Promise.reject(new Error('not live'));
  }
}

async function run(setup: RunSetup): Promise<RunRecord> {
  const model = new ScriptedLlm(setup.calls);
  const agent = new LlmAgent({ name: 'battery', model, instruction: 'Use the tools.', ...partsOf(setup) });
  const runner = new InMemoryRunner({ agent, appName: 'battery' });
  const session = await runner.sessionService.createSession({ appName: 'battery', userId: 'u' });
  let [answer, error]: (string | undefined)[] = [];
  const request = { userId: 'u', sessionId: session.id, newMessage: { role: 'user', parts: [{ text: 'go' }] } };
  for await (const { content, errorMessage } of runner.runAsync(request)) {
    // ADK goes on after an error; only a run that never gets to its answer has ended on it.
    error = errorMessage ?? error;
    answer = content?.parts?.find(({ text }) => text !== undefined)?.text ?? answer;
  }
  if (answer === undefined && error !== undefined) throw new Error(error);
  return { answer, ...readContents(model.requests[1] ?? []) };
}

function partsOf(setup: RunSetup): Partial<ConstructorParameters<typeof LlmAgent>[0]> {
  if (setup.mode === 'toolpact') {
    const { toolbox } = setup;
    return { tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) };
  }
  return { tools: bareTools(setup.tools) };
}

/** Creates the framework's own tools. */
export function bareTools(tools: readonly ToolSpec[]) {
  return tools.map(
    ({ name, description, input, run }) =>
      new FunctionTool({ name, description, parameters: input as never, execute: (args: unknown) => run(args as never) }),
  );
}

function readContents(contents: LlmRequest['contents']): Pick<RunRecord, 'toModel' | 'history' | 'app'> {
  const toModel: Record<string, ToldModel> = {};
  const history: Record<string, unknown> = {};
  const app: Record<string, SeenByApp> = {};
  for (const { functionCall, functionResponse } of contents.flatMap(({ parts = [] }) => parts)) {
    if (functionCall !== undefined) history[String(functionCall.id)] = functionCall.args;
    if (functionResponse === undefined) continue;
    const { id, response } = functionResponse;
    const failed = response !== undefined && 'error' in response;
    toModel[String(id)] = { text: JSON.stringify(response), failed };
    if (failed) app[String(id)] = { failed };
  }
  return { toModel, history, app };
}

/** Real runs of an agent of Google's Agent Development Kit. */
export const hosts: readonly BatteryHost[] = [{ name: 'adk', title: 'ADK', adapter: 'adk', packages: ['@google/adk'], run }];
