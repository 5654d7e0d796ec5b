import { isObject } from '../../json/index.ts';
import type { HostCall } from '../frameworks/host-tools.ts';
import type { LangchainCall, LangchainConfig, LangchainMessage } from './core.ts';

/** Returns what LangChain says about a call in the form all adapters use; progress goes where LangGraph streams it from. */
export function toHostCall(config: LangchainConfig, { id: callId, name }: Pick<LangchainCall, 'id' | 'name'>): HostCall {
  const { writer, signal } = config;
  const about = { type: 'tool-progress', tool: name, callId };
  const onProgress: HostCall['onProgress'] = typeof writer === 'function' ? (progress) => writer({ ...about, ...progress }) : undefined;
  return { callId, run: runOf(config), turn: answerOf(config, callId), signal, onProgress, host: config };
}

/** Returns what the calls of one run have in common; outside of a graph only the thread that the application names. */
function runOf({ control, configurable }: LangchainConfig): HostCall['run'] {
  const thread = configurable?.thread_id;
  return control ?? (typeof thread === 'string' ? thread : undefined);
}

/** Finds the message of the model that holds a call. */
function answerOf({ state }: LangchainConfig, callId: string | undefined): LangchainMessage | undefined {
  const messages = Array.isArray(state) ? state : isObject(state) ? (state as { readonly messages?: unknown }).messages : undefined;
  if (!Array.isArray(messages)) return undefined;
  return messages.findLast((message: LangchainMessage) => message.type === 'ai' && message.tool_calls?.some(({ id }) => id === callId));
}
