import type { Outcome } from '../../core/outcome/index.ts';
import { type AdapterOptions, answerHost, type CallableToolbox, type HostCall } from './host-tools.ts';
import { brokenArguments, mendCalls, sentArguments } from './langchain-broken-calls.ts';
import { callSteered, isCommand, isControlFlow } from './langchain-control-flow.ts';
import type { LangchainCall, LangchainConfig, LangchainMessage } from './langchain-core.ts';
import { foreignOutcome, unreadableOutcome } from './langchain-failure.ts';
import { toToolMessage } from './langchain-message.ts';

/** A middleware as `createAgent` takes it. */
export interface LangchainMiddleware {
  name: string;
  afterModel: <TMessage extends object>(state: { messages: TMessage[] }) => Promise<{ messages: TMessage[] } | undefined>;
  wrapToolCall: <TRequest extends LangchainRequest, TAnswer>(
    request: TRequest,
    handler: (request: TRequest) => TAnswer | Promise<TAnswer>,
  ) => Promise<TAnswer>;
}

/** One call on its way to a tool. */
interface LangchainRequest {
  readonly toolCall: LangchainCall;
  readonly tool: unknown;
  readonly runtime?: { readonly signal?: AbortSignal | undefined } | undefined;
}

/** LangGraph's `ToolNode`, as far as it is looked at here. */
export interface LangchainToolNode<TState> {
  readonly tools: readonly { readonly name?: unknown }[];
  readonly invoke: (state: TState, config?: object) => Promise<TState>;
}

/**
 * Makes every call of an agent end in an answer: calls whose arguments are no JSON (which end the run without a word otherwise), names in
 * any spelling, unknown names, and whatever the agent's other tools throw. Put it first among the middlewares.
 */
export function toMiddleware(toolbox: CallableToolbox, options: AdapterOptions = {}): LangchainMiddleware {
  const own = namesOf(toolbox);
  return {
    name: 'toolpact',
    async afterModel({ messages }) {
      const last = messages.at(-1);
      const mended = last && (await mendCalls(last));
      return mended === last || mended === undefined ? undefined : { messages: [mended] };
    },
    async wrapToolCall(request, handler) {
      const { toolCall: call, tool, runtime } = request;
      const tell = async (outcome: Outcome): Promise<never> => toToolMessage(await heard(outcome, options), call) as never;
      if (tool !== undefined && !own.has(call.name) && brokenArguments(call) !== undefined) return tell(unreadableOutcome(call));
      try {
        const answer = await handler(request);
        // Another middleware may bring the tool along; only what nobody has is answered here.
        if (tool !== undefined || !isNotFound(answer, call)) return answer;
        return (await answerLost(toolbox, options, call, { signal: runtime?.signal, ...request })) as never;
      } catch (thrown) {
        if (isControlFlow(thrown) || runtime?.signal?.aborted === true) throw thrown;
        return tell(foreignOutcome(thrown, call));
      }
    },
  };
}

/**
 * Makes a node for a LangGraph graph out of its `ToolNode`, that also answers what a `ToolNode` cannot: unknown names, names in another
 * spelling, arguments that are no JSON. For the last, models must pass their messages through {@link mendCalls}.
 *
 * @example
 * graph.addNode('tools', toToolNode(new ToolNode(toTools(toolbox)), toolbox));
 */
export function toToolNode<TState>(
  toolNode: LangchainToolNode<TState>,
  toolbox: CallableToolbox,
  options: AdapterOptions = {},
): (state: TState, config?: object) => Promise<TState> {
  const own = namesOf(toolbox);
  const names = new Set(toolNode.tools.map(({ name }) => name));
  const isLost = (call: LangchainCall): boolean => !names.has(call.name) || (!own.has(call.name) && brokenArguments(call) !== undefined);
  const answer = async (call: LangchainCall, config: object): Promise<LangchainMessage> =>
    names.has(call.name) ? toToolMessage(await heard(unreadableOutcome(call), options), call) : answerLost(toolbox, options, call, config);
  return async (state, config = {}) => {
    const { messages, at, calls } = callsIn(state);
    const lost = calls.filter(isLost);
    if (lost.length === 0) return toolNode.invoke(state, config);
    const kept = calls.filter((call) => !isLost(call));
    const [answers, others] = await Promise.all([
      Promise.all(lost.map((call) => answer(call, config))),
      kept.length === 0 ? undefined : toolNode.invoke(withCalls(state, messages, at, kept), config),
    ]);
    return merge(state, answers, others, calls) as TState;
  };
}

const adapter = 'langchain';

function namesOf(toolbox: CallableToolbox): ReadonlySet<string> {
  return new Set(toolbox.list().map(({ providerName }) => providerName));
}

/** Answers a call that none of the host's tools takes; the toolbox may know the name in another spelling. */
async function answerLost(
  toolbox: CallableToolbox,
  options: AdapterOptions,
  call: LangchainCall,
  config: LangchainConfig,
): Promise<LangchainMessage> {
  const asked = { name: call.name, args: sentArguments(call.args) };
  const facts = { callId: call.id, signal: config.signal, host: config };
  const answer = (watched: HostCall): Promise<Outcome> => answerHost(toolbox, adapter, options, asked, watched);
  const { outcome, command } = await callSteered<LangchainMessage>(answer, facts);
  return command ?? toToolMessage(outcome, call);
}

async function heard(outcome: Outcome, { onOutcome }: AdapterOptions): Promise<Outcome> {
  try {
    await onOutcome?.(outcome);
  } catch {
    // A listener of the application must not change what the model is told.
  }
  return outcome;
}

/** Recognises an agent's own words for a name that it does not know. */
function isNotFound(answer: unknown, { name }: LangchainCall): boolean {
  const { status, content } = (answer ?? {}) as Partial<LangchainMessage>;
  return status === 'error' && typeof content === 'string' && content.startsWith(`Error: ${name} is not a valid tool`);
}

interface Found {
  readonly messages: readonly LangchainMessage[];
  /** Where the model's message is; -1 for a single call that was sent on its own. */
  readonly at: number;
  readonly calls: readonly LangchainCall[];
}

/** Finds the calls that are to be answered, by the rules of `ToolNode`. */
function callsIn(state: unknown): Found {
  const { lg_tool_call: single, messages = [] } = (Array.isArray(state) ? { messages: state } : state) as {
    lg_tool_call?: LangchainCall;
    messages?: readonly LangchainMessage[];
  };
  if (single !== undefined) return { messages, at: -1, calls: [single] };
  const at = messages.findLastIndex(({ type }) => type === 'ai');
  const answered = new Set(messages.flatMap(({ type, tool_call_id }) => (type === 'tool' ? [tool_call_id] : [])));
  const calls = (messages[at]?.tool_calls ?? []).filter(({ id }) => id === undefined || !answered.has(id));
  return { messages, at, calls };
}

/** Gives the state with only these calls in the model's message. */
function withCalls<TState>(state: TState, messages: readonly LangchainMessage[], at: number, calls: readonly LangchainCall[]): TState {
  const changed = messages.with(at, Object.assign(Object.create(Object.getPrototypeOf(messages[at])), messages[at], { tool_calls: calls }));
  return (Array.isArray(state) ? changed : { ...state, messages: changed }) as TState;
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
