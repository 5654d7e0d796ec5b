import { isCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, adapterOptions, type CallableToolbox, readAdapterOptions } from '../frameworks/host-tools.ts';
import { answerLostCall } from './answer-lost-call.ts';
import { isCommand } from './control-flow.ts';
import type { LangchainCall, LangchainConfig, LangchainMessage } from './core.ts';
import { unreadableOutcome } from './failure.ts';
import { toToolMessage } from './message.ts';

/** LangGraph's `ToolNode`, as far as it is looked at here. */
export interface LangchainToolNode<TState> {
  readonly tools: readonly { readonly name?: unknown }[];
  readonly invoke: (state: TState, config?: object) => Promise<TState>;
}

/**
 * Turns the `ToolNode` of a LangGraph graph into a node that also answers what a `ToolNode` cannot: unknown names, names in another
 * spelling, ids that an earlier turn had, arguments that are no JSON. For the last, models must pass their messages through `mendCalls`.
 *
 * @example
 * graph.addNode('tools', toToolNode(new ToolNode(toTools(toolbox)), toolbox));
 */
export function toToolNode<TState>(
  toolNode: LangchainToolNode<TState>,
  toolbox: CallableToolbox,
  options: AdapterOptions = {},
): (state: TState, config?: object) => Promise<TState> {
  const settings = readAdapterOptions('toToolNode', toolbox, options, adapterOptions);
  const own = new Set(toolbox.list().map(({ providerName }) => providerName));
  const names = new Set(toolNode.tools.map(({ name }) => name));
  const isLost = (call: LangchainCall): boolean => !names.has(call.name) || (!own.has(call.name) && isCarried(call.args));
  const answer = async (call: LangchainCall, config: LangchainConfig): Promise<LangchainMessage> =>
    names.has(call.name)
      ? toToolMessage(unreadableOutcome(toolbox, call), call, settings.dialect)
      : answerLostCall(toolbox, settings, call, config);
  return async (state, config = {}) => {
    const { messages, at, calls } = callsIn(state);
    const lost = calls.filter(isLost);
    if (lost.length === 0 && !messages.some((message, index) => index < at && answers(message, calls)))
      return toolNode.invoke(state, config);
    const kept = calls.filter((call) => !isLost(call));
    const [answered, others] = await Promise.all([
      Promise.all(lost.map((call) => answer(call, { ...config, state }))),
      kept.length === 0 ? undefined : toolNode.invoke(withCalls(state, messages, at, kept), config),
    ]);
    return merge(state, answered, others, calls) as TState;
  };
}

interface Found {
  readonly messages: readonly LangchainMessage[];
  /** Where the model's message is; -1 for a single call that was sent on its own. */
  readonly at: number;
  readonly calls: readonly LangchainCall[];
}

/** Finds the calls that are to be answered, by the rules of `ToolNode`, but that only what comes after a call can answer it. */
function callsIn(state: unknown): Found {
  const { lg_tool_call: single, messages = [] } = (Array.isArray(state) ? { messages: state } : state) as {
    lg_tool_call?: LangchainCall;
    messages?: readonly LangchainMessage[];
  };
  if (single !== undefined) return { messages, at: -1, calls: [single] };
  const at = messages.findLastIndex(({ type }) => type === 'ai');
  const after = messages.slice(at + 1);
  const calls = (messages[at]?.tool_calls ?? []).filter(
    (call) => call.id === undefined || !after.some((message) => answers(message, [call])),
  );
  return { messages, at, calls };
}

function answers({ type, tool_call_id }: LangchainMessage, calls: readonly LangchainCall[]): boolean {
  return type === 'tool' && tool_call_id !== undefined && calls.some(({ id }) => id === tool_call_id);
}

/** Returns the state with only these calls in the model's message, and without what a `ToolNode` would take for their answers. */
function withCalls<TState>(state: TState, messages: readonly LangchainMessage[], at: number, calls: readonly LangchainCall[]): TState {
  const changed = messages.with(at, Object.assign(Object.create(Object.getPrototypeOf(messages[at])), messages[at], { tool_calls: calls }));
  const left = changed.filter((message, index) => index > at || !answers(message, calls));
  return (Array.isArray(state) ? left : { ...state, messages: left }) as TState;
}

/** Puts the answers together in the order of the calls. Where one is a command, LangGraph takes a list of updates instead. */
function merge(state: unknown, answers: readonly LangchainMessage[], others: unknown, calls: readonly LangchainCall[]): unknown {
  const isList = Array.isArray(state);
  const theirs: readonly unknown[] = isList ? ((others ?? []) as []) : Array.isArray(others) ? others : [];
  if ([...theirs, ...answers].some(isCommand)) {
    const own = answers.map((answer) => (isCommand(answer) ? answer : isList ? [answer] : { messages: [answer] }));
    const rest = Array.isArray(others) ? others : others === undefined ? [] : [others];
    return [...rest, ...own];
  }
  const given = (isList ? theirs : ((others as { messages?: unknown[] } | undefined)?.messages ?? [])) as readonly LangchainMessage[];
  const order = new Map(calls.map(({ id }, index) => [id, index]));
  const place = ({ tool_call_id }: LangchainMessage): number => order.get(tool_call_id) ?? order.size;
  const messages = [...given, ...answers].sort((a, b) => place(a) - place(b));
  return isList ? messages : { ...(others as object | undefined), messages };
}
