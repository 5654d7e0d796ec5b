import type { Content, GenerateContentResponse, GoogleGenAI, ToolListUnion } from '@google/genai';
import { createToolbox, defineTool } from 'toolpact';
import { answerToolCalls, collectStream, evaluate, toTools } from 'toolpact/adapters/google-genai';

declare const client: GoogleGenAI;
const ping = defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' });
const toolbox = createToolbox([ping]);
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const check = <T extends true>(): T | undefined => undefined;

// The offered tools fit the client's own configuration.
export const tools: ToolListUnion = toTools(toolbox);

// The client's own answers are taken, and what comes back can be appended to its contents.
export async function answers(response: GenerateContentResponse): Promise<void> {
  const contents: Content[] = await answerToolCalls(response, toolbox, { tenantId: 'acme' });
  const stream = await client.models.generateContentStream({ model: 'gemini-3', contents });
  const streamed: Content[] = await answerToolCalls(await collectStream(stream), toolbox);
  void streamed;
}

// The client is taken as it is; contents and answers have its types.
export async function run(): Promise<void> {
  const result = await evaluate({ client, toolbox, params: { model: 'gemini-3', contents: 'Hi', config: { temperature: 0 } } });
  check<Same<(typeof result)['messages'], Content[]>>();
  check<Same<(typeof result)['response'], GenerateContentResponse | undefined>>();
  await evaluate({ client, toolbox, params: { model: 'gemini-3', contents: result.messages } });
  // @ts-expect-error contents are needed
  await evaluate({ client, toolbox, params: { model: 'gemini-3' } });
}
