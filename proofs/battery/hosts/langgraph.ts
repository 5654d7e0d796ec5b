import { MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { mendCalls, toToolNode, toTools } from 'toolpact/adapters/langchain';
import type { BatteryHost } from '../host.ts';
import { bareTools, listen, ScriptedModel, toRecord } from './langchain.ts';

export const hosts: readonly BatteryHost[] = [
  {
    name: 'langgraph',
    title: 'LangGraph',
    adapter: 'langchain',
    packages: ['@langchain/langgraph', '@langchain/core'],
    async run(setup) {
      const model = new ScriptedModel(setup.calls);
      const { errors, callbacks } = listen();
      const isBare = setup.mode === 'bare';
      const chat = isBare ? model : model.pipe(mendCalls);
      const tools = isBare ? new ToolNode(bareTools(setup)) : toToolNode(new ToolNode(toTools(setup.toolbox)), setup.toolbox);
      const graph = new StateGraph(MessagesAnnotation)
        .addNode('agent', async ({ messages }) => ({ messages: [await chat.invoke(messages)] }))
        .addNode('tools', tools)
        .addEdge('__start__', 'agent')
        .addConditionalEdges('agent', toolsCondition)
        .addEdge('tools', 'agent')
        .compile();
      const { messages } = await graph.invoke({ messages: [{ role: 'user', content: 'go' }] }, { callbacks } as never);
      return toRecord(model, messages.at(-1)?.text, errors);
    },
  },
];
