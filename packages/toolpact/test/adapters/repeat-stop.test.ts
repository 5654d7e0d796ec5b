import { BaseLlm, InMemoryRunner, LlmAgent, LogLevel, setLogLevel } from '@google/adk';
import { AIMessage } from '@langchain/core/messages';
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { MastraLanguageModelV2Mock } from '@mastra/core/test-utils/llm-mock';
import { Agent as OpenaiAgent, Runner, Usage } from '@openai/agents';
import { Agent as StrandsAgent, Model as StrandsModel } from '@strands-agents/sdk';
import { chat } from '@tanstack/ai';
import { BaseTextAdapter } from '@tanstack/ai/adapters';
import { generateText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { genkit } from 'genkit';
import { createAgent } from 'langchain';
import { expect, test } from 'vitest';
import { ScriptedModel as LangchainModel } from '../../../../proofs/battery/hosts/langchain.ts';
import * as adk from '../../src/adapters/adk/index.ts';
import * as aiSdk from '../../src/adapters/ai-sdk/index.ts';
import * as genkitAdapter from '../../src/adapters/genkit/index.ts';
import * as langchain from '../../src/adapters/langchain/index.ts';
import * as mastra from '../../src/adapters/mastra/index.ts';
import * as openaiAgents from '../../src/adapters/openai-agents/index.ts';
import * as strands from '../../src/adapters/strands/index.ts';
import * as tanstackAi from '../../src/adapters/tanstack-ai/index.ts';
import { repeatBreaker } from '../../src/guards/public.ts';
import { createToolbox, defineTool, fail } from '../../src/index.ts';

setLogLevel(LogLevel.ERROR + 1);

/** A toolbox whose repeat breaker wants the run to end at the fifth call. */
function stubborn() {
  const book = defineTool({
    name: 'book',
    description: 'Books.',
    effects: 'none',
    run: () => fail('not_found', 'There is no such flight.'),
  });
  return createToolbox([book], { use: [repeatBreaker()], report: () => undefined });
}

/** Per framework: a run with a model that makes the same call for ever (or 12 times); gives how often the model was asked. */
const runs: Readonly<Record<string, (toolbox: ReturnType<typeof stubborn>) => Promise<number>>> = {
  async 'AI SDK'(toolbox) {
    let turns = 0;
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        turns += 1;
        const content = [{ type: 'tool-call', toolCallId: `c${turns}`, toolName: 'book', input: '{}' }];
        return { content, finishReason: { unified: 'tool-calls' }, usage, warnings: [] };
      },
    } as never);
    await generateText({ model, prompt: '?', ...(aiSdk.toRunOptions(toolbox) as object) });
    return turns;
  },
  async ADK(toolbox) {
    let turns = 0;
    class Endless extends BaseLlm {
      async *generateContentAsync() {
        turns += 1;
        if (turns > 12) yield { content: { role: 'model', parts: [{ text: 'enough' }] } };
        else yield { content: { role: 'model', parts: [{ functionCall: { id: `c${turns}`, name: 'book', args: {} } }] } };
      }
      connect(): Promise<never> {
        return Promise.reject(new Error('not live'));
      }
    }
    const agent = new LlmAgent({ name: 'clerk', model: new Endless({ model: 'endless' }), tools: adk.toTools(toolbox) });
    const runner = new InMemoryRunner({ agent, appName: 'test' });
    const { id } = await runner.sessionService.createSession({ appName: 'test', userId: 'u' });
    for await (const _ of runner.runAsync({ userId: 'u', sessionId: id, newMessage: { role: 'user', parts: [{ text: 'go' }] } }));
    return turns;
  },
  async Genkit(toolbox) {
    let turns = 0;
    const ai = genkit({});
    const model = ai.defineModel({ name: 'endless', supports: { tools: true, multiturn: true } }, async () => {
      turns += 1;
      return {
        message: { role: 'model', content: [{ toolRequest: { ref: `c${turns}`, name: 'book', input: {} } }] },
        finishReason: 'stop',
      };
    });
    await ai.generate({
      model,
      prompt: '?',
      maxTurns: 12,
      tools: genkitAdapter.toTools(toolbox),
      use: [genkitAdapter.toMiddleware(toolbox)],
    });
    return turns;
  },
  async LangChain(toolbox) {
    const model = endlessLangchain();
    const agent = createAgent({ model, tools: langchain.toTools(toolbox), middleware: [langchain.toMiddleware(toolbox)] });
    await agent.invoke({ messages: [{ role: 'user', content: 'go' }] } as never);
    return model.prompts.length;
  },
  async LangGraph(toolbox) {
    const model = endlessLangchain();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('tools', langchain.toToolNode(new ToolNode(langchain.toTools(toolbox)), toolbox))
      .addEdge('__start__', 'agent')
      .addConditionalEdges('agent', toolsCondition)
      .addConditionalEdges('tools', langchain.stopOnRepeat('agent'), ['agent', '__end__'])
      .compile();
    await graph.invoke({ messages: [{ role: 'user', content: 'go' }] } as never);
    return model.prompts.length;
  },
  async Mastra(toolbox) {
    let turns = 0;
    const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const model = new MastraLanguageModelV2Mock({
      doGenerate: async () => {
        turns += 1;
        const content = [{ type: 'tool-call', toolCallId: `c${turns}`, toolName: 'book', input: '{}' }];
        return { content, finishReason: 'tool-calls', usage, warnings: [] };
      },
    } as never);
    const parts = { tools: mastra.toTools(toolbox), inputProcessors: [mastra.toInputProcessor(toolbox)] } as object;
    const agent = new MastraAgent({ id: 'clerk', name: 'clerk', instructions: 'Go.', model: model as never, ...parts });
    await agent.generate('go', { maxSteps: 12 });
    return turns;
  },
  async 'OpenAI Agents'(toolbox) {
    let turns = 0;
    const model = {
      async getResponse() {
        turns += 1;
        const call = { type: 'function_call', callId: `c${turns}`, name: 'book', arguments: '{}', status: 'completed' };
        return { usage: new Usage(), output: [call] };
      },
    };
    const tools = openaiAgents.toTools(toolbox);
    const agent = new OpenaiAgent({ name: 'clerk', model: model as never, tools, toolUseBehavior: openaiAgents.stopOnRepeat });
    const runner = new Runner({ tracingDisabled: true });
    await runner.run(agent, 'go', { ...openaiAgents.toRunOptions(toolbox), maxTurns: 12 });
    return turns;
  },
  async Strands(toolbox) {
    let turns = 0;
    class Endless extends StrandsModel {
      updateConfig(): void {}
      getConfig(): { modelId: string } {
        return { modelId: 'endless' };
      }
      async *stream() {
        turns += 1;
        if (turns > 12) throw new Error('enough');
        yield { type: 'modelMessageStartEvent' as const, role: 'assistant' as const };
        yield {
          type: 'modelContentBlockStartEvent' as const,
          start: { type: 'toolUseStart' as const, name: 'book', toolUseId: `c${turns}` },
        };
        yield { type: 'modelContentBlockDeltaEvent' as const, delta: { type: 'toolUseInputDelta' as const, input: '{}' } };
        yield { type: 'modelContentBlockStopEvent' as const };
        yield { type: 'modelMessageStopEvent' as const, stopReason: 'toolUse' as const };
      }
    }
    const agent = new StrandsAgent({ model: new Endless() as never, printer: false, tools: strands.toTools(toolbox) });
    await agent.invoke('go');
    return turns;
  },
  async 'TanStack AI'(toolbox) {
    let turns = 0;
    class Endless extends BaseTextAdapter<string, object, readonly ['text'], never> {
      readonly name = 'endless';
      async *chatStream(): AsyncGenerator<never> {
        turns += 1;
        const toolCallId = `c${turns}`;
        yield { type: 'TOOL_CALL_START', toolCallId, toolCallName: 'book' } as never;
        yield { type: 'TOOL_CALL_END', toolCallId, input: {} } as never;
        yield { type: 'RUN_FINISHED', finishReason: turns > 12 ? 'stop' : 'tool_calls' } as never;
      }
      structuredOutput(): Promise<never> {
        return Promise.reject(new Error('nobody asks for it'));
      }
    }
    const options = tanstackAi.toRunOptions(toolbox, new Endless({}, 'endless'));
    for await (const _ of chat({ ...options, messages: [{ role: 'user', content: 'go' }], agentLoopStrategy: () => true }));
    return turns;
  },
};

function endlessLangchain(): LangchainModel {
  class Endless extends LangchainModel {
    override async _generate(messages: never[]) {
      this.prompts.push([...messages]);
      const id = `c${this.prompts.length}`;
      const calls = this.prompts.length > 12 ? [] : [{ type: 'tool_call' as const, id, name: 'book', args: {} }];
      const message = new AIMessage({ content: '', tool_calls: calls });
      return { generations: [{ text: '', message }] };
    }
  }
  return new Endless([]);
}

test.each(Object.entries(runs))('%s ends a run that repeats a failing call, at the fifth turn', async (_, run) => {
  expect(await run(stubborn())).toBe(5);
});

test.each(Object.entries(runs))('%s does not count the calls of an earlier run in the next one', async (_, run) => {
  const toolbox = stubborn();
  expect([await run(toolbox), await run(toolbox)]).toEqual([5, 5]);
});
