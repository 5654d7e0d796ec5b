import { stopsRun } from '../frameworks/stops-run.ts';
import type { LangchainMessage } from './core.ts';

/**
 * Creates a conditional edge for a LangGraph graph, from the node of the tools back to the node of the model: it ends the run when the
 * repeat breaker has stopped a call.
 *
 * @example
 * graph.addConditionalEdges('tools', stopOnRepeat('agent'));
 */
export function stopOnRepeat<TNode extends string>(next: TNode): (state: { readonly messages: readonly object[] }) => TNode | '__end__' {
  return ({ messages }) => (isStopped(messages) ? '__end__' : next);
}

/** Checks whether one of the last answers of tools stops the run. */
export function isStopped(messages: readonly object[]): boolean {
  const from = messages.findLastIndex((message) => (message as LangchainMessage).type !== 'tool') + 1;
  return messages.slice(from).some((message) => stopsRun((message as LangchainMessage).artifact));
}
