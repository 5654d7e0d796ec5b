import { refuseOptions } from '../../../core/outcome/index.ts';
import { checkToolbox } from '../../../core/runtime/index.ts';
import type { AdapterOptions, CallableToolbox } from '../frameworks/host-tools.ts';
import { adapterOptions } from '../frameworks/host-tools.ts';
import { mendCalls } from './mend-calls.ts';
import { type LangchainToolNode, toToolNode } from './tool-node.ts';

/**
 * Gives what LangGraph's prebuilt `createReactAgent` needs so that every call ends in an answer: a node in the place of its `ToolNode`
 * (see {@link toToolNode}), and a hook that brings calls whose arguments are no JSON to it. Without it such a call ends the run silently.
 *
 * @example
 * createReactAgent({ llm, ...toReactAgent(new ToolNode(toTools(toolbox)), toolbox) });
 */
export function toReactAgent<TNode extends LangchainToolNode<never>>(
  toolNode: TNode,
  toolbox: CallableToolbox,
  options: AdapterOptions = {},
): { tools: TNode; postModelHook: <TMessage extends object>(state: { messages: TMessage[] }) => Promise<{ messages: TMessage[] }> } {
  checkToolbox('toReactAgent', toolbox);
  refuseOptions('toReactAgent', options, adapterOptions);
  // The agent takes any node that lists its tools.
  const tools = Object.assign(toToolNode(toolNode, toolbox, options), { tools: toolNode.tools });
  return {
    tools: tools as unknown as TNode,
    async postModelHook({ messages }) {
      const last = messages.at(-1);
      const mended = last && (await mendCalls(last));
      // A message of the same id takes the place of the one before.
      return { messages: mended === undefined || mended === last ? [] : [mended] };
    },
  };
}
