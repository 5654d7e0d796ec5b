import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { AIMessage } from '@langchain/core/messages';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { createAgent, createMiddleware, providerToolSearchMiddleware } from 'langchain';
import { type AnyTool, createToolbox, defineTool } from 'toolpact';
import { fromTools, type LangchainTool, mendCalls, toMiddleware, toToolNode, toTools } from 'toolpact/adapters/langchain';
import { expectTypeOf } from 'vitest';
import { z } from 'zod';

const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({ city: z.string() }),
  run: () => ({ celsius: 21 }),
});
const now = defineTool({ name: 'now', description: 'Tells the time.', run: () => 'noon' });
const toolbox = createToolbox([forecast, now]);
declare const model: BaseChatModel;

const tools = toTools(toolbox);
tools satisfies StructuredToolInterface[];
expectTypeOf(tools[0].name).toEqualTypeOf<'weather_forecast'>();
expectTypeOf(tools[1].name).toEqualTypeOf<'now'>();

const agent = createAgent({ model, tools, middleware: [toMiddleware(toolbox)] });
const ended = await agent.invoke({ messages: [{ role: 'user', content: 'Kyoto?' }] });
expectTypeOf(ended.messages).toBeArray();
const own = tool(() => 'x', { name: 'own', description: 'Own.', schema: z.object({}) });
createAgent({
  model,
  tools: [...toTools(toolbox.with({ tenantId: 'acme' })), own],
  middleware: [toMiddleware(toolbox), createMiddleware({ name: 'other' })],
});

declare const some: { readonly tools: readonly AnyTool[] } & Omit<typeof toolbox, 'tools'>;
expectTypeOf(toTools(some)).toEqualTypeOf<LangchainTool[]>();

model.bindTools?.(tools).pipe(mendCalls);
expectTypeOf(await mendCalls({} as AIMessage)).toEqualTypeOf<AIMessage>();
new StateGraph(MessagesAnnotation).addNode('tools', toToolNode(new ToolNode(tools), toolbox));

const wrapped = fromTools([
  tool(({ n }) => n * 2, { name: 'double', description: 'Doubles.', schema: z.object({ n: z.number() }) }),
  tool(() => 'x', { name: 'plain', description: 'Plain.', schema: { type: 'object' as const, properties: {} } }),
]);
const wrappedBox = createToolbox(wrapped);
expectTypeOf(wrapped[0]?.name).toEqualTypeOf<'double' | 'plain' | undefined>();
await wrappedBox.call('double', { n: 2 });
// @ts-expect-error n is a number
await wrappedBox.call('double', { n: 'two' });
createAgent({ model: 'openai:gpt-6', tools: toTools(wrappedBox, { providerSearch: true }), middleware: [providerToolSearchMiddleware()] });
