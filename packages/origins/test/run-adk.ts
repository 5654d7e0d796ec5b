import { BaseLlm, type FunctionTool, InMemoryRunner, LlmAgent, type LlmRequest, LogLevel, setLogLevel } from '@google/adk';

setLogLevel(LogLevel.ERROR + 1);

type Calls = readonly (readonly [name: string, args: Record<string, unknown>])[];

/** Makes the given calls in its first turn and ends in the second; keeps what it was sent. */
class ScriptedLlm extends BaseLlm {
  readonly requests: LlmRequest['contents'][] = [];
  readonly #calls: Calls;

  constructor(calls: Calls) {
    super({ model: 'scripted' });
    this.#calls = calls;
  }

  async *generateContentAsync({ contents }: LlmRequest) {
    this.requests.push(structuredClone(contents));
    const parts = this.#calls.map(([name, args], index) => ({ functionCall: { id: `c${index}`, name, args } }));
    yield { content: { role: 'model', parts: this.requests.length === 1 ? parts : [{ text: 'done' }] } };
  }

  connect(): Promise<never> {
    return Promise.reject(new Error('not live'));
  }
}

/** Runs an ADK agent with these tools and gives, as JSON text, what the model reads of each call, and the last words of the run. */
export async function runAdk(tools: readonly FunctionTool[], calls: Calls): Promise<{ read: string[]; last: unknown }> {
  const model = new ScriptedLlm(calls);
  const runner = new InMemoryRunner({ agent: new LlmAgent({ name: 'guide', model, tools: [...tools] }), appName: 'guide' });
  const { id: sessionId } = await runner.sessionService.createSession({ appName: 'guide', userId: 'u' });
  let last: unknown;
  for await (const { content } of runner.runAsync({ userId: 'u', sessionId, newMessage: { role: 'user', parts: [{ text: '?' }] } }))
    last = content?.parts?.at(-1)?.text;
  const parts = model.requests[1]?.flatMap(({ parts: some = [] }) => some) ?? [];
  return { read: parts.flatMap(({ functionResponse }) => (functionResponse ? [JSON.stringify(functionResponse.response)] : [])), last };
}
