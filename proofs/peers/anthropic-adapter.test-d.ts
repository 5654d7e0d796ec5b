import type Anthropic from '@anthropic-ai/sdk';
import { createToolbox, defineTool } from 'toolpact';
import { answerToolCalls, collectStream, evaluate, toTools } from 'toolpact/adapters/anthropic';

declare const client: Anthropic;
const ping = defineTool({ name: 'ping', description: 'Answers.', run: () => 'pong' });
const toolbox = createToolbox([ping]);
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const check = <T extends true>(): T | undefined => undefined;

// The offered tools fit the client's own parameters.
export const tools: Anthropic.ToolUnion[] = toTools(toolbox);
export const searchedTools: Anthropic.ToolUnion[] = toTools(toolbox, { providerSearch: true });
export const betaTools: Anthropic.Beta.BetaToolUnion[] = toTools(toolbox);

// The client's own messages are taken, and what comes back can be appended to them.
export async function answers(message: Anthropic.Message, betaMessage: Anthropic.Beta.BetaMessage): Promise<void> {
  const messages: Anthropic.MessageParam[] = await answerToolCalls(message, toolbox, { tenantId: 'acme' });
  const betaMessages: Anthropic.Beta.BetaMessageParam[] = await answerToolCalls(betaMessage, toolbox);
  const stream = await client.messages.create({ model: 'claude-5', max_tokens: 1, messages, stream: true });
  const streamed: Anthropic.MessageParam[] = await answerToolCalls(await collectStream(stream), toolbox);
  void [betaMessages, streamed];
}

// The client is taken as it is; messages and answers have its types.
export async function run(): Promise<void> {
  const params = { model: 'claude-5', max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
  const result = await evaluate({ client, toolbox, params: { ...params, tools: [{ type: 'bash_20250124', name: 'bash' }] } });
  check<Same<(typeof result)['messages'], Anthropic.MessageParam[]>>();
  check<Same<Exclude<(typeof result)['response'], Anthropic.Message>, undefined>>();
  await evaluate({ client, toolbox, params: { ...params, messages: result.messages } });
  const beta = await evaluate({ client: client.beta, toolbox, params });
  check<Same<Exclude<(typeof beta)['response'], Anthropic.Beta.BetaMessage>, undefined>>();
  // @ts-expect-error max_tokens is needed
  await evaluate({ client, toolbox, params: { model: 'claude-5', messages: [] } });
}
